use axum::extract::State;
use guardengine_api_types::{ErrorBody, Event};
use guardengine_auth::Principal;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::Integrations;
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::EventFilterQuery;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, FromFields, Json, NumberedPageParameters, PageQuery, Query},
};

/// Page and filters of events.
#[derive(Debug)]
pub struct EventsPageQuery {
    page: PageQuery<i64>,
    query: EventFilterQuery,
}

impl FromFields for EventsPageQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { page: PageQuery::from_fields(fields)?, query: EventFilterQuery::from_fields(fields)? })
    }
}

/// A page of events after a cursor.
#[derive(Debug, Serialize, ToSchema)]
pub struct Events {
    /// Oldest first. May be shorter than `limit`, or empty, although more events follow.
    events: Vec<Event>,
    /// `cursor` of the next page. Stays valid for later polling.
    next_cursor: i64,
    /// Number of the organization's newest event. If `next_cursor` equals it, there are no more events yet.
    newest_cursor: i64,
    /// True if events after the given cursor have been deleted because of their age.
    forgotten: bool,
}

/// List events
///
/// Oldest first, after `cursor`; without it, from the oldest stored event. `next_cursor` can be stored and used at any
/// later time. Owners and admins see all events of the organization. Others see those of their projects, and those of
/// their own requests without a project.
#[utoipa::path(
    get, path = "/api/events", tag = "events", operation_id = "events_list",
    params(NumberedPageParameters, EventFilterQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of events", body = Events),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    Query(EventsPageQuery { page, query }): Query<EventsPageQuery>,
) -> Answer<Events> {
    if let Some(cursor) = page.cursor {
        is_known(&tenants, &caller, cursor).await?;
    }
    let filter = query.filter(&tenants, &caller).await?;
    let after = page.cursor.unwrap_or(0);
    let found = tenants.db.events_after(caller.org_id, &filter, after, page.limit).await?;
    Ok(Json(Events {
        events: found.events.into_iter().map(|event| Event::new(event, &integrations.base_url)).collect(),
        next_cursor: found.reached,
        newest_cursor: found.newest,
        forgotten: found.has_gap && page.cursor.is_some(),
    }))
}

async fn is_known(tenants: &Tenants, caller: &Principal, cursor: i64) -> Result<(), Error> {
    let newest = tenants.db.last_event_sequence(caller.org_id).await?;
    let known = (0..=newest).contains(&cursor);
    let unknown = || FieldError::value("cursor", "must be the next_cursor of an earlier answer");
    if known { Ok(()) } else { Err(unknown().into()) }
}
