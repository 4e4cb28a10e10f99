//! Event filters of queries, limited to what the caller may see.

use guardengine_auth::{
    Principal,
    project_access::{log_scope, may_see_project},
};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::events::choices;
use guardengine_store::EventFilter;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Error, FromFields, optional_id},
};

/// Event filters. Without filters: all events that the caller may see.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventFilterQuery {
    /// Event type: `decision.blocked`, …
    #[param(value_type = Option<crate::schemas::EventKind>, inline)]
    kind: Option<&'static str>,
    /// Project identifier.
    project: Option<Uuid>,
}

impl FromFields for EventFilterQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { kind: fields.choice("kind", &choices())?, project: optional_id(fields, "project")? })
    }
}

impl EventFilterQuery {
    /// Returns the store filter, limited to what `caller` may see; 404 or 403 for a foreign project.
    pub async fn filter(&self, tenants: &Tenants, caller: &Principal) -> Result<EventFilter, Error> {
        if let Some(id) = self.project {
            may_see_project(&tenants.db, caller, id).await?;
        }
        Ok(EventFilter {
            kinds: self.kind.map(|kind| vec![kind.to_owned()]),
            projects: self.project.map(|id| vec![id]),
            scope: log_scope(&tenants.db, caller).await?,
        })
    }
}
