//! Passages recognised again.
