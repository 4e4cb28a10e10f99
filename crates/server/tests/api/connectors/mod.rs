//! Connectors.

mod crud;
mod test;
