use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse},
};
use guardengine_api_types::{ErrorBody, Event};
use guardengine_auth::{Auth, Principal};
use guardengine_integrations::Integrations;

use super::filter::EventFilterQuery;
use crate::{
    app::{Streams, Tenants},
    http::{
        Caller, Error, Query,
        sse::{Follower, StreamSource, follow},
    },
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
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    State(auth): State<Auth>,
    State(streams): State<Streams>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Query(query): Query<EventFilterQuery>,
) -> Result<Response, Error> {
    let source = EventStream { tenants, integrations, caller: caller.clone(), query };
    let follower = Follower { auth, caller, limit: streams.events, draining: streams.draining };
    follow(follower, &headers, source).await
}

/// The items that a caller may see.
struct EventStream {
    tenants: Tenants,
    integrations: Integrations,
    caller: Principal,
    query: EventFilterQuery,
}

impl StreamSource for EventStream {
    type Item = Event;
    const NAME: &'static str = "event";

    async fn check(&self) -> Result<(), Error> {
        self.query.filter(&self.tenants, &self.caller).await.map(drop)
    }

    async fn newest(&self) -> Result<i64, Error> {
        Ok(self.tenants.db.last_event_sequence(self.caller.org_id).await?)
    }

    async fn after(&self, number: i64) -> Result<(Vec<Event>, i64), Error> {
        let filter = self.query.filter(&self.tenants, &self.caller).await?;
        let page = self.tenants.db.events_after(self.caller.org_id, &filter, number, Self::PAGE).await?;
        let events = page.events.into_iter().map(|event| Event::new(event, &self.integrations.base_url));
        Ok((events.collect(), page.reached))
    }

    fn event(event: Event) -> sse::Event {
        let id = event.sequence.to_string();
        let data = serde_json::to_string(&event).unwrap_or_default();
        sse::Event::default().event("event").id(id).data(data)
    }
}
