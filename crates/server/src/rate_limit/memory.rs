//! Windows of one process.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use guardengine_store::Timestamp;

use super::{Figures, Key};

// Windows that are over are dropped when so many are kept.
const MANY: usize = 10_000;

struct Window {
    ends: Timestamp,
    requests: u64,
}

/// The windows of one process.
#[derive(Default)]
pub struct Local(Mutex<HashMap<Key, Window>>);

impl Local {
    /// Counts a request.
    pub(super) fn count(&self, key: Key, span: Duration, now: Timestamp) -> Figures {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MANY {
            windows.retain(|_, window| window.ends > now);
        }
        let window = windows.entry(key).or_insert(Window { ends: now + span, requests: 0 });
        // A window that ends too late is from before the limit was changed.
        if window.ends <= now || window.ends > now + span {
            *window = Window { ends: now + span, requests: 0 };
        }
        window.requests = window.requests.saturating_add(1);
        Figures { requests: window.requests, ends: window.ends, now }
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
