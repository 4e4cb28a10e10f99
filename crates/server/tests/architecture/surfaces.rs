//! Surfaces translate: they use the guard, never our own endpoints, and nothing else knows a vendor.

use super::guardrails::sources;

const SURFACES: &str = "server/src/surfaces/";

#[test]
fn surfaces_know_nothing_of_routes() {
    let surfaces: Vec<_> = sources().into_iter().filter(|(path, _)| path.starts_with(SURFACES)).collect();
    assert!(surfaces.len() > 10, "{} files of surfaces", surfaces.len());
    for (path, code) in surfaces {
        assert!(!code.contains("routes::{") && !code.contains("crate::routes"), "{path} uses routes");
    }
}
