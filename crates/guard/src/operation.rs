//! The operations of the guard, with their names and prices.

use crate::Costs;

/// An operation of the guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Evaluates a prompt.
    Analyze,
    /// Evaluates a response.
    Validate,
    /// Masks a text.
    Mask,
    /// Decides on a prompt autonomously.
    Autonomous,
    /// Takes the user's answer to a challenge.
    Challenge,
    /// Evaluates audio.
    Audio,
    /// Redacts an image.
    MaskImage,
    /// Masks a document.
    MaskDocument,
}

impl Operation {
    /// Returns the name in log entries.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analyze => "analyze",
            Self::Validate => "validate",
            Self::Mask => "mask",
            Self::Autonomous => "autonomous",
            Self::Challenge => "challenge",
            Self::Audio => "audio",
            Self::MaskImage => "mask_image",
            Self::MaskDocument => "mask_document",
        }
    }

    /// Returns the name of its price, as in the configuration, the ledger and error messages.
    pub(crate) const fn priced_as(self) -> &'static str {
        match self {
            Self::MaskImage => "image",
            Self::MaskDocument => Self::Mask.name(),
            other => other.name(),
        }
    }

    /// Returns true for operations that mask and do not decide.
    pub(crate) const fn only_masks(self) -> bool {
        matches!(self, Self::Mask | Self::MaskImage | Self::MaskDocument)
    }

    /// Returns true if the operation with this name works in degraded mode. Operations that need challenges, reviews or
    /// trust scores do not.
    pub fn is_spoolable(name: &str) -> bool {
        [Self::Analyze, Self::Validate, Self::Mask].iter().any(|operation| operation.name() == name)
    }

    /// Returns its price in credits, excluding images.
    pub(crate) const fn cost(self, costs: &Costs) -> i64 {
        match self {
            Self::Analyze => costs.analyze,
            Self::Validate => costs.validate,
            Self::Mask | Self::MaskDocument => costs.mask,
            Self::Autonomous => costs.autonomous,
            // The decision that set the challenge was paid for, and images have a price of their own.
            Self::Challenge | Self::MaskImage => 0,
            Self::Audio => costs.audio,
        }
    }
}
