//! Under which policy a call stands, and what is tried beside it.

use std::sync::Arc;

use guardengine_engine::policy::{Compiled, written::Strategy};
use guardengine_store::{Policy, Project};
use uuid::Uuid;

use super::{Guard, GuardRequest, Operation, PolicyCache, evaluate::LogContent};
use crate::{http::Error, outcome_counter, project_access};

/// Under which policy a call stands.
#[derive(Clone)]
pub struct PolicyContext {
    /// For which project.
    pub project: Option<Project>,
    /// The policy and its version; `None` for the built-in one.
    pub policy: Option<(Uuid, i64)>,
    /// That policy.
    pub compiled: Arc<Compiled>,
    /// What is tried beside it.
    pub shadow: Option<Arc<Compiled>>,
    /// What is kept of the text.
    pub log_content: LogContent,
}

impl PolicyContext {
    /// Masking takes nothing but the kinds from the policy.
    pub fn for_operation(self, call: &GuardRequest) -> Result<Self, Error> {
        if !call.operation.only_masks() {
            return Ok(self);
        }
        let strategy = call.asked.strategy.unwrap_or(Strategy::Full);
        let masking = self.compiled.masking_alone(strategy).map_err(Error::internal)?;
        Ok(Self { compiled: Arc::new(masking), shadow: None, ..self })
    }

    /// Whether calls go on without the store.
    pub fn spools(&self) -> bool {
        self.project.as_ref().is_some_and(|project| project.on_store_failure == "spool")
    }
}

impl Guard {
    /// The project's policy, as the store tells it, or told it last where it does not answer and the project wants it so.
    pub(super) async fn load_context(&self, call: &GuardRequest) -> Result<PolicyContext, Error> {
        let (Some(known), Some(project)) = (&self.degraded.known, call.project_id) else {
            return self.degraded.watch.run(self.read_standing(call)).await;
        };
        let read = known.read();
        match self.degraded.watch.run(self.read_standing(call)).await {
            Ok(standing) => {
                if standing.spools() {
                    known.keep_standing(&call.caller, project, &standing, read);
                }
                Ok(standing)
            }
            Err(gone) if gone.is_store_unavailable() && Operation::is_spoolable(call.operation.name()) => {
                outcome_counter::set_project(project);
                known.standing(&call.caller, project).ok_or(gone)
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// The project's policy: 404 before 403, the built-in policy where no project is named.
    async fn read_standing(&self, call: &GuardRequest) -> Result<PolicyContext, Error> {
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
        let project = project_access::project(&self.db, caller, id).await?;
        let (policy, shadow) =
            tokio::join!(self.db.policy(caller.org_id, project.policy_id), self.shadow(&project));
        let policy = policy?.ok_or_else(|| Error::not_found("policy"))?;
        Ok(PolicyContext {
            policy: Some((policy.id, policy.version)),
            compiled: self.compiled(&policy)?,
            shadow,
            log_content: LogContent::named(&project.log_content),
            project: Some(project),
        })
    }

    /// The policy that is tried beside the live one. Whatever is wrong with it must not touch the live decision.
    async fn shadow(&self, project: &Project) -> Option<Arc<Compiled>> {
        let id = project.shadow_policy_id?;
        let shadow = match self.db.policy(project.org_id, id).await {
            Ok(policy) => self.policies.compiled(&policy?).map_err(|fault| fault.to_string()),
            Err(fault) => Err(fault.to_string()),
        };
        shadow.inspect_err(|fault| tracing::warn!(project = %project.id, fault, "no shadow decision")).ok()
    }

    /// A stored policy, ready to run.
    pub fn compiled(&self, policy: &Policy) -> Result<Arc<Compiled>, Error> {
        self.policies.compiled(policy).map_err(Error::internal)
    }
}
