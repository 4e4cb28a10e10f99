//! Conditions of alert rules.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The condition of a rule. Periods are in minutes and end at the evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = AlertCondition)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Condition {
    /// The share of blocked requests of a period.
    BlockRate {
        /// Share from which the rule fires, 0.01 to 1.
        share: f64,
        /// Requests of the period below which it does not fire, 1 to 1,000,000.
        min_count: i64,
        /// Length of the period, 5 to 360 minutes.
        period_minutes: i64,
    },
    /// Blocks by one guardrail in a period, compared with the period of the same length before.
    GuardrailSpike {
        /// Guardrail that triggered.
        guardrail: String,
        /// Factor from which the rule fires: blocks of the period over those of the period before, 1.1 to 100.
        factor: f64,
        /// Blocks of the period below which it does not fire, 1 to 1,000,000.
        min_count: i64,
        /// Length of the period, 5 to 360 minutes.
        period_minutes: i64,
    },
    /// The balance of credits.
    CreditsLow {
        /// Balance below which the rule fires, in credits.
        balance: i64,
    },
    /// An enabled connector with the status `error`.
    ConnectorDown {
        /// Connector; any if null.
        connector_id: Option<Uuid>,
    },
    /// A part of the service that does not work, as `/readyz?verbose` reports it.
    EngineDegraded {},
}

impl Condition {
    /// Wire names of the types.
    pub const TYPES: [&str; 5] =
        ["block_rate", "guardrail_spike", "credits_low", "connector_down", "engine_degraded"];

    /// Returns the wire name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BlockRate { .. } => "block_rate",
            Self::GuardrailSpike { .. } => "guardrail_spike",
            Self::CreditsLow { .. } => "credits_low",
            Self::ConnectorDown { .. } => "connector_down",
            Self::EngineDegraded {} => "engine_degraded",
        }
    }

    /// Returns true if the condition can be restricted to a project.
    pub const fn is_of_project(&self) -> bool {
        matches!(self, Self::BlockRate { .. } | Self::GuardrailSpike { .. })
    }
}
