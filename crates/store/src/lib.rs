//! The database of guardengine: SQLite or PostgreSQL, with one SQL text for both.
//!
//! Every operation is a method of [`Db`], documented in the module of its noun. Methods return `None` or `false` when
//! the row does not exist. Expected refusals, such as a taken name, are values ([`Created`], [`Changed`], [`Deleted`],
//! [`MemberChanged`], [`Refreshed`], [`Charge`], [`LoginAttempt`]); an [`Error`] is a failure of the database. Callers
//! pass the time in. In a text, U+0000 is stored as U+2400.

#[macro_use]
pub mod db;

pub mod alerts;
pub mod audit;
pub mod change;
mod clock;
pub mod connectors;
pub mod dashboard;
pub mod decisions;
mod error;
pub mod evaluation;
pub mod events;
mod id;
pub mod jobs;
pub mod logs;
pub mod mcp_tools;
mod name;
pub mod orgs;
pub mod page;
pub mod policies;
pub mod projects;
pub mod sessions;
pub mod tickets;
mod time;
pub mod users;

pub use alerts::{
    AlertCheck, AlertDelivery, AlertFields, AlertRule, AlertTransition, LogCounts, MAX_ALERT_RULES,
    NewAlertDelivery,
};
pub use audit::{
    Actor, AuditEntry, AuditFilter, AuditHead, AuditKey, AuditVerdict, AuditedTx, HeadCheck, NewAuditEntry,
    SEAL_ACTION, hexadecimal,
};
pub use change::{Changed, Created, Deleted, MemberChanged};
pub use clock::Clock;
pub use connectors::{CheckResult, Connector, ConnectorFields};
pub use dashboard::{
    ALL_PROJECTS, HourlyCount, LogSummary, MetricCounts, MetricQuery, Period, PeriodUsage, UnevaluatedCount,
    Usage, UsageCount,
};
pub use db::{
    CopiedTable, CopyError, Db, Epoch, Growth, Heads, OrgChanges, Postgres, Probe, RENAME_ACTION,
    SchemaVersion, Sqlite, StoreHealth, Tx, check_backup, check_url, schema_version,
};
pub use decisions::{
    Challenge, Charge, DecisionRecord, NewChallenge, NewReview, PiiToken, Review, ReviewDecision,
    ReviewFilter, ReviewStatus, SideEffects, Trust, TrustEvent, TrustUpdate,
};
pub use error::{Error, Result, StoreError};
pub use evaluation::{DatasetLimits, DatasetRefusal, EvaluationDataset, EvaluationRun, StartedRun};
pub use events::{
    CREDITS_LOW, DeliveryFailure, DeliveryProgress, Event, EventFilter, EventPage, EventSubscription,
    NewEvent, SubscriptionFields,
};
pub use id::new_id;
pub use jobs::{AcceptedJob, FinishedJob, Job, JobScope, NewJob};
pub use logs::{
    ExportBacklog, ExportLag, FacetValues, LogCondition, LogEntry, LogEntryDetails, LogField, LogFilter,
    LogScope, LogSize, LogView, LoggedScores, SequencedLogEntry,
};
pub use mcp_tools::{MAX_TOOLS, McpTool, SeenTool};
pub use name::{
    MAX_NAME_CHARS, NameError, is_same_name, name_chars, name_key, prepare_changed_name, prepare_name,
    prepare_password,
};
pub use orgs::{CreditEntry, Org, OrgChange, OrgOfUser};
pub use page::{Page, Paged};
pub use policies::{Policy, PolicyFields, PolicyVersion};
pub use projects::{NewGateway, NewProject, Project, ProjectChange, ProjectMember, ProjectMemberRole};
pub use sessions::{
    ApiKey, ApiKeyUse, ApiKeyUser, LockoutRule, LoginAttempt, NewApiKey, NewSession, PrincipalRow, Refresh,
    Refreshed, Session, SessionUser, SigningKey,
};
pub use tickets::{ExternalTicket, NewTicket, RetryLater, Ticket, TicketFilter};
pub use time::{ParseTimestampError, Timestamp};
pub use users::{Acceptance, Invitation, Invitee, Member, NewInvitation, NewUser, Role, User};
