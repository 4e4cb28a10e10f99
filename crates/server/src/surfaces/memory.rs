//! Calls that clients repeat. A retry, or a second hook with the same texts, is answered from memory: evaluated and
//! charged once. A stream whose text grows call by call is charged once for each unit, and what was sent of it stays as
//! it was.

use std::{
    hash::{BuildHasher as _, Hash, RandomState},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use guardengine_auth::{Credential, Principal};
use moka::sync::Cache;
use serde_json::Value;
use tokio::sync::{Mutex, OwnedMutexGuard};
use uuid::Uuid;

use super::sent_text::SentText;

/// Bytes of all remembered calls. What is forgotten is evaluated and charged again.
const CAPACITY: u64 = 32 << 20;
/// Time after its last use for which a call is remembered.
const LIFETIME: Duration = Duration::from_mins(2);
/// Largest part of a call that is remembered, in bytes.
const MAX_BYTES: usize = 256 << 10;
/// Bytes of a remembered call besides its texts.
const OVERHEAD: u32 = 512;

/// Identity of a call. Callers never share calls: their rights differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    org: Uuid,
    credential: Uuid,
    project: Option<Uuid>,
    call: String,
}

/// A remembered call.
#[derive(Debug, Default)]
pub struct CallState {
    /// Digest of the texts that were evaluated last, and the answer.
    pub answered: Option<(u128, Value)>,
    /// Units of text that were paid for.
    pub units_paid: i64,
    /// The part of each text of a stream that was sent.
    pub sent: Vec<SentText>,
}

impl CallState {
    /// Returns the answer if the same texts were evaluated last.
    pub fn answer(&self, digest: u128) -> Option<Value> {
        self.answered.as_ref().filter(|(known, _)| *known == digest).map(|(_, answer)| answer.clone())
    }

    fn bytes(&self) -> usize {
        let answer = self.answered.as_ref().map_or(0, |(_, answer)| answer.to_string().len());
        answer + self.sent.iter().map(SentText::bytes).sum::<usize>()
    }
}

/// A call in memory, with its size in bytes.
#[derive(Clone, Debug)]
struct Entry {
    state: Arc<Mutex<CallState>>,
    bytes: Arc<AtomicU32>,
}

/// The calls of the last minutes.
#[derive(Clone, Debug)]
pub struct CallMemory(Cache<Key, Entry>);

impl Default for CallMemory {
    fn default() -> Self {
        let calls = Cache::builder()
            .weigher(|_, entry: &Entry| entry.bytes.load(Ordering::Relaxed))
            .max_capacity(CAPACITY)
            .time_to_idle(LIFETIME);
        Self(calls.build())
    }
}

/// A call that is being answered. Whoever repeats it waits until this is dropped.
pub struct RememberedCall {
    memory: CallMemory,
    key: Key,
    bytes: Arc<AtomicU32>,
    /// Its state.
    pub state: OwnedMutexGuard<CallState>,
}

impl CallMemory {
    /// Returns the call with the identifier that the client gave it. Waits while another request answers it.
    pub async fn call(&self, caller: &Principal, project: Option<Uuid>, call: String) -> RememberedCall {
        let (Credential::ApiKey(credential) | Credential::Session(credential)) = caller.credential;
        let key = Key { org: caller.org_id, credential, project, call };
        let fresh = || Entry { state: Arc::default(), bytes: Arc::new(AtomicU32::new(OVERHEAD)) };
        let Entry { state, bytes } = self.0.get_with(key.clone(), fresh);
        RememberedCall { memory: self.clone(), key, bytes, state: state.lock_owned().await }
    }
}

impl RememberedCall {
    /// Keeps what is known of the call now, unless it is too large.
    pub fn keep(self) {
        let Self { memory, key, bytes, state } = self;
        let size = state.bytes();
        if size > MAX_BYTES {
            memory.0.invalidate(&key);
            return;
        }
        bytes.store(OVERHEAD.saturating_add(size as u32), Ordering::Relaxed);
        let state = Arc::clone(OwnedMutexGuard::mutex(&state));
        // Weighs it anew.
        memory.0.insert(key, Entry { state, bytes });
    }
}

/// Returns a keyed digest, of which nobody can construct a collision.
pub fn digest(value: &(impl Hash + ?Sized)) -> u128 {
    static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);
    let [high, low] = KEYS.each_ref().map(|key| u128::from(key.hash_one(value)));
    high << 64 | low
}
