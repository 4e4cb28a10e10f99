//! Under which policy a call stands, and what is tried beside it.

use std::sync::Arc;

use guardengine_engine::policy::{Compiled, written::Strategy};
use guardengine_store::{Policy, Project};
use uuid::Uuid;

use super::{Call, Guard, Policies, judge::LogContent};
use crate::{http::Error, membership};

/// Under which policy a call stands.
pub(super) struct Standing {
    pub project: Option<Project>,
    pub policy: Option<(Uuid, i64)>,
    pub compiled: Arc<Compiled>,
    pub shadow: Option<Arc<Compiled>>,
    pub log_content: LogContent,
}

impl Standing {
    /// Masking takes nothing but the kinds from the policy.
    pub fn for_operation(self, call: &Call) -> Result<Self, Error> {
        if !call.operation.only_masks() {
            return Ok(self);
        }
        let strategy = call.asked.strategy.unwrap_or(Strategy::Full);
        let masking = self.compiled.masking_alone(strategy).map_err(Error::internal)?;
        Ok(Self { compiled: Arc::new(masking), shadow: None, ..self })
    }
}

impl Guard {
    /// The project's policy: 404 before 403, the built-in policy where no project is named.
    pub(super) async fn standing(&self, call: &Call) -> Result<Standing, Error> {
        let Some(id) = call.project_id else {
            return Ok(Standing {
                project: None,
                policy: None,
                compiled: Policies::built_in(),
                shadow: None,
                log_content: LogContent::Masked,
            });
        };
        let caller = &call.caller;
        let project = membership::project(&self.db, caller, id).await?;
        let (policy, shadow) =
            tokio::join!(self.db.policy(caller.org_id, project.policy_id), self.shadow(&project));
        let policy = policy?.ok_or_else(|| Error::not_found("policy"))?;
        Ok(Standing {
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
