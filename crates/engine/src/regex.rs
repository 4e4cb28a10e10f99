//! Built-in regular expressions, compiled on first use.

use regex::Regex;

/// Number of compiled expressions.
#[cfg(test)]
pub(crate) static COMPILED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// Compiles a built-in regular expression.
///
/// # Panics
///
/// If it is malformed, which the first use in a test shows.
pub(crate) fn pattern(written: &str) -> Regex {
    #[cfg(test)]
    COMPILED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Regex::new(written).expect("the pattern is well formed")
}
