//! The clock, which tests can set.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use crate::Timestamp;

/// Largest difference between the clocks of replicas. A lease that ends later than any of them could have set it was taken
/// before the clock went back, and is void.
pub(crate) const MAX_CLOCK_SKEW: Duration = Duration::from_mins(5);

/// A source of wall-clock time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system clock.
    #[default]
    System,
    /// A clock set by a test, in microseconds since the Unix epoch.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// Returns a clock that stays at the current system time until it is advanced.
    pub fn manual() -> Self {
        Self::Set(Arc::new(AtomicI64::new(Self::System.now().micros())))
    }

    /// Returns the current time.
    #[expect(clippy::disallowed_methods, reason = "this is the only place that reads the system clock")]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::from(SystemTime::now()),
            Self::Set(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
        }
    }

    /// Sets a clock set by a test back. Does nothing to the system clock.
    pub fn set_back(&self, span: Duration) {
        if let Self::Set(micros) = self {
            micros.fetch_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Advances a clock set by a test. Does nothing to the system clock.
    pub fn advance(&self, span: Duration) {
        if let Self::Set(micros) = self {
            micros.fetch_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}
