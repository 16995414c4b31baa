//! The threads that work beside the caller's: a rayon thread pool, or none at all without the feature `threads`.

#![forbid(unsafe_code)]

use crate::options::Options;

#[cfg(feature = "threads")]
pub(crate) use with_rayon::Pool;
#[cfg(not(feature = "threads"))]
pub(crate) use without_threads::Pool;

/// Returns the number of threads that work if there is enough to do, with the caller's.
#[cfg(feature = "query")]
pub(crate) fn thread_count(options: &Options) -> usize {
    if cfg!(feature = "threads") { crate::options::thread_count(options.threads) } else { 1 }
}

#[cfg(feature = "threads")]
mod with_rayon {
    use std::thread;

    use rayon::ThreadPool;
    use rayon::ThreadPoolBuilder;

    use crate::memory::ThreadStarter;
    use crate::options::Options;
    use crate::options::thread_count;

    #[derive(Debug)]
    pub(crate) struct Pool(ThreadPool);

    impl Pool {
        /// Starts as many threads as the options allow beside the caller's, but no more than `max`. If the system
        /// provides fewer, tries as many as could be started, or half as many. Returns `None` if no thread can be started.
        pub(crate) fn start(options: &Options, max: usize) -> Option<Self> {
            let mut count = (thread_count(options.threads) - 1).min(max);
            while count > 0 {
                let (mut starter, mut started) = (ThreadStarter::new(count), 0);
                let builder = ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
                    starter.start(|begin| {
                        let work = move || {
                            begin.signal();
                            thread.run();
                        };
                        thread::Builder::new().name("fjson".to_owned()).spawn(work).map(drop)
                    })?;
                    started += 1;
                    Ok(())
                });
                if let Ok(pool) = builder.build() {
                    return Some(Self(pool));
                }
                count = started.min(count / 2);
            }
            None
        }

        /// Returns the number of threads, without the caller's.
        pub(crate) fn threads(&self) -> usize {
            self.0.current_num_threads()
        }

        /// Runs `work` on every thread of the pool and `main` on the current one. Returns when all have returned.
        pub(crate) fn run<T>(&self, work: impl Fn() + Sync, main: impl FnOnce() -> T) -> T {
            self.0.in_place_scope(|scope| {
                for _ in 0..self.threads() {
                    scope.spawn(|_| work());
                }
                main()
            })
        }
    }
}

#[cfg(not(feature = "threads"))]
mod without_threads {
    use crate::options::Options;

    /// A pool that cannot be started, so the compiler removes all code that needs one.
    pub(crate) enum Pool {}

    impl Pool {
        pub(crate) fn start(_: &Options, _: usize) -> Option<Self> {
            None
        }

        pub(crate) fn threads(&self) -> usize {
            match *self {}
        }

        pub(crate) fn run<T>(&self, _: impl Fn() + Sync, _: impl FnOnce() -> T) -> T {
            match *self {}
        }
    }
}
