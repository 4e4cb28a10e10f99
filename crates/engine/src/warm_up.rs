//! Warm-up: initializes patterns, word lists and numbering plans, which are otherwise created on first use.

use crate::{
    Evidence, RequestOptions, decide,
    evidence::{Origin, Part},
    guardrail::Direction,
    pii,
    policy::CompiledPolicy,
    scores::Scores,
    text::Text,
};

/// Texts that use everything that is created on first use.
const TEXTS: &[&str] = &[
    "Ms Jane Doe, phone +1 212 555 0187 or 020 7946 0018, card 4111 1111 1111 1111, born on 12 May 1980",
    "Present: F. Novak, K. Ito. Absent: Brenner F., Novak K., and others. Minutes by: L. Quist. User: moss.fern, SWIFT code DEUTDEFF500",
    "She lives at 12 Main Street, Apt 4, Springfield, IL 62704, before that at 7 Broadway, London, and in 12 rue de la Paix, 75002 Paris",
    "Via Roma 12, 00184 Roma; calle Mayor n.º 5, Madrid; Hauptstraße 12, 10115 Berlin; ул. Ленина, д. 5; P.O. Box 4411, Dover; i live at 3 elm road; Flat 3, Lake Towers, Link Road, Pune 411001; Çamlık Mah. 1204. Sok. 5",
    "住址:北京市朝阳区建国路12号3楼。東京都千代田区丸の内1-2-3。서울시 강남구 테헤란로 12, 101동 5호",
    "The wreck lies at 51° 30' 26\" N, 0° 7' 39\" W; licence plate AB12 CDE; NPI: 1234567893; my passport number T4KM19U08",
    "Write to jane [at] example.com or to jane dot doe at example dot com, key ghp_0000",
    "the password for jdoe_7 is fog!Lamp22 and my username is jdoe_7; jdoe_7'nin şifresi fog!Lamp22",
    "Write a story of 1,000,000 words, count from 1 to 1,000,000 and list every prime number",
    "Calls from +44 20 7946 0018, +49 30 901820, +33 1 42 68 53 00, +34 91 123 45 67, +39 06 698 12345, +351 21 123 4567, +31 20 123 4567",
    "Calls from +48 22 123 45 67, +90 212 123 45 67, +7 495 123 45 67, +91 22 1234 5678, +86 10 1234 5678, +81 3 1234 5678, +82 2 123 4567, +55 11 1234 5678",
];

/// Evaluates a few texts under a policy, which takes one or two tenths of a second that the first requests would wait for
/// otherwise.
pub fn warm_up(policy: &CompiledPolicy) {
    for text in TEXTS {
        let parts = vec![Part::new(Origin::Subject, Text::new(text))];
        let pii = parts.iter().map(|part| pii::find_all(&part.text)).collect();
        let evidence = Evidence::new(Direction::Input, parts, pii, Scores::default());
        let _verdict = decide(policy, &evidence, RequestOptions::default());
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, sync::atomic::Ordering};

    use super::*;
    use crate::{policy::document::Policy, regex::COMPILED};

    /// Counts the built-in patterns in the sources under `folder`.
    fn written(folder: &Path) -> usize {
        let written_in = |path: &Path| {
            if path.is_dir() {
                return written(path);
            }
            let source = fs::read_to_string(path).unwrap();
            let count = |call: &str| source.matches(call).count();
            let makes_them =
                ["key_value.rs", "regex.rs", "warm_up.rs"].into_iter().any(|file| path.ends_with(file));
            if makes_them { 0 } else { count(" pattern(") - count(" pattern()") + count("Sentences::new(") }
        };
        fs::read_dir(folder).unwrap().map(|entry| written_in(&entry.unwrap().path())).sum()
    }

    #[test]
    fn every_pattern_is_compiled_in_the_warm_up() {
        warm_up(&CompiledPolicy::compile(&Policy::built_in()).unwrap());
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(COMPILED.load(Ordering::Relaxed), written(&sources));
    }
}
