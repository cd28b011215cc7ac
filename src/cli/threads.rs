//! The threads that a command works on.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::CommandError;

/// A pool of so many threads, or one for each core.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, CommandError> {
    let threads = threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| CommandError::Threads { threads, error })
}
