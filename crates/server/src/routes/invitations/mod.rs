//! Invitations to the organization, by a link.

pub mod create;
pub mod list;
mod response;
pub mod revoke;
