//! Rate limit windows in the memory of this process.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use guardengine_store::Timestamp;

use super::{Key, WindowCount};

// Number of windows from which expired ones are dropped.
const CLEANUP_SIZE: usize = 10_000;

struct Window {
    ends: Timestamp,
    requests: u64,
}

/// Rate limit windows of this process.
#[derive(Default)]
pub struct Local(Mutex<HashMap<Key, Window>>);

impl Local {
    /// Counts a request in a window of length `span`.
    pub(super) fn count(&self, key: Key, span: Duration, now: Timestamp) -> WindowCount {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= CLEANUP_SIZE {
            windows.retain(|_, window| window.ends > now);
        }
        let window = windows.entry(key).or_insert(Window { ends: now + span, requests: 0 });
        // A window that ends too late started before the limit was shortened.
        if window.ends <= now || window.ends > now + span {
            *window = Window { ends: now + span, requests: 0 };
        }
        window.requests = window.requests.saturating_add(1);
        WindowCount { requests: window.requests, ends: window.ends, now }
    }

    /// Drops all windows.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
