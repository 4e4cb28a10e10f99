use guardengine_engine::{
    detectors,
    guardrail::{Direction, Group, Guardrail},
    sources::Sources,
};
use guardengine_evaluation::{Cost, Point};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{Answer, Json},
    policies::{
        compliance::{self, KnownFramework, Mapping},
        measured_thresholds::{MEASURED, costs, points},
        pii_types::{self, PiiTypeRecord},
        written::WrittenSource,
    },
};

/// Every guardrail supports both directions. The policy's mode selects them.
const DIRECTIONS: [Direction; 2] = [Direction::Input, Direction::Output];
/// Settings that all guardrails have.
const COMMON: [&str; 6] = ["description", "threshold", "enabled", "action", "applies_to", "ticket"];

/// Measured rates at a threshold.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes `Point`, whose crate does not depend on HTTP")]
struct OperatingPoint {
    /// Confidences at or above it trigger.
    threshold: f64,
    /// Share of the positives that trigger; null without positives.
    #[schema(required)]
    recall: Option<f64>,
    /// Share of the negatives that trigger; null without negatives.
    #[schema(required)]
    false_positive_rate: Option<f64>,
    /// Number of positives.
    positives: usize,
    /// Number of negatives.
    negatives: usize,
}

/// Lowest threshold that keeps within a share of false positives.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes `Cost`, whose crate does not depend on HTTP")]
struct FalsePositiveCost {
    /// Share of the harmless texts that trigger at most.
    share: f64,
    /// The threshold; above 1 if too many texts have a confidence of 1.
    threshold: f64,
}

/// A guardrail.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailRecord {
    /// Name in the API.
    #[schema(value_type = crate::schemas::GuardrailName)]
    guardrail: &'static str,
    /// Group, such as `prompt_security`.
    #[schema(value_type = String)]
    group: Group,
    /// Description of what the guardrail detects.
    description: &'static str,
    /// `input` (prompts) and `output` (responses).
    #[schema(value_type = Vec<guardengine_api_types::choices::Direction>)]
    directions: [Direction; 2],
    /// Default threshold.
    default_threshold: f64,
    /// Sources that it applies to unless a policy sets others: `prompt`, `history`, `documents`, `response`, `media`.
    #[schema(value_type = Vec<WrittenSource>)]
    applies_to: Sources,
    /// Settings that a policy can set for the guardrail.
    settings: Vec<&'static str>,
    /// Measured recall and false-positive rate by threshold; null if not measured.
    #[schema(value_type = Vec<OperatingPoint>)]
    operating_points: &'static [Point],
    /// Lowest thresholds at which at most the given share of harmless texts triggers. `false_positive_budget` of a
    /// policy selects from these.
    #[schema(value_type = Vec<FalsePositiveCost>)]
    false_positive_costs: &'static [Cost],
    /// Controls of compliance frameworks that the guardrail supports.
    controls: Vec<Mapping>,
}

impl GuardrailRecord {
    fn of(guardrail: &'static Guardrail) -> Self {
        // An f32 of 0.7 widened to f64 would be sent as 0.699999988079071.
        let default_threshold = (f64::from(guardrail.default_threshold) * 1e6).round() / 1e6;
        Self {
            guardrail: guardrail.name,
            group: guardrail.group,
            description: guardrail.description,
            directions: DIRECTIONS,
            default_threshold,
            applies_to: guardrail.default_sources(),
            settings: COMMON
                .into_iter()
                .chain(guardrail.settings.iter().map(|setting| setting.name))
                .collect(),
            operating_points: points(guardrail.name),
            false_positive_costs: costs(guardrail.name),
            controls: compliance::served_by(guardrail.name),
        }
    }
}

/// All guardrails.
#[derive(Debug, Serialize, ToSchema)]
pub struct Guardrails {
    guardrails: Vec<GuardrailRecord>,
    /// Description of the measured data.
    measured: &'static str,
    /// Compliance frameworks of the controls.
    frameworks: Vec<KnownFramework>,
    /// PII types that the guardrail `pii` can be limited to.
    pii_types: Vec<PiiTypeRecord>,
}

/// List guardrails
///
/// Returns what each guardrail detects, its settings, its measured accuracy, and the compliance controls that it
/// supports; and the compliance frameworks and PII types that a policy can name.
#[utoipa::path(
    get, path = "/api/guardrails", tag = "policies", operation_id = "guardrails_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The catalogue", body = Guardrails),
    )
)]
pub async fn handle() -> Answer<Guardrails> {
    let guardrails = detectors::DETECTORS.iter().map(|detector| GuardrailRecord::of(detector.guardrail()));
    Ok(Json(Guardrails {
        guardrails: guardrails.collect(),
        measured: MEASURED,
        frameworks: compliance::frameworks(),
        pii_types: pii_types::records(),
    }))
}
