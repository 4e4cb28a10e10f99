//! Limit of open streams for each organization.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

/// Maximum number of open streams for one organization.
const MAX_STREAMS: usize = 16;

/// Counts the open streams of each organization.
#[derive(Clone, Default)]
pub struct StreamLimit(Arc<Mutex<HashMap<Uuid, usize>>>);

/// Permit for an open stream, released on drop.
pub struct StreamPermit {
    streams: StreamLimit,
    org: Uuid,
}

impl StreamLimit {
    fn open(&self) -> MutexGuard<'_, HashMap<Uuid, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a permit; `None` if the organization has reached the limit.
    pub fn take(&self, org: Uuid) -> Option<StreamPermit> {
        let mut open = self.open();
        let count = open.entry(org).or_default();
        if *count == MAX_STREAMS {
            return None;
        }
        *count += 1;
        Some(StreamPermit { streams: self.clone(), org })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        if let Some(count) = open.get_mut(&self.org) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.org);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_open_streams_of_an_organization() {
        let streams = StreamLimit::default();
        let mut taken: Vec<_> = (0..MAX_STREAMS).map_while(|_| streams.take(Uuid::nil())).collect();
        assert_eq!(taken.len(), MAX_STREAMS);
        assert!(streams.take(Uuid::nil()).is_none() && streams.take(Uuid::max()).is_some());
        taken.pop();
        assert!(streams.take(Uuid::nil()).is_some());
        taken.clear();
        assert!(streams.open().is_empty());
    }
}
