//! Cache of compiled policies by version. Every change makes a new version, so entries never become stale.

use std::sync::{Arc, LazyLock};

use guardengine_engine::policy::{CompiledPolicy, document};
use guardengine_store::Policy;
use moka::sync::Cache;
use uuid::Uuid;

/// Number of policies that the cache holds.
const MAX_POLICIES: u64 = 1_000;

static BUILT_IN: LazyLock<Arc<CompiledPolicy>> = LazyLock::new(|| {
    Arc::new(
        CompiledPolicy::compile(&document::Policy::built_in())
            .expect("the built-in policy has no settings that could fail"),
    )
});

/// This version of the service cannot read the stored policy.
#[derive(Debug, thiserror::Error)]
#[error("policy {policy} version {version}: {reason}")]
pub struct Unreadable {
    policy: Uuid,
    version: i64,
    reason: String,
}

/// Compiled policies by id and version.
#[derive(Clone)]
pub struct PolicyCache(Cache<(Uuid, i64), Arc<CompiledPolicy>>);

impl Default for PolicyCache {
    fn default() -> Self {
        Self(Cache::new(MAX_POLICIES))
    }
}

impl PolicyCache {
    /// Returns the policy for requests without a project.
    pub fn built_in() -> Arc<CompiledPolicy> {
        Arc::clone(&BUILT_IN)
    }

    /// Returns `policy` compiled; each version is compiled once.
    pub fn compiled(&self, policy: &Policy) -> Result<Arc<CompiledPolicy>, Unreadable> {
        let key = (policy.id, policy.version);
        if let Some(compiled) = self.0.get(&key) {
            return Ok(compiled);
        }
        let compiled = Arc::new(compile(policy)?);
        self.0.insert(key, Arc::clone(&compiled));
        Ok(compiled)
    }
}

fn compile(policy: &Policy) -> Result<CompiledPolicy, Unreadable> {
    let unreadable = |reason: String| Unreadable { policy: policy.id, version: policy.version, reason };
    let written: document::Policy =
        serde_json::from_str(&policy.content).map_err(|error| unreadable(error.to_string()))?;
    CompiledPolicy::compile(&written).map_err(|error| unreadable(error.to_string()))
}
