//! State kept for each destination: calls in progress and the circuit breaker.

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

/// Concurrent calls to one destination.
const MAX_CONCURRENT: usize = 16;
/// Concurrent responses of one destination that are read as they arrive. Language models take their time.
const MAX_OPEN: usize = 1_024;
/// Destinations kept in memory.
const MAX_DESTINATIONS: u64 = 10_000;
/// Time without a call after which a destination is dropped.
const IDLE_EXPIRY: Duration = Duration::from_hours(1);

/// Destinations by id.
#[derive(Clone, Debug)]
pub(crate) struct Destinations(Cache<Uuid, Arc<Destination>>);

/// One destination.
#[derive(Debug)]
pub(crate) struct Destination {
    slots: Arc<Semaphore>,
    open_slots: Arc<Semaphore>,
    breaker: Mutex<CircuitBreaker>,
}

impl Default for Destinations {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_DESTINATIONS).time_to_idle(IDLE_EXPIRY).build())
    }
}

impl Destinations {
    /// Returns the state of a destination, created on first use.
    pub fn get(&self, id: Uuid) -> Arc<Destination> {
        let new = || {
            Arc::new(Destination {
                slots: Arc::new(Semaphore::new(MAX_CONCURRENT)),
                open_slots: Arc::new(Semaphore::new(MAX_OPEN)),
                breaker: Mutex::default(),
            })
        };
        self.0.get_with(id, new)
    }

    /// Drops the state of a destination.
    pub fn forget(&self, id: Uuid) {
        self.0.invalidate(&id);
    }
}

impl Destination {
    /// Waits for a free slot.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.slots).acquire_owned().await.map_err(|_| Error::Busy)
    }

    /// Takes a slot for a response that is read as it arrives. Returns [`Error::Busy`] when none is free.
    pub fn acquire_open(&self) -> Result<OwnedSemaphorePermit, Error> {
        Arc::clone(&self.open_slots).try_acquire_owned().map_err(|_| Error::Busy)
    }

    /// Returns [`Error::CircuitOpen`] while the circuit is open.
    pub fn check_circuit(&self) -> Result<(), Error> {
        self.breaker().check(Instant::now()).map_err(Error::CircuitOpen)
    }

    /// Records the outcome of a call. Calls that were blocked or found no slot are ignored: the destination never saw
    /// them.
    pub fn record_outcome<T>(&self, outcome: &Result<T, Error>) {
        match outcome {
            Err(error) if error.is_failure() => self.breaker().failed(Instant::now()),
            Ok(_) | Err(Error::Status(_)) => self.breaker().succeeded(),
            Err(_) => {}
        }
    }

    fn breaker(&self) -> MutexGuard<'_, CircuitBreaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
