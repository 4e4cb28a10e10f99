//! The rule for texts that were not read completely.

use serde::{Deserialize, Serialize};

use crate::guardrail::Action;

/// Action of a policy on a text that was not read completely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageRule {
    /// Block by default. Allow turns the rule off.
    pub action: Action,
}

impl CoverageRule {
    /// Returns the rule of policies that were stored before it existed. They keep deciding as they did.
    pub(super) const fn of_earlier_policies() -> Self {
        Self { action: Action::Allow }
    }
}
