//! Regular expressions of our own, compiled when they are first asked for.

use regex::Regex;

/// How many were compiled.
#[cfg(test)]
pub(crate) static COMPILED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// A pattern that stands in our sources.
///
/// # Panics
///
/// Where it is not well formed, which the first use in a test shows.
pub(crate) fn pattern(written: &str) -> Regex {
    #[cfg(test)]
    COMPILED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Regex::new(written).expect("the pattern is well formed")
}
