//! Cache for the results of a slow model, so that turns of a conversation and recurring documents are scored once.

use std::hash::{BuildHasher as _, Hash, RandomState};

use moka::sync::Cache;

/// Maximum number of cached results unless another is given.
const CAPACITY: u64 = 20_000;

/// Results by a keyed hash of the text. The text itself is not stored, and nobody can construct a collision.
#[derive(Debug)]
pub struct ScoreCache<T: Clone + Send + Sync + 'static> {
    known: Cache<u128, T>,
    keys: [RandomState; 2],
}

impl<T: Clone + Send + Sync + 'static> Default for ScoreCache<T> {
    fn default() -> Self {
        Self::new(CAPACITY)
    }
}

impl<T: Clone + Send + Sync + 'static> ScoreCache<T> {
    /// Creates a cache of at most `capacity` results.
    pub fn new(capacity: u64) -> Self {
        Self { known: Cache::new(capacity), keys: [RandomState::new(), RandomState::new()] }
    }

    /// Returns the cached result for `window`.
    pub fn get(&self, window: &impl Hash) -> Option<T> {
        self.known.get(&self.key(window))
    }

    /// Stores the result for `window`.
    pub fn insert(&self, window: &impl Hash, result: T) {
        self.known.insert(self.key(window), result);
    }

    /// Returns the number of cached results.
    pub fn len(&self) -> u64 {
        // Insertions are counted in batches.
        self.known.run_pending_tasks();
        self.known.entry_count()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn key(&self, window: &impl Hash) -> u128 {
        let [high, low] = self.keys.each_ref().map(|key| u128::from(key.hash_one(window)));
        high << 64 | low
    }
}
