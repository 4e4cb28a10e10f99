//! Log filters of queries, limited to what the caller may see.

use guardengine_auth::{
    Principal,
    project_access::{log_scope, may_see_project},
};
use guardengine_engine::{
    detectors,
    fields::{FieldError, Fields},
};
use guardengine_store::{LogCondition, LogFilter, Timestamp};
use serde_json::{Value, json};
use utoipa::IntoParams;
use uuid::Uuid;

use super::conditions::{self, REPEATABLE, is_repeated};
use crate::{
    app::Tenants,
    http::{Error, FromFields, optional_id, parsed},
    schemas::RULES,
};

/// Names of the filters.
pub const FILTER_NAMES: [&str; 15] = [
    "project",
    "decision",
    "outcome",
    "mark",
    "triggered",
    "guardrail",
    "risk",
    "source_app",
    "username",
    "surface",
    "principal",
    "conversation_id",
    "q",
    "from",
    "to",
];
/// Longest text of a filter, in characters.
pub(super) const MAX_TEXT_LENGTH: usize = 1_000;
/// Accepted values of `decision`.
pub(super) const DECISIONS: [(&str, &str); 5] = [
    ("allow", "allow"),
    ("mask", "mask"),
    ("block", "block"),
    ("challenge", "challenge"),
    ("escalate", "escalate"),
];
/// Accepted values of `outcome`.
pub(super) const OUTCOMES: [(&str, &str); 7] = [
    ("allowed", "allowed"),
    ("masked", "masked"),
    ("blocked", "blocked"),
    ("challenged", "challenged"),
    ("escalated", "escalated"),
    ("would_block", "would_block"),
    ("not_judged", "not_judged"),
];
/// Accepted values of `mark`.
pub const FEEDBACK: [(&str, &str); 2] =
    [("false_positive", "false_positive"), ("missed_attack", "missed_attack")];
/// Accepted values of `risk`.
pub(super) const RISKS: [(&str, &str); 4] =
    [("no_risk", "no_risk"), ("medium", "medium"), ("high", "high"), ("critical", "critical")];
/// Values of a boolean query parameter.
pub const BOOLEANS: [(&str, bool); 2] = [("true", true), ("false", false)];
const TIME: &str = "must be an RFC 3339 time, such as 2026-01-02T03:04:05Z";

/// Log filters. Without filters: all log entries that the caller may see. A parameter with several values takes any of them;
/// `not_` before its name leaves its values out.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogFilterQuery {
    /// Project identifier.
    project: Option<Uuid>,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::Decision>>, inline)]
    decision: Option<&'static str>,
    /// `allowed`, `masked`, `blocked`, `challenged`, `escalated`, `would_block` or `not_judged`.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::LogOutcome>>, inline)]
    outcome: Option<&'static str>,
    /// Feedback: `false_positive` or `missed_attack`.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::FeedbackMark>>, inline)]
    mark: Option<&'static str>,
    /// `true`: only log entries in which a guardrail or rule triggered. `false`: only those without.
    #[param(value_type = Option<bool>)]
    triggered: Option<bool>,
    /// A guardrail that triggered, or `blocked_keyword`, `max_prompt_length` or `incomplete_coverage`.
    #[param(value_type = Option<Vec<crate::schemas::GuardrailOrRule>>, inline)]
    guardrail: Option<String>,
    /// `no_risk`, `medium`, `high` or `critical`.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::RiskLevel>>, inline)]
    risk: Option<&'static str>,
    /// Source application.
    #[param(value_type = Option<Vec<String>>)]
    source_app: Option<String>,
    /// End user.
    #[param(value_type = Option<Vec<String>>)]
    username: Option<String>,
    /// Interface that took the call: `native`, or the name of a foreign one, such as `litellm`.
    #[param(value_type = Option<Vec<String>>)]
    surface: Option<String>,
    /// Who called: `user:NAME` or `api_key:ID`.
    #[param(value_type = Option<Vec<String>>)]
    principal: Option<String>,
    /// Conversation identifier.
    #[param(value_type = Option<Vec<String>>)]
    conversation_id: Option<String>,
    /// Text to find in the text, the reason or the conversation identifier, ignoring case.
    #[param(max_length = 1000)]
    q: Option<String>,
    /// Earliest time, inclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Latest time, exclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    #[param(ignore)]
    conditions: Vec<LogCondition>,
}

impl FromFields for LogFilterQuery {
    const REPEATABLE: &'static [&'static str] = &REPEATABLE;

    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let text = |field: &str| {
            let is_one = !is_repeated(fields, field);
            let one = if is_one { fields.short_string(field, MAX_TEXT_LENGTH)? } else { None };
            Ok(one.map(str::to_owned))
        };
        let choice = |field: &str, choices: &[(&str, &'static str)]| {
            if is_repeated(fields, field) { Ok(None) } else { fields.choice(field, choices) }
        };
        Ok(Self {
            project: optional_id(fields, "project")?,
            decision: choice("decision", &DECISIONS)?,
            outcome: choice("outcome", &OUTCOMES)?,
            mark: choice("mark", &FEEDBACK)?,
            triggered: fields.choice("triggered", &BOOLEANS)?,
            guardrail: if is_repeated(fields, "guardrail") { None } else { guardrail(fields)? },
            risk: choice("risk", &RISKS)?,
            source_app: text("source_app")?,
            username: text("username")?,
            surface: text("surface")?,
            principal: text("principal")?,
            conversation_id: text("conversation_id")?,
            q: text("q")?.filter(|words| !words.is_empty()),
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            conditions: conditions::of(fields)?,
        })
    }
}

/// Reads a time.
pub fn time(fields: Fields<'_>, field: &str) -> Result<Option<Timestamp>, FieldError> {
    parsed(fields, field, TIME)
}

/// Reads the name of a guardrail or rule.
pub fn guardrail(fields: Fields<'_>) -> Result<Option<String>, FieldError> {
    let known: Vec<&str> =
        detectors::DETECTORS.iter().map(|detector| detector.guardrail().name).chain(RULES).collect();
    let choices: Vec<_> = known.iter().map(|name| (*name, *name)).collect();
    Ok(fields.choice("guardrail", &choices)?.map(str::to_owned))
}

impl LogFilterQuery {
    /// Returns the store filter, limited to what `caller` may see; 404 or 403 for a foreign project.
    pub async fn filter(&self, tenants: &Tenants, caller: &Principal) -> Result<LogFilter, Error> {
        self.admit(tenants, caller).await?;
        self.unadmitted(tenants, caller).await
    }

    /// Returns 404 or 403 unless the caller may see the project of the filter.
    pub async fn admit(&self, tenants: &Tenants, caller: &Principal) -> Result<(), Error> {
        match self.project {
            Some(id) => Ok(may_see_project(&tenants.db, caller, id).await?),
            None => Ok(()),
        }
    }

    /// Returns the store filter without checking the project.
    pub async fn unadmitted(&self, tenants: &Tenants, caller: &Principal) -> Result<LogFilter, Error> {
        let text = |value: Option<&'static str>| value.map(str::to_owned);
        Ok(LogFilter {
            scope: log_scope(&tenants.db, caller).await?,
            project_id: self.project,
            decision: text(self.decision),
            outcome: text(self.outcome),
            feedback: text(self.mark),
            has_feedback: false,
            has_triggered: self.triggered,
            guardrail: self.guardrail.clone(),
            risk_level: text(self.risk),
            source_app: self.source_app.clone(),
            username: self.username.clone(),
            surface: self.surface.clone(),
            principal: self.principal.clone(),
            conversation_id: self.conversation_id.clone(),
            containing: self.q.clone(),
            conditions: self.conditions.clone(),
            from: self.from,
            to: self.to,
        })
    }

    /// Returns the projects and the outcome of a filter that hourly counts answer; `None` for other filters. Projects of
    /// `None` mean all.
    pub fn rolled_up(&self, filter: &LogFilter) -> Option<(Option<Vec<Uuid>>, Option<&'static str>)> {
        let others = LogFilter { project_id: None, outcome: None, from: None, to: None, ..filter.clone() };
        let projects = filter.project_id.map(|id| vec![id]);
        (others == LogFilter::default()).then_some((projects, self.outcome))
    }

    /// The filter for the audit trail. Search text, which may be private, is hidden.
    pub fn audited(&self) -> Value {
        let fields = json!({
            "project": self.project,
            "decision": self.decision,
            "outcome": self.outcome,
            "mark": self.mark,
            "triggered": self.triggered,
            "guardrail": self.guardrail,
            "risk": self.risk,
            "source_app": self.source_app,
            "username": self.username,
            "surface": self.surface,
            "principal": self.principal,
            "conversation_id": self.conversation_id,
            "q": self.q.as_ref().map(|_| "(hidden)"),
            "from": self.from,
            "to": self.to,
        });
        let fields = fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        let fields = fields.map(|(name, value)| (name.clone(), value.clone()));
        fields.chain(conditions::audited(&self.conditions)).collect()
    }
}
