//! Metrics of all texts by length, language and role.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    bootstrap::{Interval, Ranked, Rates, intervals},
    report::{Evaluated, Thresholds, confidences, expected},
    suite::{Expect, LabeledText},
};

/// Length buckets: the name of each and the number of characters below which a text lies.
pub const LENGTHS: [(&str, usize); 5] =
    [("<150", 150), ("<500", 500), ("<1500", 1500), ("<4000", 4000), ("longer", usize::MAX)];

/// Returns the index in [`LENGTHS`] for a text of so many Unicode characters.
pub fn length_bucket(characters: usize) -> usize {
    LENGTHS.iter().position(|(_, below)| characters < *below).unwrap_or(LENGTHS.len() - 1)
}

/// All texts, cut three ways. Buckets without texts are left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Buckets {
    /// By length in Unicode characters, the shortest first.
    pub length: Vec<Bucket>,
    /// By language code; `unknown` if the suite names none.
    pub language: Vec<Bucket>,
    /// By role; `user` if the suite names none.
    pub role: Vec<Bucket>,
}

/// Texts that share a length, a language or a role.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bucket {
    /// Its name.
    pub bucket: String,
    /// Number of texts.
    pub texts: usize,
    /// Texts that should pass, and how many of them were flagged.
    pub should_pass: (usize, usize),
    /// Texts that should be flagged, and how many of them were.
    pub should_flag: (usize, usize),
    /// Per guardrail with at least one known label.
    pub guardrails: Vec<BucketRates>,
}

/// One guardrail in one bucket, with the bucket's own negatives only.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BucketRates {
    /// Wire name.
    pub guardrail: String,
    /// Number of positives.
    pub positives: usize,
    /// Number of known negatives.
    pub negatives: usize,
    /// Rates at the threshold, and area under the curve.
    #[serde(flatten)]
    pub rates: Rates<f64>,
    /// Their 95 % intervals.
    pub intervals: Rates<Interval>,
}

/// Cuts the texts into buckets.
pub(crate) fn buckets(all: &[&Evaluated<'_>], thresholds: &Thresholds) -> Buckets {
    let cut = |name: &dyn Fn(&LabeledText) -> (usize, String)| {
        let mut by_name: BTreeMap<(usize, String), Vec<&Evaluated<'_>>> = BTreeMap::new();
        for one in all {
            by_name.entry(name(one.0)).or_default().push(one);
        }
        by_name.into_iter().map(|((_, name), some)| bucket(name, &some, thresholds)).collect()
    };
    Buckets {
        length: cut(&|text| {
            let at = length_bucket(text.text.chars().count());
            (at, LENGTHS[at].0.to_owned())
        }),
        language: cut(&|text| (0, named(&text.lang, "unknown"))),
        role: cut(&|text| (0, named(&text.role, "user"))),
    }
}

pub(crate) fn named(name: &str, default: &str) -> String {
    if name.is_empty() { default } else { name }.to_owned()
}

fn bucket(name: String, some: &[&Evaluated<'_>], thresholds: &Thresholds) -> Bucket {
    Bucket {
        bucket: name,
        texts: some.len(),
        should_pass: expected(some, Expect::Pass),
        should_flag: expected(some, Expect::Flag),
        guardrails: thresholds.iter().filter_map(|(name, at)| guardrail(name, *at, some)).collect(),
    }
}

fn guardrail(name: &str, threshold: f32, some: &[&Evaluated<'_>]) -> Option<BucketRates> {
    let (positives, negatives) = (confidences(name, some, true), confidences(name, some, false));
    if positives.is_empty() && negatives.is_empty() {
        return None;
    }
    let ranked = Ranked::new(threshold, &positives, &negatives);
    Some(BucketRates {
        guardrail: name.to_owned(),
        positives: positives.len(),
        negatives: negatives.len(),
        rates: ranked.rates(),
        intervals: intervals(&ranked),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Prediction, evaluate};

    #[test]
    fn a_length_lies_below_the_end_of_its_bucket() {
        let names =
            [0, 149, 150, 499, 1499, 3999, 4000, 1_000_000].map(|length| LENGTHS[length_bucket(length)].0);
        assert_eq!(names, ["<150", "<150", "<500", "<500", "<1500", "<4000", "longer", "longer"]);
    }

    #[test]
    fn texts_are_cut_by_length_language_and_role() {
        let text = |text: &str, lang: &str, role: &str| LabeledText {
            text: text.to_owned(),
            lang: lang.to_owned(),
            role: role.to_owned(),
            labels: vec!["spam".to_owned()],
            expect: Some(Expect::Flag),
            ..LabeledText::default()
        };
        let texts = [
            text("ä", "de", ""),
            text(&"ä".repeat(149), "", "document"),
            text(&"b".repeat(500), "de", "user"),
        ];
        let evaluate_text = |text: &LabeledText| Prediction {
            confidences: [("spam".to_owned(), if text.lang == "de" { 0.9 } else { 0.1 })].into(),
            flagged: text.lang == "de",
            ..Prediction::default()
        };
        let buckets = evaluate(&texts, &[("spam".to_owned(), 0.5)].into(), evaluate_text).buckets;
        let names = |buckets: &[Bucket]| -> Vec<(String, usize)> {
            buckets.iter().map(|one| (one.bucket.clone(), one.texts)).collect()
        };
        let pairs = |pairs: [(&str, usize); 2]| pairs.map(|(name, texts)| (name.to_owned(), texts)).to_vec();
        assert_eq!(names(&buckets.length), pairs([("<150", 2), ("<1500", 1)]));
        assert_eq!(names(&buckets.language), pairs([("de", 2), ("unknown", 1)]));
        assert_eq!(names(&buckets.role), pairs([("document", 1), ("user", 2)]));
        assert_eq!(buckets.language[0].guardrails[0].rates.recall, Some(1.0));
        assert_eq!(buckets.language[1].guardrails[0].rates.recall, Some(0.0));
        assert_eq!(buckets.role[1].should_flag, (2, 2));
    }
}
