//! Spans of OpenTelemetry: one for each evaluation with its stages and guardrails, and one for writing its log entry.
//!
//! A span describes the decision (operation, outcome, names of guardrails, identifiers) and never holds a text. Spans are
//! made where the current trace is sampled, so that a service without a collector pays for none.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use opentelemetry::{
    Array, Context, KeyValue, StringValue, Value,
    global::BoxedTracer,
    time::now,
    trace::{Span as _, SpanBuilder, SpanKind, TraceContextExt as _},
};

use crate::{PendingDecision, timing::StageTimings};

/// Starts spans; off unless the service sends traces. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Traces(Option<Arc<BoxedTracer>>);

impl Traces {
    /// Starts spans with this tracer.
    pub fn new(tracer: BoxedTracer) -> Self {
        Self(Some(Arc::new(tracer)))
    }

    /// Returns the tracer, if traces are on and the current trace is sampled.
    fn sampled(&self) -> Option<(&BoxedTracer, Context)> {
        let tracer = self.0.as_deref()?;
        let current = Context::current();
        current.span().span_context().is_sampled().then_some((tracer, current))
    }

    /// Starts the span of a call that leaves, within the current span. `None` unless the current trace is sampled.
    pub fn client(&self, name: String, attributes: Vec<KeyValue>) -> Option<Context> {
        let (tracer, parent) = self.sampled()?;
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Client).with_attributes(attributes);
        Some(parent.with_span(builder.start_with_context(tracer, &parent)))
    }

    /// Adds the span of an evaluation that ends now, with its stages and guardrails.
    pub(crate) fn evaluated(&self, decision: &PendingDecision, took: Duration) {
        let Some((tracer, parent)) = self.sampled() else { return };
        let began = now() - took;
        let name = format!("evaluate {}", decision.call.operation.name());
        let within = Spans { tracer, parent }.add(name, attributes(decision), began, took);
        let mut stage_began = began;
        for (name, stage_took) in decision.timings.stages() {
            let stage = within.add(name, Vec::new(), stage_began, stage_took);
            if name == StageTimings::OF_GUARDRAILS {
                stage.add_guardrails(decision, stage_began);
            }
            stage_began += stage_took;
        }
    }

    /// Adds the span of writing a log entry, which ends now.
    pub(crate) fn recorded(&self, took: Duration) {
        let Some((tracer, parent)) = self.sampled() else { return };
        Spans { tracer, parent }.add("record", Vec::new(), now() - took, took);
    }
}

/// Adds spans within a parent.
struct Spans<'t> {
    tracer: &'t BoxedTracer,
    parent: Context,
}

impl Spans<'_> {
    /// Adds a span that is over, and returns where spans within it are added.
    fn add(
        &self,
        name: impl Into<std::borrow::Cow<'static, str>>,
        attributes: Vec<KeyValue>,
        began: SystemTime,
        took: Duration,
    ) -> Self {
        let builder = SpanBuilder::from_name(name).with_start_time(began).with_attributes(attributes);
        let mut span = builder.start_with_context(self.tracer, &self.parent);
        span.end_with_timestamp(began + took);
        Self { tracer: self.tracer, parent: self.parent.with_span(span) }
    }

    fn add_guardrails(&self, decision: &PendingDecision, mut began: SystemTime) {
        for (name, took) in &decision.evaluation.inspected {
            let attributes = vec![KeyValue::new("guardengine.guardrail", *name)];
            self.add(*name, attributes, began, *took);
            began += *took;
        }
    }
}

/// Returns the description of a decision, without content.
fn attributes(decision: &PendingDecision) -> Vec<KeyValue> {
    let (call, verdict) = (&decision.call, &decision.evaluation.verdict);
    let mut attributes = vec![
        KeyValue::new("guardengine.operation", call.operation.name()),
        KeyValue::new("guardengine.surface", call.surface),
        KeyValue::new("guardengine.org_id", call.caller.org_id.to_string()),
        KeyValue::new("guardengine.log_id", decision.log_id.to_string()),
        KeyValue::new("guardengine.correlation_id", call.correlation_id.clone()),
        KeyValue::new("guardengine.outcome", verdict.outcome.name()),
        KeyValue::new("guardengine.coverage_complete", verdict.coverage.complete),
        KeyValue::new("guardengine.triggered", names(decision)),
        KeyValue::new("guardengine.credits", decision.cost),
    ];
    let project = call.project_id.map(|id| KeyValue::new("guardengine.project_id", id.to_string()));
    let policy =
        decision.context.policy.map(|(id, _)| KeyValue::new("guardengine.policy_id", id.to_string()));
    attributes.extend(project.into_iter().chain(policy));
    attributes
}

/// Returns the names of the guardrails that triggered.
fn names(decision: &PendingDecision) -> Value {
    let triggered = decision.evaluation.verdict.triggered.iter();
    Value::Array(Array::String(triggered.map(|one| StringValue::from(one.name)).collect()))
}
