use std::{sync::Arc, time::Duration};

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{
    Principal,
    project_access::{self, may_see_project},
};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Period, Timestamp};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    dashboard::DashboardMetrics,
    http::{Answer, Caller, Error, FromFields, Json, Query, optional_id},
    routes::logs::filter::time,
};

const DEFAULT_PERIOD: Duration = Duration::from_hours(24);
const MAX_PERIOD: Duration = Duration::from_hours(24 * 400);
const HOUR: Duration = Duration::from_hours(1);

/// Period and scope of the metrics.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DashboardQuery {
    /// Start of the period, inclusive. Default: one day before the end.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// End of the period, exclusive, at most 400 days after the start. Default: the end of the current hour.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Limits the metrics to this project.
    project: Option<Uuid>,
}

impl FromFields for DashboardQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            project: optional_id(fields, "project")?,
        })
    }
}

impl DashboardQuery {
    fn period(&self, now: Timestamp) -> Result<Period, FieldError> {
        period_of(self.from, self.to, now)
    }
}

/// Returns the period of a query; by default, one day that ends with the current hour.
pub fn period_of(
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    now: Timestamp,
) -> Result<Period, FieldError> {
    let to = to.unwrap_or(now.hour() + HOUR);
    let from = from.unwrap_or(to - DEFAULT_PERIOD);
    if from >= to {
        return Err(FieldError::value("to", "must be after from"));
    }
    if to.since(from) > MAX_PERIOD {
        return Err(FieldError::value("to", "must be at most 400 days after from"));
    }
    Ok(Period { from, to })
}

/// Get dashboard metrics
///
/// Owners and admins see the whole organization; others see the sum of their projects.
#[utoipa::path(
    get, path = "/api/dashboard", tag = "dashboard", operation_id = "dashboard_get",
    params(DashboardQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The dashboard metrics", body = DashboardMetrics),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Query(query): Query<DashboardQuery>,
) -> Answer<Arc<DashboardMetrics>> {
    let period = query.period(tenants.clock.now())?;
    let projects = visible_projects(&tenants, &caller, query.project).await?;
    Ok(Json(
        operations
            .dashboard
            .metrics(&tenants.db, caller.org_id, period, projects)
            .await
            .map_err(Error::internal)?,
    ))
}

/// Returns the projects whose metrics the caller sees: the requested one, or their own. `None` means all projects and
/// requests without one.
pub async fn visible_projects(
    tenants: &Tenants,
    caller: &Principal,
    project: Option<Uuid>,
) -> Result<Option<Vec<Uuid>>, Error> {
    if let Some(id) = project {
        may_see_project(&tenants.db, caller, id).await?;
        return Ok(Some(vec![id]));
    }
    if caller.sees_all_projects() {
        return Ok(None);
    }
    let theirs = project_access::projects(&tenants.db, caller).await?;
    Ok(Some(theirs.into_iter().map(|project| project.id).collect()))
}
