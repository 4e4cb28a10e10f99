//! Policies.

mod applies_to;
mod compliance;
mod crud;
mod dry_run;
mod generate;
mod replay;
mod topics;
mod versions;
