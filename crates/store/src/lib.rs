//! The database of guardengine: SQLite or PostgreSQL, with one SQL text for both.
//!
//! Every operation is a method of [`Db`], documented in the module of its noun. Methods return `None` or `false` when the
//! row does not exist. Expected refusals, such as a taken name, are values ([`Created`], [`Changed`], [`Deleted`],
//! [`MemberChanged`], [`Refreshed`], [`Charge`], [`Attempt`]); an [`Error`] is a failure of the database. Callers pass the
//! time in. In a text, U+0000 is stored as U+2400.

#[macro_use]
pub mod db;

pub mod audit;
pub mod change;
mod clock;
pub mod connectors;
pub mod dashboard;
pub mod decisions;
mod error;
pub mod events;
mod id;
pub mod logs;
mod name;
pub mod orgs;
pub mod page;
pub mod policies;
pub mod projects;
pub mod sessions;
pub mod tickets;
mod time;
pub mod users;

pub use audit::{Act, Actor, AuditEntry, AuditFilter, AuditVerdict, AuditedTx};
pub use change::{Changed, Created, Deleted, MemberChanged};
pub use clock::Clock;
pub use connectors::{Connector, ConnectorText, Finding};
pub use dashboard::{EVERY_PROJECT, Gathered, HourlyCount, LogSummary, Period, Unjudged, Wanted};
pub use db::{
    CopiedTable, CopyFault, Db, Epoch, Heads, OrgChanges, Probe, Sqlite, StoreHealth, Tx, check_backup,
};
pub use decisions::{
    Aftermath, Challenge, Charge, Decision, NewChallenge, NewReview, PiiToken, Review, ReviewFilter,
    ReviewStatus, Ruling, Trust, TrustEvent, TrustMove,
};
pub use error::{Error, Result, StoreError};
pub use events::{
    CREDITS_LOW, Delivered, Event, EventFilter, EventPage, EventSubscription, NewEvent, SubscriptionText,
    Undelivered,
};
pub use id::new_id;
pub use logs::{
    ExportLag, Log, LogDetail, LogFilter, LogReader, LogSize, LogTraits, NumberedLog, Unexported,
};
pub use name::is_same_name;
pub use orgs::{CreditEntry, Org, OrgOfUser};
pub use page::{Page, Paged};
pub use policies::{Policy, PolicyText, PolicyVersion};
pub use projects::{NewProject, Project, ProjectChange, ProjectMember, ProjectMemberRole};
pub use sessions::{
    Acting, ApiKey, ApiKeyUse, ApiKeyUser, Attempt, LockoutRule, NewApiKey, NewSession, Refresh, Refreshed,
    Session, SessionUser, SigningKey,
};
pub use tickets::{External, NewTicket, PutOff, Ticket, TicketFilter};
pub use time::{NotATime, Timestamp};
pub use users::{Member, NewUser, Role, User};
