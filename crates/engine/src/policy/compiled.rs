//! A policy made ready to run.

use std::collections::BTreeMap;

use super::{
    Invalid,
    verdict::Outcome,
    written::{Item, LlmReasoning, Mode, Policy},
};
use crate::{
    detectors::{self, Inspector},
    guardrail::{Direction, Guardrail},
    keywords::Keywords,
    pii::{Found, mask::Strategy},
    scores::label,
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
    pub kinds: Option<Vec<String>>,
    pub strategy: Strategy,
}

impl PiiRule {
    /// Whether the policy means this find: its kind is chosen, and it is sure enough.
    pub fn selects(&self, found: &Found) -> bool {
        detectors::pii::confidence(found, self.kinds.as_deref()).is_some_and(|sure| sure >= self.threshold)
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
        let mut policy = Policy::built_in();
        policy.guardrails.retain(|item| item.guardrail == "pii");
        for item in &mut policy.guardrails {
            item.threshold = MASKS_ALL;
            item.pii_kinds.clone_from(&self.pii.kinds);
            item.pii_masking_enabled = Some(true);
            item.pii_masking_strategy = Some(strategy);
        }
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
        self.armed.iter().map(|armed| armed.guardrail).filter(|guardrail| label(guardrail.name).is_some())
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

fn arm(item: &Item) -> Result<(Armed, bool), Invalid> {
    let detector = detectors::detector(&item.guardrail)
        .ok_or_else(|| Invalid::value("guardrail", "must name a guardrail"))?;
    let masks = item.pii_masking_enabled == Some(true);
    let armed = Armed {
        guardrail: detector.guardrail(),
        threshold: item.threshold,
        outcome: if masks { Outcome::Mask } else { item.action.outcome() },
        exceptions: Keywords::new(&item.exceptions),
        inspector: detector.compile(item)?,
    };
    Ok((armed, detector.needs_scores()))
}

/// A policy without `pii` still has a rule, for requests that ask for masking themselves.
fn pii_rule(policy: &Policy) -> PiiRule {
    let item = policy.guardrails.iter().find(|item| item.guardrail == "pii" && item.enabled);
    PiiRule {
        threshold: item.map_or(Item::MASKING_THRESHOLD, |item| item.threshold),
        kinds: item.and_then(|item| item.pii_kinds.clone()),
        strategy: item.and_then(|item| item.pii_masking_strategy).unwrap_or(Strategy::Partial),
    }
}
