//! Threads for work that takes long: evaluations, and compiling policies.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::{
    Error,
    fair_queue::{FairQueue, Full},
};

/// A bounded number of threads, and a bounded queue before them that organizations share.
pub struct Processors(FairQueue);

impl Processors {
    /// Creates `threads` processors with a queue of `waiting` places.
    pub fn new(threads: usize, waiting: usize) -> Self {
        Self(FairQueue::new(threads, waiting))
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
}

/// Drafts of one organization that may be compiled or wait for it at a time.
const MAX_DRAFTS: usize = 4;

/// Compiles drafts of policies away from the threads that serve connections, with a share for each organization.
pub struct DraftCompiler {
    processors: Processors,
    by_org: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl DraftCompiler {
    /// Creates a compiler with a thread for every second one of `threads`.
    pub fn new(threads: usize, waiting: usize) -> Self {
        Self { processors: Processors::new((threads / 2).max(1), waiting), by_org: Arc::default() }
    }

    /// Runs `work` for an organization. Returns an error when too many of its drafts are under way.
    pub async fn run<T: Send + 'static>(
        &self,
        org: Uuid,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let share = Share::take(&self.by_org, org)
            .ok_or_else(|| Error::unavailable("too many policies are being compiled, try again later"))?;
        let run = move || {
            let _held = share;
            work()
        };
        self.processors.run(org, 0, run).await
    }
}

/// One of the drafts of an organization, counted until it is dropped.
struct Share {
    by_org: Arc<Mutex<HashMap<Uuid, usize>>>,
    org: Uuid,
}

impl Share {
    fn take(by_org: &Arc<Mutex<HashMap<Uuid, usize>>>, org: Uuid) -> Option<Self> {
        let mut counts = by_org.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(org).or_default();
        if *count >= MAX_DRAFTS {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(Self { by_org: Arc::clone(by_org), org })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.by_org.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.org) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.org);
            }
        }
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

    #[tokio::test]
    async fn one_organization_cannot_take_the_share_of_another() {
        let compiler = DraftCompiler::new(2, 64);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let held: Vec<_> = (0..MAX_DRAFTS).filter_map(|_| Share::take(&compiler.by_org, one)).collect();
        assert!(compiler.run(one, || ()).await.is_err());
        assert!(compiler.run(other, || ()).await.is_ok());
        drop(held);
        assert!(compiler.run(one, || ()).await.is_ok());
        assert!(compiler.by_org.lock().unwrap().is_empty());
    }
}
