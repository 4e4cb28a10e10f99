//! Rows, on SQLite and PostgreSQL. One [`Db`], one SQL text a query, compiled for both.
//!
//! `None` and `false` mean "not there" or "not enough"; refusals are typed answers ([`Created`], [`Changed`],
//! [`Deleted`], [`MemberChanged`], [`Refreshed`], [`Charge`], [`Attempt`]); an [`Error`] is the database's own. Times are passed in.
//! A text with U+0000 is kept with its symbol U+2400 instead.
//!
//! | noun | methods of [`Db`] |
//! |---|---|
//! | database | `open` `ping` `probe` `close` `back_up_to` `copy_to` `is_unfinished_copy` |
//! | organisations | `bootstrap` `create_org` `org` `orgs` `org_named` `orgs_of_user` `limits` `set_limits` `sealed_data_key` `keep_sealed_data_key` `sealed_data_keys` `replace_sealed_data_key` |
//! | credits | `balance` `set_credits` `credit_entries` |
//! | users | `create_user` `user` `user_named` `set_password_hash` |
//! | memberships | `add_member` `member` `role_of_member` `members` `set_role_of_member` `remove_member` |
//! | roles | `create_role` `role` `role_named` `roles` `update_role` `delete_role` |
//! | installation | `setting` `keep_setting` `set_setting` `add_signing_key` `signing_keys` `replace_signing_key` `forget_signing_keys_before` |
//! | sessions | `start_session` `session` `touch_sessions` `refresh_session` `session_of_refresh_token` `end_session` `end_sessions_of_user` `forget_sessions_before` |
//! | choice of organisation | `keep_pre_auth_token` `user_of_pre_auth_token` `spend_pre_auth_token` |
//! | lockouts | `attempt_login` `forgive_login` `forget_login_attempts` |
//! | API keys | `create_api_key` `api_key_by_hash` `api_key` `api_keys` `revoke_api_key` `add_api_key_uses` |
//! | policies | `create_policy` `policy` `policies` `policy_version` `policy_versions` `update_policy` `delete_policy` `projects_using_policy` |
//! | connectors | `create_connector` `connector` `connectors` `update_connector` `delete_connector` `policies_naming_connector` `claim_due_connectors` `keep_finding` |
//! | projects | `create_project` `project` `projects` `update_project` `delete_project` |
//! | project members | `add_project_member` `remove_project_member` `is_project_member` `project_members` `project_member_names` `members_of_project` |
//! | decisions | `commit_decisions` (rows, credits, tokens and aftermath of many in one transaction) `replay_decisions` |
//! | challenges | `challenge` `forget_challenges_before` |
//! | reviews | `review` `reviews` `decide_review` `untold_expiries` `tell_expiry` `forget_reviews_before` |
//! | events | `last_event_sequence` `events_after` `event_before` `forget_events_before` |
//! | event subscriptions | `create_event_subscription` `event_subscription` `event_subscriptions` `subscription_of_connector` `update_event_subscription` `delete_event_subscription` `replay_events` `claim_due_subscriptions` `keep_delivery` |
//! | tickets | `ticket` `tickets` `claim_due_tickets` `settle_ticket` `put_off_ticket` `give_up_ticket` `raise_ticket_anew` `retry_ticket` `forget_tickets_before` |
//! | trust | `trust` `forget_trust` |
//! | logs | `log` `log_detail` `mark_log` `logs` `log_traits` `logs_by_id` `last_log_sequence` `logs_after` `forget_logs_before` `make_log_months` `forget_log_months_before` |
//! | export of the log | `start_log_export` `lease_log_export` `release_log_export` `behind_with_log_export` `log_export_lag` `log_sizes_after` `move_log_export` |
//! | figures | `behind_with_rollups` `log_summaries` `roll_up` `add_unjudged` `unjudged` `figures` |
//! | vault | `keep_pii_tokens` `pii_tokens` |
//! | audit | `append_audit` `audit_entries` `verify_audit` `forget_audit_before` |

#[macro_use]
mod tx;

mod acting;
mod aftermath;
mod api_keys;
mod audit;
mod audit_chain;
mod backup;
mod challenges;
mod charge;
mod connectors;
mod copy;
mod credits;
mod db;
mod encryption;
mod error;
mod event_delivery;
mod event_subscriptions;
mod events;
mod figures;
mod id;
mod journal;
mod lockouts;
mod log_detail;
mod log_export;
mod log_facets;
mod log_filter;
mod log_months;
mod log_page;
mod log_reader;
mod log_search;
mod log_tail;
mod logs;
mod memberships;
mod name;
mod orgs;
mod outcome;
mod pii_tokens;
mod policies;
mod pre_auth;
mod probe;
mod project_members;
mod projects;
mod refresh;
mod replay;
mod reviews;
mod roles;
mod rollups;
mod sessions;
mod settings;
mod ticket_queue;
mod tickets;
mod time;
mod trust;
mod trust_scores;
mod unjudged;
mod users;

pub use acting::Acting;
pub use aftermath::Aftermath;
pub use api_keys::{ApiKey, ApiKeyUse, ApiKeyUser, NewApiKey};
pub use audit::{Act, AuditEntry, AuditFilter};
pub use audit_chain::AuditVerdict;
pub use backup::check_backup;
pub use challenges::{Challenge, NewChallenge};
pub use charge::Charge;
pub use connectors::{Connector, ConnectorText, Finding};
pub use copy::{CopiedTable, CopyFault};
pub use credits::CreditEntry;
pub use db::{Db, Sqlite};
pub use error::{Error, Result};
pub use event_delivery::{Delivered, Undelivered};
pub use event_subscriptions::{EventSubscription, SubscriptionText};
pub use events::{CREDITS_LOW, Event, EventFilter, EventPage, NewEvent};
pub use figures::{Gathered, Period, Wanted};
pub use id::new_id;
pub use journal::Decision;
pub use lockouts::{Attempt, LockoutRule};
pub use log_detail::LogDetail;
pub use log_export::{ExportLag, LogSize, Unexported};
pub use log_facets::LogTraits;
pub use log_filter::LogFilter;
pub use log_reader::LogReader;
pub use log_tail::NumberedLog;
pub use logs::Log;
pub use memberships::Member;
pub use name::is_same_name;
pub use orgs::{Org, OrgOfUser};
pub use outcome::{Changed, Created, Deleted, MemberChanged, Page, Paged};
pub use pii_tokens::PiiToken;
pub use policies::{Policy, PolicyText, PolicyVersion};
pub use probe::{Heads, Probe};
pub use project_members::{ProjectMember, ProjectMemberRole};
pub use projects::{NewProject, Project, ProjectChange};
pub use refresh::{Refresh, Refreshed};
pub use reviews::{NewReview, Review, ReviewFilter, ReviewStatus, Ruling};
pub use roles::Role;
pub use rollups::{EVERY_PROJECT, HourlyCount, LogSummary};
pub use sessions::{NewSession, Session, SessionUser};
pub use settings::SigningKey;
pub use ticket_queue::{External, PutOff};
pub use tickets::{NewTicket, Ticket, TicketFilter};
pub use time::{NotATime, Timestamp};
pub use trust::{Trust, TrustEvent};
pub use trust_scores::TrustMove;
pub use unjudged::Unjudged;
pub use users::{NewUser, User};
