//! Policies made ready to run, kept by version: a change makes a new version, so nothing here is ever stale.

use std::sync::{Arc, LazyLock};

use guardengine_engine::policy::{Compiled, written};
use guardengine_store::Policy;
use moka::sync::Cache;
use uuid::Uuid;

/// Policies kept ready.
const KEPT: u64 = 1_000;

static BUILT_IN: LazyLock<Arc<Compiled>> = LazyLock::new(|| {
    Arc::new(
        Compiled::compile(&written::Policy::built_in())
            .expect("the built-in policy holds no settings that could fail"),
    )
});

/// The stored text is no policy that this version of the service understands.
#[derive(Debug, thiserror::Error)]
#[error("policy {policy} version {version}: {why}")]
pub struct Unreadable {
    policy: Uuid,
    version: i64,
    why: String,
}

/// Compiled policies by id and version.
#[derive(Clone)]
pub struct PolicyCache(Cache<(Uuid, i64), Arc<Compiled>>);

impl Default for PolicyCache {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl PolicyCache {
    /// The policy of requests that name no project.
    pub fn built_in() -> Arc<Compiled> {
        Arc::clone(&BUILT_IN)
    }

    /// `policy`, compiled once.
    pub fn compiled(&self, policy: &Policy) -> Result<Arc<Compiled>, Unreadable> {
        let key = (policy.id, policy.version);
        if let Some(compiled) = self.0.get(&key) {
            return Ok(compiled);
        }
        let compiled = Arc::new(compile(policy)?);
        self.0.insert(key, Arc::clone(&compiled));
        Ok(compiled)
    }
}

fn compile(policy: &Policy) -> Result<Compiled, Unreadable> {
    let unreadable = |why: String| Unreadable { policy: policy.id, version: policy.version, why };
    let written: written::Policy =
        serde_json::from_str(&policy.content).map_err(|fault| unreadable(fault.to_string()))?;
    Compiled::compile(&written).map_err(|fault| unreadable(fault.to_string()))
}
