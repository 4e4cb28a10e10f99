//! Pool of reusable buffers, each with a thread of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Unavailable;

/// A pool with as many buffers as ever were in use at a time.
pub struct ScratchPool<S> {
    idle: Mutex<Vec<Scratch<S>>>,
}

/// A thread and its buffers.
struct Scratch<S> {
    /// Thread pool of one thread: a request uses one processor, however many `rten-gemm` would use.
    alone: ThreadPool,
    scratch: S,
}

impl<S> Default for ScratchPool<S> {
    fn default() -> Self {
        Self { idle: Mutex::default() }
    }
}

impl<S: Default + Send> ScratchPool<S> {
    /// Runs `read` on one thread with exclusive buffers.
    pub fn with<T: Send>(&self, read: impl FnOnce(&mut S) -> T + Send) -> Result<T, Unavailable> {
        let free = self.idle().pop();
        let mut desk = free.map_or_else(Scratch::new, Ok)?;
        let answer = desk.alone.install(|| read(&mut desk.scratch));
        self.idle().push(desk);
        Ok(answer)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Scratch<S>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Default> Scratch<S> {
    fn new() -> Result<Self, Unavailable> {
        let alone = ThreadPoolBuilder::new().num_threads(1).build();
        let alone =
            alone.map_err(|error| Unavailable(format!("no thread for the encoder: {error}").into()))?;
        Ok(Self { alone, scratch: S::default() })
    }
}
