//! Decisions of the guard: committed in batches with their log entries, charges and side effects.

mod challenges;
mod charge;
pub(crate) mod commit;
mod pii_tokens;
mod replay;
mod reviews;
mod side_effects;
mod trust;
mod trust_value;

pub use challenges::{Challenge, NewChallenge};
pub use charge::Charge;
pub use commit::DecisionRecord;
pub use pii_tokens::PiiToken;
pub use reviews::{NewReview, Review, ReviewDecision, ReviewFilter, ReviewStatus};
pub use side_effects::SideEffects;
pub use trust::TrustUpdate;
pub use trust_value::{Trust, TrustEvent};
