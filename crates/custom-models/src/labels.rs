//! Which of a model's labels speaks for which guardrail.

use std::str::FromStr;

use guardengine_engine::scores::{LABELS, label};

use crate::LabelProbabilities;

/// What is accepted where labels are mapped.
pub const ACCEPTED: &str = "must be LABEL=GUARDRAIL pairs separated by commas, such as INJECTION=prompt_injection; \
    guardrails are prompt_injection, model_jailbreak, model_denial, toxicity, hate_speech, nsfw, violence, self_harm, \
    religious_content, copyright_infringement, fraud, spam, bias, impersonation";

/// A model's labels, each with the place of its guardrail among [`LABELS`]. At least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<(String, usize)>);

impl FromStr for Labels {
    type Err = ();

    fn from_str(written: &str) -> Result<Self, ()> {
        let pair = |pair: &str| {
            let (name, guardrail) = pair.rsplit_once('=').ok_or(())?;
            let name = name.trim();
            if name.is_empty() { Err(()) } else { Ok((name.to_owned(), label(guardrail.trim()).ok_or(())?)) }
        };
        Ok(Self(written.split(',').map(pair).collect::<Result<_, _>>()?))
    }
}

impl Labels {
    /// The labels, each with the place of its guardrail.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(label, guardrail)| (label.as_str(), *guardrail))
    }

    /// The greatest of what `scores` says for the guardrails that this maps.
    pub fn max_score(&self, scores: &[f32; LABELS.len()]) -> f32 {
        self.iter().map(|(_, guardrail)| scores[guardrail]).fold(0.0, f32::max)
    }

    /// What a model says of which `probability` is that of each label; several labels of one guardrail are `joined`.
    pub fn probabilities(
        &self,
        probability: impl Fn(&str) -> Option<f32>,
        joined: fn(f32, f32) -> f32,
    ) -> Option<LabelProbabilities> {
        let mut opinion = [None; LABELS.len()];
        for (label, guardrail) in self.iter() {
            let said = probability(label)?;
            let place: &mut Option<f32> = &mut opinion[guardrail];
            *place = Some(place.map_or(said, |before| joined(before, said)));
        }
        Some(opinion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_pairs() {
        let labels: Labels = "INJECTION = prompt_injection, a=b=toxicity".parse().unwrap();
        assert_eq!(labels.iter().collect::<Vec<_>>(), [("INJECTION", 0), ("a=b", 3)]);
        for bad in ["", "INJECTION", "=toxicity", "INJECTION=injection", "INJECTION=toxicity,", "X=pii"] {
            assert_eq!(bad.parse::<Labels>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn every_guardrail_that_is_accepted_is_told() {
        let (_, told) = ACCEPTED.split_once("guardrails are ").unwrap();
        assert_eq!(told.split(", ").collect::<Vec<_>>(), LABELS);
    }

    #[test]
    fn labels_of_one_guardrail_are_joined() {
        let labels: Labels = "a=toxicity,b=toxicity".parse().unwrap();
        let said = |label: &str| Some(if label == "a" { 0.25 } else { 0.5 });
        assert_eq!(labels.probabilities(said, f32::max).unwrap()[3], Some(0.5));
        assert_eq!(labels.probabilities(said, |a, b| a + b).unwrap()[3], Some(0.75));
        assert_eq!(labels.probabilities(|_| None, f32::max), None);
    }
}
