//! The span of a request.

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use opentelemetry::{
    Context, KeyValue,
    context::FutureExt as _,
    propagation::TextMapPropagator as _,
    trace::{SpanBuilder, SpanKind, Status, TraceContextExt as _},
};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;

use super::metrics::method_label;
use crate::trace_export::TraceExport;

/// Routes that machines ask every few seconds.
const UNTRACED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Starts a span for a request, within that of its `traceparent` header (W3C Trace Context). Its name is that of the
/// route: paths can hold keys.
pub async fn trace(State(export): State<TraceExport>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let Some(route) = route.filter(|route| !UNTRACED.contains(&route.as_str())) else {
        return next.run(request).await;
    };
    let headers = HeaderExtractor(request.headers());
    let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
    let method = method_label(request.method());
    let span = SpanBuilder::from_name(format!("{method} {route}"))
        .with_kind(SpanKind::Server)
        .with_attributes([KeyValue::new("http.request.method", method), KeyValue::new("http.route", route)])
        .start_with_context(export.tracer(), &parent);
    let context = parent.with_span(span);
    let response = next.run(request).with_context(context.clone()).await;
    let (span, status) = (context.span(), response.status());
    span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if status.is_server_error() {
        span.set_status(Status::error(""));
    }
    span.end();
    response
}

/// Returns the identifier of the current trace, if it is sampled.
pub fn trace_id() -> Option<String> {
    let context = Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_sampled().then(|| span.trace_id().to_string())
}
