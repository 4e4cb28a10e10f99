//! Sign-in and sessions.

mod change_password;
mod login;
mod logout;
mod refresh;
mod select_org;
mod session_model;
mod sessions;
mod signing_keys;
mod switch_org;
mod token;
