//! What a policy does when a guardrail triggers.

use serde::{Deserialize, Serialize};

use super::Outcome;

/// The action of a guardrail, as a policy writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Stop the text.
    #[default]
    Block,
    /// Let it through and tell.
    Allow,
    /// Stop it until the user confirms.
    Challenge,
    /// Stop it until a reviewer decides.
    Escalate,
}

impl Action {
    /// Every action by its written name.
    pub const ALL: [(&'static str, Self); 4] = [
        ("Block", Self::Block),
        ("Allow", Self::Allow),
        ("Challenge", Self::Challenge),
        ("Escalate", Self::Escalate),
    ];

    /// What becomes of the text.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Block => Outcome::Block,
            Self::Allow => Outcome::Allow,
            Self::Challenge => Outcome::Challenge,
            Self::Escalate => Outcome::Escalate,
        }
    }
}
