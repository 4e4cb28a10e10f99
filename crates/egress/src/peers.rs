//! What is known of each peer: how many calls are under way, and whether it rests.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use moka::sync::Cache;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use uuid::Uuid;

use crate::{Fault, breaker::Breaker};

/// Calls to one peer at once.
const PLACES: usize = 16;
/// Peers that are remembered.
const PEERS: u64 = 10_000;
/// A peer that was not asked for so long is forgotten.
const REMEMBERED: Duration = Duration::from_hours(1);

/// Peers, by id.
#[derive(Clone, Debug)]
pub(crate) struct Peers(Cache<Uuid, Arc<Peer>>);

/// A peer.
#[derive(Debug)]
pub(crate) struct Peer {
    places: Arc<Semaphore>,
    breaker: Mutex<Breaker>,
}

impl Default for Peers {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(PEERS).time_to_idle(REMEMBERED).build())
    }
}

impl Peers {
    pub fn peer(&self, id: Uuid) -> Arc<Peer> {
        let new = || Arc::new(Peer { places: Arc::new(Semaphore::new(PLACES)), breaker: Mutex::default() });
        self.0.get_with(id, new)
    }

    pub fn forget(&self, id: Uuid) {
        self.0.invalidate(&id);
    }
}

impl Peer {
    /// A place, as soon as one is free.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, Fault> {
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| Fault::Busy)
    }

    pub fn ask(&self) -> Result<(), Fault> {
        self.breaker().ask(Instant::now()).map_err(Fault::Resting)
    }

    /// Learns from what came of a call. One that was refused, or for which there was no place, tells nothing.
    pub fn learn<T>(&self, outcome: &Result<T, Fault>) {
        match outcome {
            Err(fault) if fault.is_failure() => self.breaker().failed(Instant::now()),
            Ok(_) | Err(Fault::Status(_)) => self.breaker().succeeded(),
            Err(_) => {}
        }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
