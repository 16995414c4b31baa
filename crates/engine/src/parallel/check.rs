//! The consumer that only validates.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Tile;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::parallel::LineConsumer;
use crate::scan::Consumer;
use crate::sink::Division;

/// Produces no output.
#[derive(Clone, Copy)]
pub(crate) struct Check;

impl LineConsumer for Check {}

impl Divisible for Check {
    type Factory = Self;

    fn factory(&self) -> Self {
        Self
    }

    fn divides_records(&self, _: &Options) -> bool {
        true
    }

    fn division(&self) -> Division {
        Division::Chunks
    }

    fn join(&mut self, (): &(), _: i64) -> Result<bool, Error> {
        Ok(true)
    }
}

impl ConsumerFactory for Check {
    type Part = Self;
    type Output = ();

    fn part(self, _: &Options, (): ()) -> Self {
        self
    }

    fn into_output(_: Self) -> Option<()> {
        Some(())
    }
}

impl ChunkFactory for Check {
    const LEVELS: bool = false;

    fn enter(_: &mut Self, _: i64) {}
}

impl Consumer for Check {
    const LAYOUT: bool = false;
    const OUTPUT: bool = false;

    fn begin(&mut self, _: u64, _: Option<u8>) -> Result<(), Error> {
        Ok(())
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
