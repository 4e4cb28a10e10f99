//! Mapping from a model's labels to guardrails.

use std::str::FromStr;

use guardengine_engine::scores::{LABELS, label};

use crate::LabelProbabilities;

/// Returns the accepted format of a label mapping, for error messages.
pub fn accepted() -> String {
    format!(
        "must be LABEL=GUARDRAIL pairs separated by commas, such as INJECTION=prompt_injection; guardrails are {}",
        LABELS.join(", ")
    )
}

/// A model's labels, each mapped to the index of a guardrail in [`LABELS`]. Has at least one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<(String, usize)>);

impl FromStr for Labels {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let pair = |pair: &str| {
            let (name, guardrail) = pair.rsplit_once('=').ok_or(())?;
            let name = name.trim();
            if name.is_empty() { Err(()) } else { Ok((name.to_owned(), label(guardrail.trim()).ok_or(())?)) }
        };
        Ok(Self(text.split(',').map(pair).collect::<Result<_, _>>()?))
    }
}

impl Labels {
    /// Iterates over the labels and the indices of their guardrails.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(label, guardrail)| (label.as_str(), *guardrail))
    }

    /// Returns the highest score of the mapped guardrails.
    pub fn max_score(&self, scores: &[f32; LABELS.len()]) -> f32 {
        self.iter().map(|(_, guardrail)| scores[guardrail]).fold(0.0, f32::max)
    }

    /// Converts the `probability` of each label to probabilities per guardrail. Labels of the same guardrail are
    /// combined with `combine`. Returns `None` if a mapped label has no probability.
    pub fn probabilities(
        &self,
        probability: impl Fn(&str) -> Option<f32>,
        combine: fn(f32, f32) -> f32,
    ) -> Option<LabelProbabilities> {
        let mut probabilities = [None; LABELS.len()];
        for (label, guardrail) in self.iter() {
            let value = probability(label)?;
            let slot: &mut Option<f32> = &mut probabilities[guardrail];
            *slot = Some(slot.map_or(value, |previous| combine(previous, value)));
        }
        Some(probabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_label_guardrail_pairs() {
        let labels: Labels = "INJECTION = prompt_injection, a=b=toxicity".parse().unwrap();
        assert_eq!(labels.iter().collect::<Vec<_>>(), [("INJECTION", 0), ("a=b", 3)]);
        for bad in ["", "INJECTION", "=toxicity", "INJECTION=injection", "INJECTION=toxicity,", "X=pii"] {
            assert_eq!(bad.parse::<Labels>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn combines_labels_of_the_same_guardrail() {
        let labels: Labels = "a=toxicity,b=toxicity".parse().unwrap();
        let probability = |label: &str| Some(if label == "a" { 0.25 } else { 0.5 });
        assert_eq!(labels.probabilities(probability, f32::max).unwrap()[3], Some(0.5));
        assert_eq!(labels.probabilities(probability, |a, b| a + b).unwrap()[3], Some(0.75));
        assert_eq!(labels.probabilities(|_| None, f32::max), None);
    }
}
