//! A policy made ready to run.

use std::collections::BTreeMap;

use super::{
    Invalid,
    verdict::Outcome,
    written::{GuardrailConfig, LlmReasoning, Mode, Policy},
};
use crate::{
    detectors::{self, Inspector, pii},
    guardrail::{Direction, Guardrail},
    keywords::Keywords,
    pii::{Found, mask::Strategy},
};

/// A guardrail made ready to run.
pub(super) struct Armed {
    pub guardrail: &'static Guardrail,
    pub threshold: f32,
    pub outcome: Outcome,
    pub exceptions: Keywords,
    pub inspector: Box<dyn Inspector>,
}

/// A guardrail as the policy lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Wire name.
    pub name: &'static str,
    /// What it does when it triggers.
    pub outcome: Outcome,
    /// Whether it runs.
    pub enabled: bool,
}

/// A text that is handed in to be masked loses even an ordinary web address.
const MASKS_ALL: f32 = 0.4;

/// What a policy says of personal data.
pub(super) struct PiiRule {
    pub threshold: f32,
    pub selection: pii::Selection,
    pub strategy: Strategy,
}

impl PiiRule {
    /// Returns whether the policy selects the type of this entity, and its confidence reaches the threshold.
    pub fn selects(&self, found: &Found) -> bool {
        self.selection.confidence(found).is_some_and(|confidence| confidence >= self.threshold)
    }
}

/// A policy made ready to run: every setting checked, every pattern and list compiled.
pub struct Compiled {
    pub(super) mode: Mode,
    pub(super) needs_scores: bool,
    pub(super) max_prompt_length: usize,
    pub(super) allowed: Keywords,
    pub(super) blocked: Keywords,
    pub(super) blocked_words: Vec<String>,
    pub(super) armed: Vec<Armed>,
    pub(super) listed: Vec<Listed>,
    pub(super) pii: PiiRule,
    pub(super) reasoning: LlmReasoning,
    pub(super) tickets: BTreeMap<&'static str, serde_json::Value>,
}

impl Compiled {
    /// Compiles a written policy. Disabled guardrails are checked too, so that enabling one cannot fail.
    pub fn compile(policy: &Policy) -> Result<Self, Invalid> {
        let (mut armed, mut listed, mut tickets) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut needs_scores = false;
        for (at, item) in policy.guardrails.iter().enumerate() {
            let (one, scored) = arm(item).map_err(|fault| fault.under(&format!("guardrails.{at}")))?;
            let (name, outcome, enabled) = (one.guardrail.name, one.outcome, item.enabled);
            listed.push(Listed { name, outcome, enabled });
            if item.enabled {
                armed.push(one);
                needs_scores |= scored;
                tickets.extend(item.ticket.clone().map(|ticket| (name, ticket)));
            }
        }
        Ok(Self {
            mode: policy.mode,
            needs_scores,
            max_prompt_length: policy.max_prompt_length as usize,
            allowed: Keywords::new(&policy.allowed_keywords),
            blocked: Keywords::new(&policy.blocked_keywords),
            blocked_words: policy.blocked_keywords.clone(),
            armed,
            listed,
            pii: pii_rule(policy),
            reasoning: policy.llm_reasoning.clone().unwrap_or_default(),
            tickets,
        })
    }

    /// A policy that only masks the kinds this one names, every find that is worth a mask.
    pub fn masking_alone(&self, strategy: Strategy) -> Result<Self, Invalid> {
        let item = GuardrailConfig {
            threshold: MASKS_ALL,
            settings: self.pii.selection.masked_by(strategy),
            ..GuardrailConfig::of(&pii::GUARDRAIL)
        };
        let policy = Policy { guardrails: vec![item], ..Policy::built_in() };
        Ok(Self { max_prompt_length: usize::MAX, ..Self::compile(&policy)? })
    }

    /// Whether texts of that direction are judged.
    pub fn guards(&self, direction: Direction) -> bool {
        self.mode.guards(direction)
    }

    /// Every guardrail of the policy in its order, those that are switched off too.
    pub fn guardrails(&self) -> &[Listed] {
        &self.listed
    }

    /// The guardrails that run and that a language model can have an opinion about: those that are learned.
    pub fn arguable(&self) -> impl Iterator<Item = &'static Guardrail> {
        self.armed.iter().map(|armed| armed.guardrail).filter(|guardrail| guardrail.has_score())
    }

    /// What it says of second opinions.
    pub const fn llm_reasoning(&self) -> &LlmReasoning {
        &self.reasoning
    }

    /// The ticket that an enabled guardrail asks for when it triggers, as it is written.
    pub fn ticket(&self, guardrail: &str) -> Option<&serde_json::Value> {
        self.tickets.get(guardrail)
    }

    /// Whether an enabled guardrail reads classifier scores.
    pub const fn needs_scores(&self) -> bool {
        self.needs_scores
    }
}

fn arm(item: &GuardrailConfig) -> Result<(Armed, bool), Invalid> {
    let detector = detectors::detector(&item.guardrail)
        .ok_or_else(|| Invalid::value("guardrail", "must name a guardrail"))?;
    let guardrail = detector.guardrail();
    let armed = Armed {
        guardrail,
        threshold: item.threshold,
        outcome: if item.masks() { Outcome::Mask } else { item.action.outcome() },
        exceptions: Keywords::new(&item.exceptions),
        inspector: detector.parse(&item.settings)?,
    };
    Ok((armed, guardrail.has_score()))
}

/// A policy without a guardrail that masks still has a rule, for requests that ask for masking themselves.
fn pii_rule(policy: &Policy) -> PiiRule {
    let enabled = policy.guardrails.iter().filter(|item| item.enabled);
    let item = enabled.filter_map(|item| Some((item, item.mask_settings()?))).next();
    let Some((item, masking)) = item else {
        let threshold = pii::MASKING.default_threshold;
        return PiiRule { threshold, selection: pii::Selection::ALL, strategy: Strategy::Partial };
    };
    PiiRule {
        threshold: item.threshold,
        selection: pii::Selection::of(&item.settings),
        strategy: item.settings.text(masking.strategy).and_then(Strategy::named).unwrap_or(Strategy::Partial),
    }
}
