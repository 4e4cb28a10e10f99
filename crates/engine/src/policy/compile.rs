//! Compiled policies, ready to evaluate.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    FieldError,
    document::{GuardrailConfig, LlmReasoning, Mode, Policy},
    verdict::Outcome,
};
use crate::{
    deadline::Deadline,
    detectors::{self, Inspector, pii},
    guardrail::{Direction, Guardrail},
    keywords::Keywords,
    pii::{
        CustomTypes, Entity, find_all,
        mask::{MaskKeys, Strategy},
    },
    sources::{Source, Sources},
    stream::MaskOptions,
    text::Text,
    topics::{NoVectors, TopicEncoder, Topics},
};

/// An enabled guardrail, ready to run.
pub(super) struct EnabledGuardrail {
    pub guardrail: &'static Guardrail,
    pub threshold: f32,
    pub outcome: Outcome,
    pub applies_to: Sources,
    pub exceptions: Keywords,
    pub inspector: Box<dyn Inspector>,
}

/// Summary of a guardrail of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardrailSummary {
    /// Wire name.
    pub name: &'static str,
    /// Outcome when it triggers.
    pub outcome: Outcome,
    /// Whether it runs.
    pub enabled: bool,
}

/// Bytes that a new or changed policy may take when it is compiled.
const MAX_COMPILED_BYTES: usize = 64 << 20;

/// Threshold for requests that only mask: even an ordinary web address is masked.
const MASKS_ALL: f32 = 0.4;

/// The PII settings of a policy.
pub(super) struct PiiRule {
    pub threshold: f32,
    pub selection: pii::Selection,
    pub strategy: Strategy,
    pub custom: Arc<CustomTypes>,
}

/// A policy ready to run: every setting checked, every pattern and list compiled.
pub struct CompiledPolicy {
    pub(super) mode: Mode,
    pub(super) needs_scores: bool,
    pub(super) max_prompt_length: usize,
    pub(super) allowed: Keywords,
    pub(super) blocked: Keywords,
    pub(super) blocked_words: Vec<String>,
    pub(super) enabled: Vec<EnabledGuardrail>,
    pub(super) summaries: Vec<GuardrailSummary>,
    pub(super) pii: PiiRule,
    pub(super) reasoning: LlmReasoning,
    pub(super) tickets: BTreeMap<&'static str, serde_json::Value>,
    pub(super) incomplete_coverage: Outcome,
}

impl CompiledPolicy {
    /// Compiles a policy. Disabled guardrails are checked, too, so that enabling one cannot fail.
    pub fn compile(policy: &Policy) -> Result<Self, FieldError> {
        let (mut enabled, mut summaries, mut tickets) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut needs_scores = false;
        for (at, item) in policy.guardrails.iter().enumerate() {
            let (one, scored) = compile(item).map_err(|error| error.under(&format!("guardrails.{at}")))?;
            let (name, outcome) = (one.guardrail.name, one.outcome);
            summaries.push(GuardrailSummary { name, outcome, enabled: item.enabled });
            if item.enabled {
                enabled.push(one);
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
            enabled,
            summaries,
            pii: pii_rule(policy)?,
            reasoning: policy.llm_reasoning.clone().unwrap_or_default(),
            tickets,
            incomplete_coverage: policy.incomplete_coverage.action.outcome(),
        })
    }

    /// Compiles a new or changed policy. Also checks what stored policies from before need not meet.
    pub fn compile_new(policy: &Policy) -> Result<Self, FieldError> {
        let compiled = Self::compile(policy)?;
        for (at, item) in policy.guardrails.iter().enumerate() {
            let checked = detectors::detector(&item.guardrail).map(|detector| detector.check(&item.settings));
            checked.transpose().map_err(|error| error.under(&format!("guardrails.{at}")))?;
        }
        let bytes = compiled.memory_usage();
        if bytes > MAX_COMPILED_BYTES {
            let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
            let accepted = format!(
                "must compile to at most {} MiB with its keywords; this takes {} MiB",
                mebibytes(MAX_COMPILED_BYTES),
                mebibytes(bytes)
            );
            return Err(FieldError::value("guardrails", accepted));
        }
        Ok(compiled)
    }

    /// Fits the topics of the policy to their examples. A policy with topics evaluates nothing before that.
    pub fn fit(&mut self, encoder: &dyn TopicEncoder) -> Result<(), NoVectors> {
        let mut topics = self.enabled.iter_mut().filter_map(|enabled| enabled.inspector.topics_mut());
        topics.try_for_each(|topics| topics.fit(encoder))
    }

    /// Iterates over the topics of the enabled guardrails.
    fn topics(&self) -> impl Iterator<Item = &Topics> {
        self.enabled.iter().filter_map(|enabled| enabled.inspector.topics())
    }

    /// Returns whether an enabled guardrail reads the vectors of texts.
    pub fn needs_vectors(&self) -> bool {
        self.topics().any(|topics| !topics.is_empty())
    }

    /// Returns whether every topic is fitted.
    pub fn is_fitted(&self) -> bool {
        self.topics().all(Topics::is_fitted)
    }

    /// Iterates over the names of the fitted topics and the share of harmless texts that each is expected to flag.
    pub fn expected_false_positives(&self) -> impl Iterator<Item = (&str, f32)> {
        self.topics().flat_map(Topics::expected_false_positives)
    }

    /// Returns the bytes that the compiled policy takes: keywords, exceptions, patterns, terms and documents.
    pub fn memory_usage(&self) -> usize {
        let guardrail = |one: &EnabledGuardrail| one.exceptions.memory_usage() + one.inspector.memory_usage();
        let words: usize = self.blocked_words.iter().map(|word| word.len() + size_of::<String>()).sum();
        self.allowed.memory_usage()
            + self.blocked.memory_usage()
            + words
            + self.enabled.iter().map(guardrail).sum::<usize>()
            + self.pii.custom.memory_usage()
            + size_of::<Self>()
    }

    /// Returns a policy that only masks the PII types of this one.
    pub fn masking_only(&self, strategy: Strategy) -> Result<Self, FieldError> {
        let item = GuardrailConfig {
            threshold: MASKS_ALL,
            settings: self.pii.selection.masked_by(strategy),
            ..GuardrailConfig::of(&pii::GUARDRAIL)
        };
        let policy = Policy { guardrails: vec![item], ..Policy::built_in() };
        let masking = Self::compile(&policy)?;
        Ok(Self { max_prompt_length: usize::MAX, incomplete_coverage: Outcome::Allow, ..masking })
    }

    /// Returns the entities of every PII type in `text`, built in or of this policy, and those of a `shadow` policy besides.
    /// Values of custom types may overlap others.
    pub fn find_pii(&self, text: &Text<'_>, shadow: Option<&Self>, deadline: &Deadline) -> Vec<Entity> {
        let mut found = find_all(text);
        let custom = &self.pii.custom;
        found.extend(custom.find(text, deadline));
        let shadowed = shadow.map_or_else(Vec::new, |shadow| shadow.pii.custom.find(text, deadline));
        found.extend(shadowed.into_iter().filter(|entity| !custom.defines(&entity.kind)));
        found.sort_by_key(|entity| entity.span);
        found
    }

    /// Returns whether the policy is about the built-in PII type of this name.
    pub fn selects_pii(&self, name: &str) -> bool {
        self.pii.selection.has_built_in(name)
    }

    /// Returns whether an enabled guardrail reads what images show, not only the text in them.
    pub fn looks_at_images(&self) -> bool {
        self.enabled.iter().any(|enabled| enabled.inspector.looks_at_images())
    }

    /// Returns whether texts of this direction are evaluated.
    pub fn guards(&self, direction: Direction) -> bool {
        self.mode.guards(direction)
    }

    /// Returns how responses are masked while they arrive; `None` if the policy does not mask them.
    pub fn stream_masking(self: &Arc<Self>, keys: &MaskKeys) -> Option<MaskOptions> {
        let masks = |one: &EnabledGuardrail| {
            one.guardrail.masks.is_some()
                && one.outcome == Outcome::Mask
                && one.applies_to.contains(Source::Response)
        };
        if !self.guards(Direction::Output) || !self.enabled.iter().any(masks) {
            return None;
        }
        let policy = Arc::clone(self);
        let strategies = self.pii.selection.strategies(self.pii.strategy, Direction::Output);
        let selects =
            Box::new(move |entity: &Entity| policy.pii.selection.selects(entity, Direction::Output));
        let custom = Arc::clone(&self.pii.custom);
        Some(MaskOptions { strategies, keys: keys.clone(), selects, custom })
    }

    /// Returns every guardrail of the policy in its order, including disabled ones.
    pub fn guardrails(&self) -> &[GuardrailSummary] {
        &self.summaries
    }

    /// Iterates over the enabled guardrails with a learned score, about which a language model can give an opinion.
    pub fn arguable(&self) -> impl Iterator<Item = &'static Guardrail> {
        self.enabled.iter().map(|enabled| enabled.guardrail).filter(|guardrail| guardrail.has_score())
    }

    /// Returns the settings of second opinions.
    pub const fn llm_reasoning(&self) -> &LlmReasoning {
        &self.reasoning
    }

    /// Returns the ticket to create when an enabled guardrail triggers, as written.
    pub fn ticket(&self, guardrail: &str) -> Option<&serde_json::Value> {
        self.tickets.get(guardrail)
    }

    /// Returns whether an enabled guardrail reads classifier scores.
    pub const fn needs_scores(&self) -> bool {
        self.needs_scores
    }
}

fn compile(item: &GuardrailConfig) -> Result<(EnabledGuardrail, bool), FieldError> {
    let detector = detectors::detector(&item.guardrail)
        .ok_or_else(|| FieldError::value("guardrail", "must name a guardrail"))?;
    let guardrail = detector.guardrail();
    let compiled = EnabledGuardrail {
        guardrail,
        threshold: item.threshold,
        outcome: if item.masks() { Outcome::Mask } else { item.action.outcome() },
        applies_to: item.applies_to.unwrap_or(guardrail.default_sources()),
        exceptions: Keywords::new(&item.exceptions),
        inspector: detector.parse_at(&item.settings, item.threshold)?,
    };
    Ok((compiled, guardrail.has_score()))
}

/// A policy without a guardrail that masks still has a rule, for requests that ask for masking themselves.
fn pii_rule(policy: &Policy) -> Result<PiiRule, FieldError> {
    let mut enabled = policy.guardrails.iter().filter(|item| item.enabled);
    let item = enabled.find_map(|item| Some((item, item.mask_settings()?)));
    let Some((item, masking)) = item else {
        let threshold = pii::MASKING.default_threshold;
        let selection = pii::Selection::all(threshold);
        return Ok(PiiRule { threshold, selection, strategy: Strategy::Partial, custom: Arc::default() });
    };
    let selection = pii::Selection::of(&item.settings, item.threshold)?;
    Ok(PiiRule {
        threshold: item.threshold,
        custom: Arc::new(selection.custom_types()?),
        selection,
        strategy: item.settings.text(masking.strategy).and_then(Strategy::named).unwrap_or(Strategy::Partial),
    })
}
