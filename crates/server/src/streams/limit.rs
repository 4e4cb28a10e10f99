//! How many streams of a kind are open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

/// Streams of one organisation at a time.
const MOST: usize = 16;

/// The open streams of each organisation.
#[derive(Clone, Default)]
pub struct StreamLimit(Arc<Mutex<HashMap<Uuid, usize>>>);

/// A place among them, given back when dropped.
pub struct StreamPermit {
    streams: StreamLimit,
    org: Uuid,
}

impl StreamLimit {
    fn open(&self) -> MutexGuard<'_, HashMap<Uuid, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place, unless the organisation has too many.
    pub fn take(&self, org: Uuid) -> Option<StreamPermit> {
        let mut open = self.open();
        let count = open.entry(org).or_default();
        if *count == MOST {
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
    fn an_organisation_has_so_many_places_and_no_more() {
        let streams = StreamLimit::default();
        let mut taken: Vec<_> = (0..MOST).map_while(|_| streams.take(Uuid::nil())).collect();
        assert_eq!(taken.len(), MOST);
        assert!(streams.take(Uuid::nil()).is_none() && streams.take(Uuid::max()).is_some());
        taken.pop();
        assert!(streams.take(Uuid::nil()).is_some());
        taken.clear();
        assert!(streams.open().is_empty());
    }
}
