//! What a guard can be asked for.

use crate::config::Costs;

/// What is asked for, as the configuration names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A prompt.
    Analyze,
    /// A response.
    Validate,
    /// A text to be masked.
    Mask,
    /// A prompt, with an action.
    Autonomous,
    /// The user's answer to a challenge.
    Challenge,
    /// A recording.
    Audio,
    /// A picture to be painted over.
    MaskImage,
}

impl Operation {
    /// The name in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analyze => "analyze",
            Self::Validate => "validate",
            Self::Mask => "mask",
            Self::Autonomous => "autonomous",
            Self::Challenge => "challenge",
            Self::Audio => "audio",
            Self::MaskImage => "mask_image",
        }
    }

    /// The name of its price, in ledgers and refusals.
    pub(super) const fn priced_as(self) -> &'static str {
        match self {
            Self::MaskImage => "image",
            other => other.name(),
        }
    }

    /// Whether a mask is all that is wanted.
    pub(super) const fn only_masks(self) -> bool {
        matches!(self, Self::Mask | Self::MaskImage)
    }

    /// Whether an operation of that name may be answered while the store does not: what needs a challenge, a review or
    /// trust cannot.
    pub fn is_spoolable(name: &str) -> bool {
        [Self::Analyze, Self::Validate, Self::Mask].iter().any(|operation| operation.name() == name)
    }

    /// Its price in credits, without that of pictures.
    pub(super) const fn cost(self, costs: &Costs) -> i64 {
        match self {
            Self::Analyze => costs.analyze,
            Self::Validate => costs.validate,
            Self::Mask => costs.mask,
            Self::Autonomous => costs.autonomous,
            // The decision that challenged was paid for; a picture is priced as such.
            Self::Challenge | Self::MaskImage => 0,
            Self::Audio => costs.audio,
        }
    }
}
