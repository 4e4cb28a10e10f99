//! Outcomes of actions.

use super::Outcome;
use crate::guardrail::Action;

impl Action {
    /// Returns the outcome for a text that triggers.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Block => Outcome::Block,
            Self::Allow => Outcome::Allow,
            Self::Challenge => Outcome::Challenge,
            Self::Escalate => Outcome::Escalate,
        }
    }
}
