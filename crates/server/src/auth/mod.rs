//! Authentication: passwords, tokens, sessions and API keys.

pub mod api_key;
pub mod password;
pub mod secret;
pub mod session;
pub mod sign_in;
pub mod signing_keys;
pub mod token;
pub mod usage;
