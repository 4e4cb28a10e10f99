use guardengine_engine::{
    detectors,
    guardrail::{Direction, Group, Guardrail},
};
use guardengine_evaluation::{Cost, Point};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    compliance::{self, FrameworkName, Mapping},
    http::{Answer, Json},
    measured_thresholds::{MEASURED, costs, points},
};

/// Every guardrail judges both directions; a policy's mode chooses.
const DIRECTIONS: [Direction; 2] = [Direction::Input, Direction::Output];
/// What a policy item says of any guardrail.
const COMMON: [&str; 5] = ["description", "threshold", "enabled", "action", "ticket"];

/// A guardrail.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailRecord {
    /// Wire name.
    guardrail: &'static str,
    /// The group it stands in, `prompt_security` for example.
    #[schema(value_type = String)]
    group: Group,
    /// What it looks for.
    description: &'static str,
    /// `input` (prompts) and `output` (responses).
    #[schema(value_type = Vec<String>)]
    directions: [Direction; 2],
    /// Triggers from this confidence on unless a policy says otherwise.
    default_threshold: f64,
    /// Fields of a policy item that it reads.
    settings: Vec<&'static str>,
    /// Measured recall and false-positive rate by threshold; null where no texts of that kind were measured.
    #[schema(value_type = Vec<Object>)]
    operating_points: &'static [Point],
    /// The lowest thresholds at which at most that share of plain, harmless texts triggers: what `false_positive_budget`
    /// of a policy picks from.
    #[schema(value_type = Vec<Object>)]
    false_positive_costs: &'static [Cost],
    /// Controls of compliance frameworks that it serves.
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
            settings: COMMON.iter().chain(guardrail.settings).copied().collect(),
            operating_points: points(guardrail.name),
            false_positive_costs: costs(guardrail.name),
            controls: compliance::served_by(guardrail.name),
        }
    }
}

/// The catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct Guardrails {
    guardrails: Vec<GuardrailRecord>,
    /// What the operating points are about.
    measured: &'static str,
    /// The frameworks that the controls belong to.
    frameworks: Vec<FrameworkName>,
}

/// List guardrails
///
/// What each looks for, what a policy can set of it, how well it was measured to detect, and which controls of
/// compliance frameworks it serves.
#[utoipa::path(
    get, path = "/api/guardrails", tag = "policies", operation_id = "guardrails_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The catalogue", body = Guardrails),
    )
)]
pub async fn handle() -> Answer<Guardrails> {
    let guardrails = detectors::ALL.iter().map(|detector| GuardrailRecord::of(detector.guardrail()));
    Ok(Json(Guardrails {
        guardrails: guardrails.collect(),
        measured: MEASURED,
        frameworks: compliance::frameworks(),
    }))
}
