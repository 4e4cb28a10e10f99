//! Which PII counts under a policy, from which confidence, and how it is masked.

use std::sync::Arc;

use super::{
    CUSTOM_TYPES, GUARDRAIL, MASKING_ENABLED, MASKING_STRATEGY, TYPES, custom_type,
    type_rule::{TYPE_RULES, TypeRule},
};
use crate::{
    fields::FieldError,
    guardrail::Direction,
    pii::{
        CustomType, CustomTypes, Entity, EntityType,
        mask::{Strategies, Strategy},
        types::pii_type,
    },
    settings::Settings,
};

/// Minimum confidence of an entity whose type the policy selects by name.
pub const SELECTED_CONFIDENCE: f32 = 0.7;

/// The PII settings of a policy.
#[derive(Debug)]
pub struct Selection {
    /// The selected built-in types; `None` for all but those that are opt-in.
    types: Option<Vec<String>>,
    rules: Vec<TypeRule>,
    /// The rules as written, for policies made of this one.
    written: Vec<serde_json::Value>,
    custom: Vec<Arc<CustomType>>,
    /// The custom types as written.
    written_custom: Vec<serde_json::Value>,
    threshold: f32,
}

impl Selection {
    /// Every PII type, from a confidence on.
    pub const fn all(threshold: f32) -> Self {
        Self {
            types: None,
            rules: Vec::new(),
            written: Vec::new(),
            custom: Vec::new(),
            written_custom: Vec::new(),
            threshold,
        }
    }

    /// Reads the settings of the guardrail, which has this threshold.
    pub fn of(settings: &Settings, threshold: f32) -> Result<Self, FieldError> {
        let custom = custom_type::read(settings)?;
        let types = settings.texts(TYPES.name);
        for (index, name) in types.iter().flatten().enumerate() {
            let field = || format!("{}.{index}", TYPES.name);
            super::check_type(name, &custom).map_err(|accepted| FieldError::value(field(), accepted))?;
        }
        let written = settings.records(TYPE_RULES.name);
        let read = |(index, rule)| {
            TypeRule::read(rule, &custom)
                .map_err(|error| error.under(&format!("{}.{index}", TYPE_RULES.name)))
        };
        let rules = written.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let (written, written_custom) = (written.to_vec(), settings.records(CUSTOM_TYPES.name).to_vec());
        Ok(Self { types, rules, written, custom, written_custom, threshold })
    }

    /// Returns the confidence of an entity under the policy, on the scale of the guardrail's threshold; `None` if its type
    /// is not selected or its value is let through.
    pub fn confidence(&self, found: &Entity, direction: Direction) -> Option<f32> {
        if !self.has(&found.kind) || self.allows(found, direction) {
            return None;
        }
        let own = self.latest(&found.kind, direction, |rule| rule.threshold);
        Some(match own {
            Some(own) if found.confidence >= own => found.confidence.max(self.threshold),
            Some(_) => found.confidence.min(self.threshold.next_down()).max(0.0),
            None if self.types.is_some() => found.confidence.max(SELECTED_CONFIDENCE),
            None => found.confidence,
        })
    }

    /// Returns whether it is about this type. Custom types are those of this policy, as it defines them.
    fn has(&self, kind: &EntityType) -> bool {
        match kind {
            EntityType::BuiltIn(name) => self.has_built_in(name),
            EntityType::Custom(custom) => self.custom.contains(custom),
        }
    }

    /// Returns whether it is about the built-in type of this name.
    pub fn has_built_in(&self, name: &str) -> bool {
        match &self.types {
            Some(types) => types.iter().any(|selected| selected == name),
            None => pii_type(name).is_none_or(|kind| !kind.is_opt_in()),
        }
    }

    /// Returns the custom types, ready to be searched for.
    pub fn custom_types(&self) -> Result<CustomTypes, FieldError> {
        let too_large = || FieldError::value(CUSTOM_TYPES.name, "must compile to less together");
        CustomTypes::new(self.custom.clone()).ok_or_else(too_large)
    }

    /// Returns whether an entity counts.
    pub fn selects(&self, found: &Entity, direction: Direction) -> bool {
        self.confidence(found, direction).is_some_and(|confidence| confidence >= self.threshold)
    }

    /// Returns how each type is masked in this direction where nothing else is said than `usual`.
    pub fn strategies(&self, usual: Strategy, direction: Direction) -> Strategies {
        let own = |rule: &TypeRule| {
            self.latest(rule.kind(), direction, |rule| rule.strategy).map(|own| (rule.kind().to_owned(), own))
        };
        let custom = self.custom.iter().map(|custom| custom.name().to_owned()).collect();
        Strategies::new(usual, self.rules.iter().filter_map(own).collect()).with_custom_types(custom)
    }

    /// Returns settings that mask what counts here by one strategy.
    pub fn masked_by(&self, strategy: Strategy) -> Settings {
        let mut settings = Settings::defaults(GUARDRAIL.settings);
        settings.set(MASKING_ENABLED.name, true);
        settings.set(MASKING_STRATEGY.name, strategy.name());
        if let Some(types) = &self.types {
            settings.set(TYPES.name, types.clone());
        }
        if !self.written.is_empty() {
            let mut rules = self.written.clone();
            rules.iter_mut().filter_map(|rule| rule.as_object_mut()).for_each(|rule| {
                rule.remove("strategy");
            });
            settings.set(TYPE_RULES.name, rules);
        }
        if !self.written_custom.is_empty() {
            settings.set(CUSTOM_TYPES.name, self.written_custom.clone());
        }
        settings
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        let custom: usize = self.custom.iter().map(|custom| custom.memory_usage()).sum();
        2 * (self.rules.iter().map(TypeRule::memory_usage).sum::<usize>() + custom)
    }

    fn allows(&self, found: &Entity, direction: Direction) -> bool {
        self.rules.iter().any(|rule| rule.is_about(&found.kind, direction) && rule.allows(found))
    }

    /// Returns what the last rule about a type says, one for this direction first.
    fn latest<T>(
        &self,
        kind: &str,
        direction: Direction,
        says: impl Fn(&TypeRule) -> Option<T>,
    ) -> Option<T> {
        let about = || self.rules.iter().rev().filter(|rule| rule.is_about(kind, direction));
        let directed = about().filter(|rule| rule.is_directed()).find_map(&says);
        directed.or_else(|| about().find_map(&says))
    }
}
