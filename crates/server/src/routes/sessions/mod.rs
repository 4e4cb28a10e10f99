//! Sign-in and sessions.

pub mod token;
pub mod login;
pub mod select_org;
pub mod refresh;
pub mod logout;
pub mod change_password;
