//! Usage of sessions and API keys: last activity and request counts, collected in memory so that requests need not wait.
//! Written to the store every few seconds and at shutdown.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guardengine_store::{ApiKeyUse, Db, Timestamp};
use uuid::Uuid;

#[derive(Default)]
struct Unwritten {
    sessions: HashMap<Uuid, Timestamp>,
    keys: HashMap<Uuid, (i64, Timestamp)>,
}

/// Collects usage since the last write.
#[derive(Clone, Default)]
pub struct UsageRecorder(Arc<Mutex<Unwritten>>);

impl UsageRecorder {
    fn unwritten(&self) -> MutexGuard<'_, Unwritten> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request of a session.
    pub fn session(&self, id: Uuid, now: Timestamp) {
        self.unwritten().sessions.insert(id, now);
    }

    /// Returns the last activity of a session, if it is not written yet.
    pub fn last_of_session(&self, id: Uuid) -> Option<Timestamp> {
        self.unwritten().sessions.get(&id).copied()
    }

    /// Records a request with an API key.
    pub fn key(&self, id: Uuid, now: Timestamp) {
        let mut unwritten = self.unwritten();
        let entry = unwritten.keys.entry(id).or_insert((0, now));
        *entry = (entry.0 + 1, now);
    }

    /// Writes the collected usage. Keeps it for the next write on errors.
    pub async fn write(&self, db: &Db) -> guardengine_store::Result<()> {
        self.write_sessions(db).await.and(self.write_keys(db).await)
    }

    // A session's last activity stays in memory until it is written: a request meanwhile must not find it idle.
    async fn write_sessions(&self, db: &Db) -> guardengine_store::Result<()> {
        let active: Vec<_> = self.unwritten().sessions.iter().map(|(id, at)| (*id, *at)).collect();
        if active.is_empty() {
            return Ok(());
        }
        db.touch_sessions(&active).await?;
        let mut unwritten = self.unwritten();
        for (id, written) in active {
            if unwritten.sessions.get(&id) == Some(&written) {
                unwritten.sessions.remove(&id);
            }
        }
        Ok(())
    }

    async fn write_keys(&self, db: &Db) -> guardengine_store::Result<()> {
        let keys = std::mem::take(&mut self.unwritten().keys);
        if keys.is_empty() {
            return Ok(());
        }
        let usage = |(key_id, (count, last_used_at))| ApiKeyUse { key_id, count, last_used_at };
        let uses: Vec<_> = keys.into_iter().map(usage).collect();
        let written = db.add_api_key_uses(&uses).await;
        if written.is_err() {
            self.put_back(&uses);
        }
        written
    }

    fn put_back(&self, uses: &[ApiKeyUse]) {
        let mut unwritten = self.unwritten();
        for one in uses {
            let entry = unwritten.keys.entry(one.key_id).or_insert((0, one.last_used_at));
            *entry = (entry.0 + one.count, entry.1.max(one.last_used_at));
        }
    }
}
