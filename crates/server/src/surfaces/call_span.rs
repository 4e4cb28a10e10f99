//! The span of a call that leaves for a model or a tool.

use guardengine_guard::Traces;
use opentelemetry::{
    Context, KeyValue,
    propagation::{Injector, TextMapPropagator as _},
    trace::{Status, TraceContextExt as _},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// A span from the start of a call to its last byte; nothing unless the current trace is sampled.
pub struct CallSpan(Option<Context>);

impl CallSpan {
    /// Starts a span within the current one.
    pub fn start(traces: &Traces, name: String, attributes: Vec<KeyValue>) -> Self {
        Self(traces.client(name, attributes))
    }

    /// Returns the headers that let whoever is called continue the trace (W3C Trace Context).
    pub fn headers(&self) -> Vec<(String, String)> {
        let mut headers = Headers::default();
        if let Some(context) = &self.0 {
            TraceContextPropagator::new().inject_context(context, &mut headers);
        }
        headers.0
    }

    /// Ends the span of a call that was answered.
    pub fn end(&self, attributes: impl IntoIterator<Item = KeyValue>) {
        if let Some(context) = &self.0 {
            context.span().set_attributes(attributes);
            context.span().end();
        }
    }

    /// Ends the span of a call that failed.
    pub fn fail(&self) {
        if let Some(context) = &self.0 {
            context.span().set_status(Status::error(""));
            context.span().end();
        }
    }
}

#[derive(Default)]
struct Headers(Vec<(String, String)>);

impl Injector for Headers {
    fn set(&mut self, name: &str, value: String) {
        // An empty `tracestate` is no header.
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
    }
}
