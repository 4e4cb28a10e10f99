//! Cache of compiled policies by version. Every change makes a new version, so entries never become stale.

use std::sync::{Arc, LazyLock};

use guardengine_classifiers::{Classifier, Unavailable, fit_topics};
use guardengine_engine::policy::{CompiledPolicy, document};
use guardengine_store::Policy;
use moka::sync::Cache;
use uuid::Uuid;

/// Bytes of the compiled policies that the cache holds.
const MAX_BYTES: u64 = 256 << 20;
/// Most that one policy counts, so that a large policy from before the limit on its size is kept, too.
const MAX_WEIGHT: u64 = MAX_BYTES / 4;

static BUILT_IN: LazyLock<Arc<CompiledPolicy>> = LazyLock::new(|| {
    Arc::new(
        CompiledPolicy::compile(&document::Policy::built_in())
            .expect("the built-in policy has no settings that could fail"),
    )
});

/// Reason why a stored policy cannot run.
#[derive(Debug, thiserror::Error)]
pub enum NotCompiled {
    /// This version of the service cannot read it.
    #[error("policy {policy} version {version}: {reason}")]
    Unreadable {
        /// Identifier of the policy.
        policy: Uuid,
        /// Version of the policy.
        version: i64,
        /// Description of what could not be read.
        reason: String,
    },
    /// Its topics cannot be fitted.
    #[error(transparent)]
    Unfitted(#[from] Unavailable),
}

/// Compiled policies by id and version.
#[derive(Clone)]
pub struct PolicyCache(Cache<(Uuid, i64), Arc<CompiledPolicy>>);

impl Default for PolicyCache {
    fn default() -> Self {
        let weight = |_: &(Uuid, i64), policy: &Arc<CompiledPolicy>| weight(policy.memory_usage());
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weight).build())
    }
}

impl PolicyCache {
    /// Returns the policy for requests without a project.
    pub fn built_in() -> Arc<CompiledPolicy> {
        Arc::clone(&BUILT_IN)
    }

    /// Returns the number of compiled policies.
    pub fn count(&self) -> u64 {
        // Insertions are counted in batches.
        self.0.run_pending_tasks();
        self.0.entry_count()
    }

    /// Returns `policy` compiled, if it is in the cache.
    pub fn cached(&self, policy: &Policy) -> Option<Arc<CompiledPolicy>> {
        self.0.get(&(policy.id, policy.version))
    }

    /// Returns `policy` compiled, its topics fitted with the vectors of `classifier`. Callers that need the same version
    /// wait for one of them. This takes long, so it must not run on a thread that serves connections.
    pub fn compiled(
        &self,
        policy: &Policy,
        classifier: &dyn Classifier,
    ) -> Result<Arc<CompiledPolicy>, Arc<NotCompiled>> {
        self.0.try_get_with((policy.id, policy.version), || compile(policy, classifier).map(Arc::new))
    }
}

/// Returns the weight of a policy of this size in the cache.
fn weight(bytes: usize) -> u32 {
    (bytes as u64).clamp(1, MAX_WEIGHT) as u32
}

fn compile(policy: &Policy, classifier: &dyn Classifier) -> Result<CompiledPolicy, NotCompiled> {
    let unreadable =
        |reason: String| NotCompiled::Unreadable { policy: policy.id, version: policy.version, reason };
    let written: document::Policy =
        serde_json::from_str(&policy.content).map_err(|error| unreadable(error.to_string()))?;
    let mut compiled = CompiledPolicy::compile(&written).map_err(|error| unreadable(error.to_string()))?;
    fit_topics(&mut compiled, classifier)?;
    Ok(compiled)
}

#[cfg(test)]
mod tests {
    use guardengine_classifiers::{Linear, embedded};
    use guardengine_store::Timestamp;
    use serde_json::json;

    use super::*;

    fn stored(number: u128, keywords: usize) -> Policy {
        let words: Vec<String> =
            (0..keywords).map(|word| format!("a long keyword with number {word}")).collect();
        written(number, &json!({ "policyName": "a", "blocked_keywords": words }))
    }

    fn written(number: u128, content: &serde_json::Value) -> Policy {
        let content = serde_json::to_string(&document::Policy::parse(content).unwrap()).unwrap();
        let now = Timestamp::default();
        Policy {
            id: Uuid::from_u128(number),
            org_id: Uuid::nil(),
            name: "a".to_owned(),
            version: 1,
            content,
            created_at: now,
            updated_at: now,
        }
    }

    #[test]
    fn a_version_is_compiled_once() {
        let cache = PolicyCache::default();
        let policy = stored(1, 1);
        assert!(cache.cached(&policy).is_none());
        let first = cache.compiled(&policy, embedded()).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.compiled(&policy, embedded()).unwrap()));
        assert!(Arc::ptr_eq(&first, &cache.cached(&policy).unwrap()));
    }

    #[test]
    fn the_cache_counts_bytes_and_not_policies() {
        let cache = PolicyCache::default();
        let sizes = [1_usize, 5_000].map(|keywords| {
            let compiled = cache.compiled(&stored(keywords as u128, keywords), embedded()).unwrap();
            compiled.memory_usage() as u64
        });
        cache.0.run_pending_tasks();
        assert_eq!(cache.0.weighted_size(), sizes.iter().sum::<u64>());
        assert!(sizes[1] > sizes[0] + 100_000, "{sizes:?}");
        assert_eq!(u64::from(weight(usize::MAX)), MAX_WEIGHT);
    }

    #[test]
    fn topics_are_fitted_by_a_classifier_that_gives_vectors_and_tried_again_where_it_does_not() {
        let topic =
            json!({ "name": "holidays", "examples": ["plan a trip", "book a beach hotel", "cheap flights"] });
        let item = json!({ "guardrail": "custom_topics", "topics": [topic] });
        let policy = written(1, &json!({ "policyName": "a", "guardrails": [item] }));
        let cache = PolicyCache::default();
        let error = cache.compiled(&policy, Linear::embedded()).err().unwrap();
        assert!(matches!(*error, NotCompiled::Unfitted(_)), "{error}");
        assert!(cache.cached(&policy).is_none());
        let compiled = cache.compiled(&policy, embedded()).unwrap();
        assert!(compiled.is_fitted() && compiled.needs_vectors());
    }
}
