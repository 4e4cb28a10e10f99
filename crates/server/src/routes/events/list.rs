use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::EventFilterQuery;
use crate::{
    app::App,
    events::Event,
    http::{Answer, Error, ErrorBody, FromFields, Json, PageParameters, PageQuery, Principal, Query},
};

/// Which page of which events.
#[derive(Debug)]
pub struct EventsPageQuery {
    page: PageQuery<i64>,
    wanted: EventFilterQuery,
}

impl FromFields for EventsPageQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self { page: PageQuery::from_fields(fields)?, wanted: EventFilterQuery::from_fields(fields)? })
    }
}

/// Events after a cursor.
#[derive(Debug, Serialize, ToSchema)]
pub struct Events {
    /// Oldest first. There may be less than asked for, or none, and yet more to come.
    events: Vec<Event>,
    /// `cursor` of what comes after these: also later, when more has happened.
    next_cursor: i64,
    /// The organisation's newest event: where `next_cursor` is that, all is told.
    newest_cursor: i64,
    /// Whether events after the cursor that was sent are forgotten for their age.
    forgotten: bool,
}

/// See what happened
///
/// Oldest first, after `cursor`; without it, from the oldest that is kept. `next_cursor` can be stored, and goes on where
/// this page ends, whenever that is. Owners and admins see every event of the organisation; others those of their projects,
/// and those without a project of requests that they or their API keys made.
#[utoipa::path(
    get, path = "/api/events", tag = "events", operation_id = "events_list",
    params(PageParameters, EventFilterQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of events", body = Events),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Query(EventsPageQuery { page, wanted }): Query<EventsPageQuery>,
) -> Answer<Events> {
    if let Some(cursor) = page.cursor {
        is_known(&app, &caller, cursor).await?;
    }
    let filter = wanted.filter(&app, &caller).await?;
    let after = page.cursor.unwrap_or(0);
    let found = app.db.events_after(caller.org_id, &filter, after, page.limit).await?;
    Ok(Json(Events {
        events: found.events.into_iter().map(Event::from).collect(),
        next_cursor: found.reached,
        newest_cursor: found.newest,
        forgotten: found.forgotten && page.cursor.is_some(),
    }))
}

async fn is_known(app: &App, caller: &Principal, cursor: i64) -> Result<(), Error> {
    let newest = app.db.last_event_sequence(caller.org_id).await?;
    let known = (0..=newest).contains(&cursor);
    let unknown = || Invalid::value("cursor", "must be the next_cursor of an earlier answer");
    if known { Ok(()) } else { Err(unknown().into()) }
}
