//! Guardrails.

use guardengine_engine::detectors;
use serde_json::json;

use super::markdown::{cell, code, codes, mark, table};

/// Every guardrail.
pub fn guardrails() -> String {
    let rows = detectors::DETECTORS.iter().map(|detector| {
        let guardrail = detector.guardrail();
        vec![
            code(guardrail.name),
            code(json!(guardrail.group).as_str().unwrap_or_default()),
            cell(guardrail.description),
            format!("{:.2}", guardrail.default_threshold),
            codes(guardrail.settings.iter().map(|setting| setting.name)),
            mark(guardrail.has_score()),
            mark(guardrail.in_default_policy),
        ]
    });
    let heading =
        ["guardrail", "group", "detects", "threshold", "own settings", "learned score", "built-in policy"];
    table(&heading, rows)
}
