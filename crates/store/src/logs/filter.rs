//! Filter for log entries.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::id::least_id;
use crate::name::storable;
use crate::{LogCondition, LogEntry, LogScope, Timestamp};

/// Filter for log entries. `None` does not restrict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Only what this scope may see.
    pub scope: Option<LogScope>,
    /// Only this project.
    pub project_id: Option<Uuid>,
    /// Only this decision.
    pub decision: Option<String>,
    /// Only this outcome.
    pub outcome: Option<String>,
    /// Only this feedback.
    pub feedback: Option<String>,
    /// Only log entries with feedback.
    pub has_feedback: bool,
    /// Only log entries in which anything triggered, or in which nothing did.
    pub has_triggered: Option<bool>,
    /// Only log entries in which this guardrail triggered.
    pub guardrail: Option<String>,
    /// Only this risk level.
    pub risk_level: Option<String>,
    /// Only this application.
    pub source_app: Option<String>,
    /// Only this end user.
    pub username: Option<String>,
    /// Only calls of this interface.
    pub surface: Option<String>,
    /// Only this user or API key, as in [`LogEntry::principal`].
    pub principal: Option<String>,
    /// Only this conversation.
    pub conversation_id: Option<String>,
    /// Only log entries whose text, reason or conversation contains this text, ignoring case.
    pub containing: Option<String>,
    /// Conditions with several values, or that exclude values. Each narrows further; none is empty.
    pub conditions: Vec<LogCondition>,
    /// From this time, inclusive.
    pub from: Option<Timestamp>,
    /// Until this time, exclusive.
    pub to: Option<Timestamp>,
}

impl LogFilter {
    /// Smallest identifier of the period.
    pub(crate) fn oldest(&self) -> Uuid {
        self.from.map_or(Uuid::nil(), least_id)
    }

    /// First identifier after the period.
    pub(crate) fn end(&self) -> Uuid {
        self.to.map_or(Uuid::max(), least_id)
    }

    /// Returns whether a single index leads to the log entries, so that none is read in vain.
    pub(crate) fn is_indexed(&self) -> bool {
        let found = [
            self.project_id.is_some(),
            self.username.is_some(),
            self.source_app.is_some(),
            self.decision.is_some(),
            self.outcome.is_some(),
            self.feedback.is_some(),
            self.risk_level.is_some(),
            self.has_triggered.is_some(),
            self.conversation_id.is_some(),
        ];
        let searched = self.guardrail.is_some()
            || self.containing.is_some()
            || self.scope.is_some()
            || self.surface.is_some()
            || self.principal.is_some()
            || !self.conditions.is_empty();
        let common = self.decision.as_deref() == Some("allow")
            || self.outcome.as_deref() == Some("allowed")
            || self.risk_level.as_deref() == Some("no_risk")
            || self.has_triggered == Some(false);
        !searched && !common && found.into_iter().filter(|is_set| *is_set).count() <= 1
    }

    /// Returns whether a log entry matches, regardless of its position.
    pub(crate) fn passes(&self, log: &LogEntry) -> bool {
        let is = |filter: &Option<String>, value: &str| filter.as_ref().is_none_or(|filter| filter == value);
        let has = |filter: &Option<String>, value: &Option<String>| filter.is_none() || filter == value;
        self.scope.as_ref().is_none_or(|scope| scope.includes(log))
            && self.project_id.is_none_or(|id| log.project_id == Some(id))
            && is(&self.decision, &log.decision)
            && is(&self.outcome, &log.outcome)
            && has(&self.feedback, &log.feedback)
            && (!self.has_feedback || log.feedback.is_some())
            && is(&self.risk_level, &log.risk_level)
            && has(&self.source_app, &log.source_app)
            && has(&self.username, &log.username)
            && is(&self.surface, &log.surface)
            && is(&self.principal, &log.principal)
            && has(&self.conversation_id, &log.conversation_id)
            && self.from.is_none_or(|from| log.created_at >= from)
            && self.to.is_none_or(|to| log.created_at < to)
            && self.has_triggered.is_none_or(|expected| (log.triggered_guardrails != "[]") == expected)
            && self
                .guardrail
                .as_ref()
                .is_none_or(|name| log.triggered_guardrails.contains(&guardrail_pattern(name)))
            && self.containing.as_ref().is_none_or(|words| contains(log, words))
            && self.conditions.iter().all(|condition| condition.passes(log))
    }

    /// Adds all conditions except project, scope and time.
    pub(crate) fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        let equal = [
            (" AND decision = ", &self.decision),
            (" AND outcome = ", &self.outcome),
            (" AND mark = ", &self.feedback),
            (" AND risk_level = ", &self.risk_level),
            (" AND source_app = ", &self.source_app),
            (" AND username = ", &self.username),
            (" AND surface = ", &self.surface),
            (" AND principal = ", &self.principal),
            (" AND conversation_id = ", &self.conversation_id),
        ];
        for (condition, value) in equal {
            if let Some(value) = value {
                query.push(condition).push_bind(storable(value).into_owned());
            }
        }
        match self.outcome.as_deref().map(implied_decision) {
            Some(Some(decision)) => query.push(" AND decision = ").push_bind(decision.to_owned()),
            Some(None) if self.is_unusual() => query.push(" AND outcome IN ('would_block', 'not_judged')"),
            _ => query,
        };
        if self.has_feedback {
            query.push(" AND mark IS NOT NULL");
        }
        if self.implies_triggered() {
            // Often redundant: it enables the partial indexes.
            query.push(" AND triggered_guardrails <> '[]'");
        }
        if self.has_triggered == Some(false) {
            query.push(" AND triggered_guardrails = '[]'");
        }
        self.narrow_by_text(query);
        for condition in &self.conditions {
            condition.narrow(query);
        }
    }

    /// A decision other than `allow`, and a risk, implies a triggered guardrail.
    fn implies_triggered(&self) -> bool {
        let is_not = |value: &Option<String>, plain| value.as_ref().is_some_and(|value| value != plain);
        self.guardrail.is_some()
            || self.has_triggered == Some(true)
            || is_not(&self.decision, "allow")
            || self.outcome.as_deref().is_some_and(|outcome| implied_decision(outcome).is_some())
            || is_not(&self.risk_level, "no_risk")
    }

    /// Returns whether the outcome has an index of its own.
    fn is_unusual(&self) -> bool {
        matches!(self.outcome.as_deref(), Some("would_block" | "not_judged"))
    }

    fn narrow_by_text<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        if let Some(name) = &self.guardrail {
            query
                .push(" AND triggered_guardrails LIKE ")
                .push_bind(guardrail_like(name))
                .push(r" ESCAPE '\'");
        }
        if let Some(words) = &self.containing {
            let pattern = format!("%{}%", escape_like(&words.to_lowercase()));
            query.push(" AND (");
            for (joint, column) in [("", "text"), (" OR ", "reason"), (" OR ", "conversation_id")] {
                query.push(joint).push("LOWER(").push(column).push(") LIKE ");
                query.push_bind(pattern.clone()).push(r" ESCAPE '\'");
            }
            query.push(")");
        }
    }
}

/// The decision that an outcome implies, so that the index on decisions applies.
fn implied_decision(outcome: &str) -> Option<&'static str> {
    match outcome {
        "blocked" => Some("block"),
        "masked" => Some("mask"),
        "challenged" => Some("challenge"),
        "escalated" => Some("escalate"),
        _ => None,
    }
}

/// Pattern of SQL for the triggered guardrails of log entries in which this one triggered.
pub(crate) fn guardrail_like(guardrail: &str) -> String {
    format!("%{}%", escape_like(&guardrail_pattern(guardrail)))
}

/// The name of a triggered guardrail as written in a log entry.
pub(super) fn guardrail_pattern(guardrail: &str) -> String {
    format!("\"name\":\"{guardrail}\"")
}

fn contains(log: &LogEntry, words: &str) -> bool {
    let words = words.to_lowercase();
    let texts = [&log.text, &log.reason, &log.conversation_id];
    texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&words))
}

/// Escapes a text for LIKE.
fn escape_like(text: &str) -> String {
    storable(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_")
}
