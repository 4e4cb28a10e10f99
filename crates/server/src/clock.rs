//! The time, which tests can set.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use guardengine_store::Timestamp;

/// Where the time comes from.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine.
    #[default]
    System,
    /// A test: microseconds since the Unix epoch.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at the machine's time until it is moved.
    pub fn standing() -> Self {
        Self::Set(Arc::new(AtomicI64::new(Self::System.now().micros())))
    }

    /// Now.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the machine")]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::from(SystemTime::now()),
            Self::Set(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
        }
    }

    /// Moves a standing clock on; the machine's goes by itself.
    pub fn advance(&self, span: Duration) {
        if let Self::Set(micros) = self {
            micros.fetch_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}
