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

use crate::{Error, circuit_breaker::CircuitBreaker};

/// Calls to one peer at once.
const MAX_CONCURRENT: usize = 16;
/// Peers that are remembered.
const MAX_DESTINATIONS: u64 = 10_000;
/// A peer that was not asked for so long is forgotten.
const IDLE_EXPIRY: Duration = Duration::from_hours(1);

/// Peers, by id.
#[derive(Clone, Debug)]
pub(crate) struct Destinations(Cache<Uuid, Arc<Destination>>);

/// A peer.
#[derive(Debug)]
pub(crate) struct Destination {
    places: Arc<Semaphore>,
    breaker: Mutex<CircuitBreaker>,
}

impl Default for Destinations {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_DESTINATIONS).time_to_idle(IDLE_EXPIRY).build())
    }
}

impl Destinations {
    pub fn peer(&self, id: Uuid) -> Arc<Destination> {
        let new = || {
            Arc::new(Destination {
                places: Arc::new(Semaphore::new(MAX_CONCURRENT)),
                breaker: Mutex::default(),
            })
        };
        self.0.get_with(id, new)
    }

    pub fn forget(&self, id: Uuid) {
        self.0.invalidate(&id);
    }
}

impl Destination {
    /// A place, as soon as one is free.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| Error::Busy)
    }

    pub fn check_circuit(&self) -> Result<(), Error> {
        self.breaker().check(Instant::now()).map_err(Error::Resting)
    }

    /// Learns from what came of a call. One that was refused, or for which there was no place, tells nothing.
    pub fn record_outcome<T>(&self, outcome: &Result<T, Error>) {
        match outcome {
            Err(fault) if fault.is_failure() => self.breaker().failed(Instant::now()),
            Ok(_) | Err(Error::Status(_)) => self.breaker().succeeded(),
            Err(_) => {}
        }
    }

    fn breaker(&self) -> MutexGuard<'_, CircuitBreaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
