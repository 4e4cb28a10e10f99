//! Threads for work that takes long: evaluations, and compiling policies.

use std::time::Duration;

use tokio::{task::spawn_blocking, time::sleep};
use uuid::Uuid;

use crate::{
    Error,
    fair_queue::{FairQueue, Full, QueueLoad},
};

/// Time between two looks for a thread that no request needs.
const IDLE_POLL: Duration = Duration::from_millis(20);

/// A bounded number of threads, and a bounded queue before them that organizations share.
pub struct Processors(FairQueue);

impl Processors {
    /// Creates `threads` processors with a queue of `waiting` places.
    pub fn new(threads: usize, waiting: usize) -> Self {
        Self(FairQueue::new(threads, waiting))
    }

    /// Returns what is running and waiting.
    pub fn load(&self) -> QueueLoad {
        self.0.load()
    }

    /// Waits for a thread and runs `work` on it, for a text of an organization. Returns an error when the queue or the
    /// organization's share of it is full.
    ///
    /// A caller that no longer waits does not free the thread: it counts until the work has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        org: Uuid,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let busy = |Full| Error::unavailable("the detection engine is busy, try again later");
        let permit = self.0.acquire(org, bytes).await.map_err(busy)?;
        let run = move || {
            let _held = permit;
            work()
        };
        spawn_blocking(run).await.map_err(Error::internal)
    }

    /// Runs background `work` once no request waits and another thread is free. Waits without end.
    pub async fn run_idle<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = loop {
            match self.0.acquire_idle() {
                Some(permit) => break permit,
                None => sleep(IDLE_POLL).await,
            }
        };
        let run = move || {
            let _held = permit;
            work()
        };
        spawn_blocking(run).await.map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    const ORG: Uuid = Uuid::from_u128(1);

    #[tokio::test]
    async fn a_caller_that_hangs_up_does_not_free_the_thread() {
        let processors = Processors::new(1, 8);
        let (end, wait) = mpsc::channel::<()>();
        let mut work = Box::pin(processors.run(ORG, 1, move || wait.recv()));
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut work).await.is_err());
        drop(work);
        let mut next = Box::pin(processors.run(ORG, 1, || 1));
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut next).await.is_err());
        end.send(()).unwrap();
        assert_eq!(next.await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let processors = Processors::new(1, 4);
        let (end, wait) = mpsc::channel::<()>();
        let first = processors.run(ORG, 1, move || wait.recv());
        let second = processors.run(ORG, 1, || ());
        let third = async {
            let refused = processors.run(ORG, 1, || ()).await.is_err();
            end.send(()).unwrap();
            refused
        };
        let (first, second, refused) = tokio::join!(first, second, third);
        assert!(first.is_ok() && second.is_ok() && refused);
    }
}
