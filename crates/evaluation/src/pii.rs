//! Comparison of detected and annotated spans of personal data.
//!
//! Annotators have their own names for PII types; [`kind`] maps them to ours. A found span is correct if it shares a
//! code point with a marked span of its type, and a marked span is found if such a span exists; each span counts once.
//! Found spans of types that the suite never marks are ignored, because nobody annotated them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{confusion_matrix::Counts, suite::Marked};

/// Annotators' names and our wire names, for names that are not ours already.
const NAMES: [(&str, &str); 37] = [
    ("address", "address"),
    ("street_address", "address"),
    ("location", "address"),
    ("gpe", "address"),
    ("person", "person_name"),
    ("name", "person_name"),
    ("email", "email"),
    ("email_address", "email"),
    ("phone", "phone_number"),
    ("phone_number", "phone_number"),
    ("credit_card", "credit_card"),
    ("credit_card_number", "credit_card"),
    ("iban", "iban"),
    ("iban_code", "iban"),
    ("ssn", "us_ssn"),
    ("us_ssn", "us_ssn"),
    ("ip", "ip_address"),
    ("ip_address", "ip_address"),
    ("mac", "mac_address"),
    ("mac_address", "mac_address"),
    ("url", "url"),
    ("dob", "date_of_birth"),
    ("date_of_birth", "date_of_birth"),
    ("passport", "passport"),
    ("drivers_license", "driver_license"),
    ("driver_license", "driver_license"),
    ("us_driver_license", "driver_license"),
    ("bank_account", "bank_account"),
    ("us_bank_number", "bank_account"),
    ("medical_record", "medical_record"),
    ("mrn", "medical_record"),
    ("npi", "medical_record"),
    ("crypto", "crypto_wallet"),
    ("secret", "api_key"),
    ("api_key", "api_key"),
    ("license_plate", "vehicle_id"),
    ("username", "username"),
];

/// Returns our wire name for an annotator's name: from the table above, else the name in lower case.
pub fn kind(name: &str) -> String {
    let lower = name.to_lowercase();
    NAMES.iter().find(|(theirs, _)| *theirs == lower).map_or(lower, |(_, ours)| (*ours).to_owned())
}

/// Counts of one PII type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindReport {
    /// Wire name.
    pub kind: String,
    /// Marked spans that were found and missed, and found spans that nobody marked.
    pub counts: Counts,
    /// Share of the marked spans that were found.
    pub recall: Option<f64>,
    /// Share of the found spans that were marked.
    pub precision: Option<f64>,
    /// Recall counting twice as much as precision.
    pub f2: Option<f64>,
}

/// Sums up texts of one suite, each as (found, marked).
pub fn kinds(texts: &[(&[Marked], &[Marked])]) -> Vec<KindReport> {
    let marked_kinds: BTreeSet<_> =
        texts.iter().flat_map(|(_, marked)| marked.iter().map(|span| kind(&span.kind))).collect();
    let mut counts: BTreeMap<_, _> = marked_kinds.into_iter().map(|kind| (kind, Counts::default())).collect();
    for (found, marked) in texts {
        for (kind, counts) in &mut counts {
            compare(kind, found, marked, counts);
        }
    }
    counts.into_iter().map(|(kind, counts)| summed(kind, counts)).collect()
}

pub(crate) fn compare(expected: &str, found: &[Marked], marked: &[Marked], counts: &mut Counts) {
    let of_kind = |spans: &[Marked]| {
        spans.iter().filter(|span| kind(&span.kind) == expected).cloned().collect::<Vec<_>>()
    };
    let (found, marked) = (of_kind(found), of_kind(marked));
    let touches =
        |one: &Marked, others: &[Marked]| others.iter().any(|two| one.start < two.end && two.start < one.end);
    let hits = marked.iter().filter(|span| touches(span, &found)).count();
    counts.hits += hits;
    counts.misses += marked.len() - hits;
    counts.false_alarms += found.iter().filter(|span| !touches(span, &marked)).count();
}

pub(crate) fn summed(kind: String, counts: Counts) -> KindReport {
    KindReport { kind, counts, recall: counts.recall(), precision: counts.precision(), f2: counts.f(2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, kind: &str) -> Marked {
        Marked { start, end, kind: kind.to_owned() }
    }

    #[test]
    fn annotators_names_map_to_ours() {
        assert_eq!([kind("PERSON"), kind("US_SSN"), kind("Tax_ID")], ["person_name", "us_ssn", "tax_id"]);
    }

    #[test]
    fn a_touching_span_of_the_kind_is_a_hit() {
        let marked = [span(0, 4, "PERSON"), span(10, 20, "EMAIL"), span(30, 35, "EMAIL")];
        let found = [
            span(3, 9, "person_name"),
            span(10, 20, "phone_number"),
            span(30, 31, "email"),
            span(50, 60, "email"),
        ];
        let reports = kinds(&[(&found, &marked)]);
        let email = Counts { hits: 1, misses: 1, false_alarms: 1, passes: 0 };
        assert_eq!((reports[0].kind.as_str(), reports[0].counts), ("email", email));
        assert_eq!(reports[1].counts, Counts { hits: 1, ..Counts::default() });
        assert_eq!(reports.len(), 2, "no phone number was marked, so none is counted");
    }
}
