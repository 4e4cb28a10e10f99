use axum::{extract::State, http::HeaderMap, response::Response, response::sse};
use uuid::Uuid;

use super::filter::EventFilterQuery;
use crate::{
    app::App,
    events::Event,
    http::{Error, ErrorBody, Principal, Query},
    streams::{StreamLimit, StreamSource, follow},
};

/// Stream events
///
/// Server-sent events: one `event` per stored event, from any process, with the event as data. Its `id` is the event
/// number in the organization; the stream resumes after the id sent in `Last-Event-ID`. A comment is sent every 15
/// seconds. The stream ends with the session, the API key or the service.
#[utoipa::path(
    get, path = "/api/events/stream", tag = "events", operation_id = "events_stream",
    params(EventFilterQuery, ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event received; the stream resumes after it")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A stream of events", content((String = "text/event-stream"))),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "The organization has too many open streams", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    headers: HeaderMap,
    Query(query): Query<EventFilterQuery>,
) -> Result<Response, Error> {
    follow(app, caller, &headers, query).await
}

impl StreamSource for EventFilterQuery {
    type Item = guardengine_store::Event;
    const NAME: &'static str = "event";

    fn limit(app: &App) -> &StreamLimit {
        &app.event_streams
    }

    async fn check(&self, app: &App, caller: &Principal) -> Result<(), Error> {
        self.filter(app, caller).await.map(drop)
    }

    async fn newest(app: &App, org: Uuid) -> Result<i64, Error> {
        Ok(app.db.last_event_sequence(org).await?)
    }

    async fn after(
        &self,
        app: &App,
        caller: &Principal,
        number: i64,
    ) -> Result<(Vec<guardengine_store::Event>, i64), Error> {
        let filter = self.filter(app, caller).await?;
        let page = app.db.events_after(caller.org_id, &filter, number, Self::PAGE).await?;
        Ok((page.events, page.reached))
    }

    fn event(event: guardengine_store::Event) -> sse::Event {
        let id = event.sequence.to_string();
        let data = serde_json::to_string(&Event::from(event)).unwrap_or_default();
        sse::Event::default().event("event").id(id).data(data)
    }
}
