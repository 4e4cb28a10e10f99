//! Closed sets of names, for the API document. Each is a schema of its own, which generated clients turn into an enum.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{ObjectBuilder, Type},
    },
};

/// Returns the schema of a closed set of names.
pub fn one_of(names: impl IntoIterator<Item = impl Into<String>>, help: &str) -> RefOr<Schema> {
    let names = names.into_iter().map(Into::into).collect::<Vec<String>>();
    let text = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    text.description(Some(help)).into()
}

macro_rules! choices {
    ($(#[doc = $help:literal] $name:ident = $($value:literal)|+;)+) => {$(
        #[doc = $help]
        #[derive(Debug)]
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                one_of([$($value),+], $help.trim())
            }
        }

        impl ToSchema for $name {}
    )+};
}

choices! {
    /// Action on a text.
    Decision = "allow" | "mask" | "block" | "challenge" | "escalate";
    /// Decision about passing a text on.
    OverallDecision = "allow" | "block";
    /// Risk of a text.
    RiskLevel = "critical" | "high" | "medium" | "no_risk";
    /// Severity of a finding.
    Severity = "high" | "medium" | "low";
    /// Direction of a text: to the model, or from it.
    Direction = "input" | "output";
    /// Outcome of a logged request.
    LogOutcome = "allowed" | "masked" | "blocked" | "challenged" | "escalated" | "would_block" | "not_judged";
    /// Feedback on a decision.
    FeedbackMark = "false_positive" | "missed_attack";
    /// Way in which personal data is masked.
    MaskingStrategy = "full" | "partial" | "format_preserving" | "hash" | "token" | "synthetic";
    /// Texts kept in the log: all of them, with personal data masked, masked and encrypted in full, or none.
    LogContent = "full" | "masked" | "sealed" | "none";
    /// Guard requests while the database is unavailable: refused, or decided from cached policies and logged later.
    StoreFailure = "refuse" | "spool";
    /// State of a connector: `error` after a failed check or use.
    ConnectorStatus = "active" | "error" | "disabled";
    /// State of a review.
    ReviewStatus = "pending" | "approved" | "denied";
    /// State of an invitation.
    InvitationStatus = "open" | "accepted" | "revoked" | "expired";
    /// Account that accepts an invitation.
    InvitedAccount = "new" | "existing";
    /// Decision about a review.
    Verdict = "approve" | "deny";
    /// State of a ticket: `commented` was added to another ticket, `dead` failed permanently.
    TicketStatus = "queued" | "sent" | "commented" | "dead";
    /// State of an alert rule.
    AlertState = "ok" | "firing";
    /// Reason of a message of an alert rule.
    AlertMessageKind = "fired" | "resolved";
    /// State of a message of an alert rule: `dead` failed permanently.
    AlertDeliveryStatus = "queued" | "sent" | "dead";
    /// State of a job.
    JobStatus = "queued" | "running" | "done" | "failed";
    /// State of an evaluation run.
    RunStatus = "queued" | "running" | "done" | "failed" | "canceled";
    /// Origin of the cases of a dataset.
    DatasetSource = "upload" | "feedback";
    /// Way in which a decision about a case is wrong.
    CaseMistake = "false_positive" | "missed";
    /// Property of requests by which usage is shown: `user` is the end user.
    UsageBy = "project" | "api_key" | "user" | "application" | "operation";
    /// Format of a usage report.
    UsageFormat = "json" | "csv";
    /// Autonomous decision: the most severe action among the guardrails that triggered.
    AutonomousAction = "ALLOW" | "BLOCK" | "CHALLENGE" | "ESCALATE";
    /// Action of a guardrail that triggered.
    TriggeredAction = "ALLOW" | "MASK" | "BLOCK" | "CHALLENGE" | "ESCALATE";
    /// Risk of an autonomous decision: below 0.3, below 0.6, below 0.85, and above.
    AutonomousRisk = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
    /// Action in the audit trail: a permission, another change, or an operator command.
    AuditAction =
        "FIREWALL_POLICIES:CREATE_POLICY" | "FIREWALL_POLICIES:UPDATE_POLICY"
        | "FIREWALL_POLICIES:DELETE_POLICY" | "FIREWALL_POLICIES:GENERATE_POLICY"
        | "EVALUATION:CREATE_DATASET" | "EVALUATION:DELETE_DATASET" | "EVALUATION:START_RUN"
        | "EVALUATION:CANCEL_RUN" | "EVALUATION:DELETE_RUN" | "PROJECTS:CREATE_PROJECT"
        | "PROJECTS:UPDATE_PROJECT" | "PROJECTS:DELETE_PROJECT" | "PROJECTS:MANAGE_MEMBERS"
        | "CONNECTORS:CREATE_CONNECTOR" | "CONNECTORS:UPDATE_CONNECTOR" | "CONNECTORS:DELETE_CONNECTOR"
        | "CONNECTORS:TEST_CONNECTOR" | "CONNECTORS:SEE_TOOLS" | "CONNECTORS:RETRY_TICKET"
        | "CONNECTORS:CREATE_EVENT_SUBSCRIPTION" | "CONNECTORS:UPDATE_EVENT_SUBSCRIPTION"
        | "CONNECTORS:DELETE_EVENT_SUBSCRIPTION" | "CONNECTORS:REPLAY_EVENTS" | "CONNECTORS:CREATE_ALERT"
        | "CONNECTORS:UPDATE_ALERT" | "CONNECTORS:DELETE_ALERT" | "CONNECTORS:TEST_ALERT"
        | "CONNECTORS:RETRY_ALERT_DELIVERY" | "FIREWALL:UNMASK" | "LOGS:EXPORT_LOG" | "LOGS:MARK_LOG"
        | "LOGS:REVEAL_TEXT" | "LOGS:CREATE_VIEW" | "LOGS:UPDATE_VIEW" | "LOGS:DELETE_VIEW"
        | "REVIEWS:DECIDE_REVIEW" | "API_KEYS:CREATE_API_KEY" | "API_KEYS:REVOKE_API_KEY"
        | "USERS:CREATE_USER" | "USERS:UPDATE_USER" | "USERS:DELETE_USER" | "USERS:CHANGE_PASSWORD"
        | "USERS:END_SESSIONS" | "USERS:CREATE_INVITATION" | "USERS:REVOKE_INVITATION"
        | "USERS:ACCEPT_INVITATION" | "ROLES:CREATE_ROLE" | "ROLES:UPDATE_ROLE" | "ROLES:DELETE_ROLE"
        | "SESSIONS:SIGN_IN" | "SESSIONS:SIGN_IN_REFUSED" | "SESSIONS:SIGN_OUT" | "SESSIONS:END_SESSION"
        | "SESSIONS:END_OTHER_SESSIONS" | "SESSIONS:TOKEN_REUSED" | "ORGANIZATION:UPDATE_ORGANIZATION"
        | "create-org" | "create-user" | "add-member" | "set-credits" | "set-limits" | "unlock"
        | "rotate-signing-key" | "seal-audit-trail" | "rename";
    /// Format of an export.
    ExportFormat = "csv" | "jsonl" | "labelled";
    /// Scope of readiness: the service, or the things that this replica alone may lack.
    ReadinessScope = "service" | "replica";
    /// Format of a connector's field.
    FieldFormat = "text" | "key" | "password" | "url" | "base_url" | "email" | "host" | "port" | "word" | "boolean";
}

#[cfg(test)]
mod tests {
    use guardengine_engine::{pii::mask::Strategy, policy::Outcome};
    use serde_json::json;

    use super::*;

    fn names<S: PartialSchema>() -> serde_json::Value {
        serde_json::to_value(S::schema()).unwrap()["enum"].clone()
    }

    #[test]
    fn the_names_are_those_of_the_engine() {
        let mut strategies = Strategy::ALL.map(|(_, strategy)| strategy.name()).to_vec();
        // One has a second spelling.
        strategies.dedup();
        assert_eq!(names::<MaskingStrategy>(), json!(strategies));
        for outcome in [Outcome::Allow, Outcome::Mask, Outcome::Block, Outcome::Challenge, Outcome::Escalate]
        {
            assert!(names::<Decision>().as_array().unwrap().contains(&json!(outcome.name())));
        }
    }
}
