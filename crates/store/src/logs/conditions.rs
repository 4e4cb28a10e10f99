//! Conditions of a log filter that have several values, or exclude values.

use sqlx::{Database, Encode, QueryBuilder, Type};

use super::filter::{guardrail_like, guardrail_pattern};
use crate::LogEntry;
use crate::name::storable;

/// Field of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogField {
    /// Decision.
    Decision,
    /// Outcome.
    Outcome,
    /// Feedback.
    Feedback,
    /// Guardrails that triggered.
    Guardrail,
    /// Risk level.
    RiskLevel,
    /// Application.
    SourceApp,
    /// End user.
    Username,
    /// Interface.
    Surface,
    /// User or API key.
    Principal,
    /// Conversation.
    Conversation,
}

/// A condition on a field: any of the values, or none of them. An entry without a value has none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogCondition {
    /// Field.
    pub field: LogField,
    /// Values.
    pub values: Vec<String>,
    /// True to leave out the entries with one of the values.
    pub excludes: bool,
}

impl LogField {
    /// Column of the field.
    const fn column(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Outcome => "outcome",
            Self::Feedback => "mark",
            Self::Guardrail => "triggered_guardrails",
            Self::RiskLevel => "risk_level",
            Self::SourceApp => "source_app",
            Self::Username => "username",
            Self::Surface => "surface",
            Self::Principal => "principal",
            Self::Conversation => "conversation_id",
        }
    }

    fn of(self, log: &LogEntry) -> Option<&str> {
        match self {
            Self::Decision => Some(&log.decision),
            Self::Outcome => Some(&log.outcome),
            Self::Feedback => log.feedback.as_deref(),
            Self::Guardrail => Some(&log.triggered_guardrails),
            Self::RiskLevel => Some(&log.risk_level),
            Self::SourceApp => log.source_app.as_deref(),
            Self::Username => log.username.as_deref(),
            Self::Surface => Some(&log.surface),
            Self::Principal => Some(&log.principal),
            Self::Conversation => log.conversation_id.as_deref(),
        }
    }
}

impl LogCondition {
    /// Returns whether a log entry matches.
    pub(crate) fn passes(&self, log: &LogEntry) -> bool {
        let has = |found: &str| {
            self.values.iter().any(|value| match self.field {
                LogField::Guardrail => found.contains(&guardrail_pattern(value)),
                _ => value == found,
            })
        };
        self.field.of(log).is_some_and(has) != self.excludes
    }

    /// Adds the condition.
    pub(crate) fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        let column = self.field.column();
        query.push(if self.excludes { " AND NOT (" } else { " AND (" });
        // Without a value a comparison is neither true nor false.
        query.push(column).push(" IS NOT NULL AND (");
        for (place, value) in self.values.iter().enumerate() {
            query.push(if place == 0 { "" } else { " OR " }).push(column);
            if self.field == LogField::Guardrail {
                query.push(" LIKE ").push_bind(guardrail_like(value)).push(r" ESCAPE '\'");
            } else {
                query.push(" = ").push_bind(storable(value).into_owned());
            }
        }
        query.push("))");
    }
}
