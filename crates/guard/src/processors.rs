//! Threads for work that takes long: evaluations, and compiling policies.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{sync::Semaphore, task::spawn_blocking};
use uuid::Uuid;

use crate::Error;

/// A bounded number of threads, and a bounded queue before them.
pub struct Processors {
    threads: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Processors {
    /// Creates `threads` processors with a queue of `waiting` places.
    pub fn new(threads: usize, waiting: usize) -> Self {
        Self { threads: Arc::new(Semaphore::new(threads)), queue: Arc::new(Semaphore::new(waiting)) }
    }

    /// Waits for a thread and runs `work` on it. Returns an error when the queue is full.
    ///
    /// A caller that no longer waits does not free the thread: it counts until the work has ended.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let busy = || Error::unavailable("the detection engine is busy, try again later");
        let place = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| busy())?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| busy())?;
        let run = move || {
            let _held = (place, thread);
            work()
        };
        spawn_blocking(run).await.map_err(Error::internal)
    }
}

/// Drafts of one organization that may be compiled or wait for it at a time.
const MAX_DRAFTS: usize = 32;

/// Compiles drafts of policies away from the threads that serve connections. Drafts of one organization are compiled one
/// after the other, so that they do not hold up those of others.
pub struct DraftCompiler {
    processors: Processors,
    by_org: Orgs,
}

/// The drafts under way of each organization: their number, and the turn of one of them.
type Orgs = Arc<Mutex<HashMap<Uuid, (usize, Arc<Semaphore>)>>>;

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
        let turn = Arc::clone(&share.turn).acquire_owned().await.map_err(Error::internal)?;
        let run = move || {
            let _held = (turn, share);
            work()
        };
        self.processors.run(run).await
    }
}

/// One of the drafts of an organization, counted until it is dropped.
struct Share {
    by_org: Orgs,
    org: Uuid,
    turn: Arc<Semaphore>,
}

impl Share {
    fn take(by_org: &Orgs, org: Uuid) -> Option<Self> {
        let mut counts = by_org.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, turn) = counts.entry(org).or_insert_with(|| (0, Arc::new(Semaphore::new(1))));
        if *count >= MAX_DRAFTS {
            return None;
        }
        *count += 1;
        let turn = Arc::clone(turn);
        drop(counts);
        Some(Self { by_org: Arc::clone(by_org), org, turn })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.by_org.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((count, _)) = counts.get_mut(&self.org) {
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

    #[tokio::test]
    async fn a_caller_that_hangs_up_does_not_free_the_thread() {
        let processors = Processors::new(1, 8);
        let (end, wait) = mpsc::channel::<()>();
        let work = processors.run(move || wait.recv());
        assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
        assert_eq!((processors.threads.available_permits(), processors.queue.available_permits()), (0, 7));
        end.send(()).unwrap();
        assert_eq!(processors.run(|| 1).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let processors = Processors::new(1, 1);
        let (end, wait) = mpsc::channel::<()>();
        let first = processors.run(move || wait.recv());
        let second = async {
            let refused = processors.run(|| ()).await.is_err();
            end.send(()).unwrap();
            refused
        };
        let (first, refused) = tokio::join!(first, second);
        assert!(first.is_ok() && refused);
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
