//! What requests leave behind without waiting for the store: when a session was last active, how often a key was used.
//! Written every few seconds, and whole at a clean stop.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guardengine_store::{ApiKeyUse, Db, Timestamp};
use uuid::Uuid;

#[derive(Default)]
struct Seen {
    sessions: HashMap<Uuid, Timestamp>,
    keys: HashMap<Uuid, (i64, Timestamp)>,
}

/// Activity since it was written last.
#[derive(Clone, Default)]
pub struct UsageRecorder(Arc<Mutex<Seen>>);

impl UsageRecorder {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request of a session.
    pub fn session(&self, id: Uuid, now: Timestamp) {
        self.seen().sessions.insert(id, now);
    }

    /// When a session was last active, if that is not written yet.
    pub fn last_of_session(&self, id: Uuid) -> Option<Timestamp> {
        self.seen().sessions.get(&id).copied()
    }

    /// Notes a request with an API key.
    pub fn key(&self, id: Uuid, now: Timestamp) {
        let mut seen = self.seen();
        let entry = seen.keys.entry(id).or_insert((0, now));
        *entry = (entry.0 + 1, now);
    }

    /// Writes what was seen; what could not be written is kept for the next time.
    pub async fn write(&self, db: &Db) -> guardengine_store::Result<()> {
        self.write_sessions(db).await.and(self.write_keys(db).await)
    }

    // A session's last request stays noted until it is written: a request in between must not find it idle.
    async fn write_sessions(&self, db: &Db) -> guardengine_store::Result<()> {
        let touched: Vec<_> = self.seen().sessions.iter().map(|(id, at)| (*id, *at)).collect();
        if touched.is_empty() {
            return Ok(());
        }
        db.touch_sessions(&touched).await?;
        let mut seen = self.seen();
        for (id, written) in touched {
            if seen.sessions.get(&id) == Some(&written) {
                seen.sessions.remove(&id);
            }
        }
        Ok(())
    }

    async fn write_keys(&self, db: &Db) -> guardengine_store::Result<()> {
        let keys = std::mem::take(&mut self.seen().keys);
        if keys.is_empty() {
            return Ok(());
        }
        let of = |(key_id, (count, last_used_at))| ApiKeyUse { key_id, count, last_used_at };
        let used: Vec<_> = keys.into_iter().map(of).collect();
        let written = db.add_api_key_uses(&used).await;
        if written.is_err() {
            self.put_back(&used);
        }
        written
    }

    fn put_back(&self, used: &[ApiKeyUse]) {
        let mut seen = self.seen();
        for one in used {
            let entry = seen.keys.entry(one.key_id).or_insert((0, one.last_used_at));
            *entry = (entry.0 + one.count, entry.1.max(one.last_used_at));
        }
    }
}
