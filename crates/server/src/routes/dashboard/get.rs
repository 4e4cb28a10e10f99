use std::{sync::Arc, time::Duration};

use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::{Period, Timestamp};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    dashboard::DashboardMetrics,
    http::{Answer, Error, ErrorBody, FromFields, Json, Principal, Query, optional_id},
    project_access::may_see_project,
    routes::logs::filter::time,
};

const DEFAULT_PERIOD: Duration = Duration::from_hours(24);
const MAX_PERIOD: Duration = Duration::from_hours(24 * 400);
const HOUR: Duration = Duration::from_hours(1);

/// Which period, and of what.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DashboardQuery {
    /// From this time on; if absent, a day before the end.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Before this time, at most 400 days later; if absent, the end of the hour that is going on.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Of this project alone.
    project: Option<Uuid>,
}

impl FromFields for DashboardQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self {
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            project: optional_id(fields, "project")?,
        })
    }
}

impl DashboardQuery {
    fn period(&self, now: Timestamp) -> Result<Period, Invalid> {
        let to = self.to.unwrap_or(now.hour() + HOUR);
        let from = self.from.unwrap_or(to - DEFAULT_PERIOD);
        if from >= to {
            return Err(Invalid::value("to", "must be after from"));
        }
        if to.since(from) > MAX_PERIOD {
            return Err(Invalid::value("to", "must be at most 400 days after from"));
        }
        Ok(Period { from, to })
    }
}

/// See the dashboard's figures
///
/// Owners and admins see those of the whole organisation, others those of their projects together.
#[utoipa::path(
    get, path = "/api/dashboard", tag = "dashboard", operation_id = "dashboard_get",
    params(DashboardQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The figures", body = DashboardMetrics),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Query(wanted): Query<DashboardQuery>,
) -> Answer<Arc<DashboardMetrics>> {
    let period = wanted.period(app.clock.now())?;
    let projects = projects(&app, &caller, wanted.project).await?;
    Ok(Json(app.dashboard.metrics(&app.db, caller.org_id, period, projects).await.map_err(Error::internal)?))
}

async fn projects(app: &App, caller: &Principal, project: Option<Uuid>) -> Result<Option<Vec<Uuid>>, Error> {
    if let Some(id) = project {
        may_see_project(app, caller, id).await?;
        return Ok(Some(vec![id]));
    }
    if caller.sees_all_projects() {
        return Ok(None);
    }
    let theirs = app.db.projects(caller.org_id, Some(caller.user_id)).await?;
    Ok(Some(theirs.into_iter().map(|project| project.id).collect()))
}
