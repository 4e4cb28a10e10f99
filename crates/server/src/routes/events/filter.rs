//! Which events are wanted, as queries say it, and which of them the caller may see.

use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::EventFilter;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    events::choices,
    http::{Caller, Error, FromFields, optional_id},
    membership::{may_see_project, reader},
};

/// Which events; without any of these, all that the caller may see.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WantedEvents {
    /// Of this kind: `decision.blocked`, …
    #[param(value_type = Option<String>)]
    kind: Option<&'static str>,
    /// For this project.
    project: Option<Uuid>,
}

impl FromFields for WantedEvents {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self { kind: fields.choice("kind", &choices())?, project: optional_id(fields, "project")? })
    }
}

impl WantedEvents {
    /// The filter for what `caller` may see of it.
    pub async fn filter(&self, app: &App, caller: &Caller) -> Result<EventFilter, Error> {
        if let Some(id) = self.project {
            may_see_project(app, caller, id).await?;
        }
        Ok(EventFilter {
            kinds: self.kind.map(|kind| vec![kind.to_owned()]),
            projects: self.project.map(|id| vec![id]),
            reader: reader(app, caller).await?,
        })
    }
}
