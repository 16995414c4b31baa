//! The consumer that only validates.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Tile;
use crate::kernel::Kernel;
use crate::parallel::ChunkFactory;
use crate::parallel::Divisible;
use crate::parallel::LineConsumer;
use crate::scan::Consumer;
use crate::sink::Stage;

/// Produces no output.
#[derive(Clone, Copy)]
pub(crate) struct Check;

impl LineConsumer for Check {}

impl Divisible for Check {
    type ChunkFactory = Self;

    fn factory(&self) -> Self {
        Self
    }

    fn is_divisible(&self) -> bool {
        true
    }

    fn join(&mut self, _: &[u8], _: i64) -> Result<(), Error> {
        Ok(())
    }
}

impl ChunkFactory for Check {
    type Part<'p> = Self;

    const LEVELS: bool = false;

    fn part(self, _: Stage<'_>) -> Self {
        self
    }

    fn enter(_: &mut Self, _: i64) {}

    fn into_memory(_: Self) -> Option<(Vec<u8>, usize)> {
        Some((Vec::new(), 0))
    }
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
