//! Policies from files.

use std::path::Path;

use anyhow::{Context as _, Result};
use guardengine_engine::policy::document::Policy;
use serde_json::Value;

use crate::policies::measured_thresholds::false_positive_budget;

/// Reads a policy from a JSON file; the built-in policy without a file.
pub fn read(path: Option<&Path>) -> Result<Policy> {
    let Some(path) = path else { return Ok(Policy::built_in()) };
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let mut json: Value = serde_json::from_str(&text).with_context(|| format!("{name}: invalid JSON"))?;
    false_positive_budget::pick(&mut json);
    Policy::parse(&json).with_context(|| name.to_string())
}
