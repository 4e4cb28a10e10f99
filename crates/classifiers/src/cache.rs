//! What a slow model said of stretches of text, so that the turns of a conversation and the documents that come again
//! are read once.

use std::hash::{BuildHasher as _, Hash, RandomState};

use moka::sync::Cache;

/// Stretches that are remembered unless another number is given.
const CAPACITY: u64 = 20_000;

/// What was said of each stretch, by a keyed hash of it: the text itself is not kept, and nobody can choose two
/// that are taken for one.
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
    /// Creates a cache of so many stretches.
    pub fn new(capacity: u64) -> Self {
        Self { known: Cache::new(capacity), keys: [RandomState::new(), RandomState::new()] }
    }

    /// What was said of `stretch`, if it is remembered.
    pub fn recall(&self, stretch: &impl Hash) -> Option<T> {
        self.known.get(&self.key(stretch))
    }

    /// Remembers what was said of `stretch`.
    pub fn keep(&self, stretch: &impl Hash, said: T) {
        self.known.insert(self.key(stretch), said);
    }

    fn key(&self, stretch: &impl Hash) -> u128 {
        let [high, low] = self.keys.each_ref().map(|key| u128::from(key.hash_one(stretch)));
        high << 64 | low
    }
}
