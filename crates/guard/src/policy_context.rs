//! The policy, project and shadow policy that apply to a call.

use std::sync::Arc;

use guardengine_auth::project_access;
use guardengine_classifiers::fit_topics;
use guardengine_engine::{fields::FieldError, pii::mask::Strategy, policy::CompiledPolicy};
use guardengine_media::ImageChecks;
use guardengine_store::{Policy, Project, StoreError as _};
use uuid::Uuid;

use crate::{
    Error, Guard, GuardRequest, Operation, PolicyCache, attachments::FACE, evaluate::LogContent,
    outcome_counter, pipeline::unavailable, policy_cache::NotCompiled,
};

/// The policy, project and shadow policy that apply to a call.
#[derive(Clone)]
pub struct PolicyContext {
    /// The project; `None` for calls without one.
    pub project: Option<Project>,
    /// Policy id and version; `None` for the built-in policy.
    pub policy: Option<(Uuid, i64)>,
    /// The compiled policy.
    pub compiled: Arc<CompiledPolicy>,
    /// The compiled shadow policy.
    pub shadow: Option<Arc<CompiledPolicy>>,
    /// Amount of the text that the log keeps.
    pub log_content: LogContent,
}

impl PolicyContext {
    /// Returns the context adapted to the operation: masking uses only the PII types of the policy.
    pub fn for_operation(self, call: &GuardRequest) -> Result<Self, Error> {
        if !call.operation.only_masks() {
            return Ok(self);
        }
        let strategy = call.asked.strategy.unwrap_or(Strategy::Full);
        let masking = self.compiled.masking_only(strategy).map_err(Error::internal)?;
        Ok(Self { compiled: Arc::new(masking), shadow: None, ..self })
    }

    /// Returns whether the policy or its shadow is about the built-in PII type of this name.
    fn selects_pii(&self, name: &str) -> bool {
        let shadow = self.shadow.as_ref().is_some_and(|shadow| shadow.selects_pii(name));
        self.compiled.selects_pii(name) || shadow
    }

    /// Returns what the policy or its shadow looks for in images besides text.
    pub fn image_checks(&self) -> ImageChecks {
        let shadow = self.shadow.as_ref().is_some_and(|shadow| shadow.looks_at_images());
        ImageChecks { faces: self.selects_pii(FACE), nsfw: self.compiled.looks_at_images() || shadow }
    }

    /// Returns true if the project's calls are spooled while the store is unavailable.
    pub fn spools(&self) -> bool {
        self.project.as_ref().is_some_and(|project| project.on_store_failure == "spool")
    }
}

impl Guard {
    /// Loads the context from the store. Falls back to the cached context while the store is unavailable, if the project
    /// spools.
    pub(crate) async fn load_context(&self, call: &GuardRequest) -> Result<PolicyContext, Error> {
        let (Some(cache), Some(project)) = (&self.contexts, call.project_id) else {
            return self.health.run(self.read_context(call)).await;
        };
        let epoch = cache.epoch();
        match self.health.run(self.read_context(call)).await {
            Ok(context) => {
                if context.spools() {
                    cache.insert(&call.caller, project, &context, epoch);
                }
                Ok(context)
            }
            Err(error) if error.is_store_unavailable() && Operation::is_spoolable(call.operation.name()) => {
                outcome_counter::set_project(project);
                // A cached context serves every key of its user.
                project_access::check_scope(&call.caller, project)?;
                cache.get(&call.caller, project).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the context from the store. Returns an error for an unknown project and for one of others; without a
    /// project the built-in policy applies.
    async fn read_context(&self, call: &GuardRequest) -> Result<PolicyContext, Error> {
        let Some(id) = call.project_id else {
            return Ok(PolicyContext {
                project: None,
                policy: None,
                compiled: PolicyCache::built_in(),
                shadow: None,
                log_content: LogContent::Masked,
            });
        };
        let caller = &call.caller;
        let project = project_access::project(&self.db, caller, id).await;
        // Refused requests count for the project, if it is one of the organization's.
        if matches!(project, Ok(_) | Err(guardengine_auth::Error::NotAMember)) {
            outcome_counter::set_project(id);
        }
        let project = project?;
        let (policy, shadow) =
            tokio::join!(self.db.policy(caller.org_id, project.policy_id), self.shadow(&project));
        let policy = policy?.ok_or(Error::NotFound("policy"))?;
        Ok(PolicyContext {
            policy: Some((policy.id, policy.version)),
            compiled: self.compiled(&policy).await?,
            shadow,
            log_content: LogContent::named(&project.log_content),
            project: Some(project),
        })
    }

    /// Loads the shadow policy. An error is logged and must not affect the live decision.
    async fn shadow(&self, project: &Project) -> Option<Arc<CompiledPolicy>> {
        let id = project.shadow_policy_id?;
        let shadow = match self.db.policy(project.org_id, id).await {
            Ok(policy) => self.compiled(&policy?).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        shadow
            .inspect_err(
                |error| tracing::warn!(project = %project.id, error, "could not load the shadow policy"),
            )
            .ok()
    }

    /// Returns a stored policy compiled. A version that is not in the cache is compiled on another thread.
    pub async fn compiled(&self, policy: &Policy) -> Result<Arc<CompiledPolicy>, Error> {
        if let Some(compiled) = self.policies.cached(policy) {
            return Ok(compiled);
        }
        let (policies, policy) = (self.policies.clone(), policy.clone());
        let classifier = Arc::clone(&self.classifier);
        let compile = move || policies.compiled(&policy, &*classifier);
        let compiled = tokio::task::spawn_blocking(compile).await.map_err(Error::internal)?;
        compiled.map_err(|error| match &*error {
            NotCompiled::Unfitted(error) => unavailable(error),
            NotCompiled::Unreadable { .. } => Error::internal(error),
        })
    }

    /// Compiles a draft of an organization with `compile` and fits its topics, like [`Self::compile_draft`].
    pub async fn compile_policy(
        &self,
        org: Uuid,
        compile: impl FnOnce() -> Result<CompiledPolicy, FieldError> + Send + 'static,
    ) -> Result<Result<Arc<CompiledPolicy>, FieldError>, Error> {
        let classifier = Arc::clone(&self.classifier);
        let work = move || match compile() {
            Ok(mut policy) => {
                fit_topics(&mut policy, &*classifier).map_err(|error| unavailable(&error))?;
                Ok(Ok(Arc::new(policy)))
            }
            Err(error) => Ok(Err(error)),
        };
        self.compile_draft(org, work).await?
    }

    /// Runs `work` that compiles a draft of an organization on another thread. Returns an error when too many are
    /// compiled already.
    pub async fn compile_draft<T: Send + 'static>(
        &self,
        org: Uuid,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.drafts.run(org, 0, work).await
    }
}
