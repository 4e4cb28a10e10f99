//! Sign-in and sessions.

pub mod accept_invitation;
pub mod change_password;
pub mod invitation;
pub mod login;
pub mod logout;
pub mod refresh;
pub mod select_org;
pub mod switch_org;
pub mod token;
