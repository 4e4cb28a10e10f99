//! What the end user is told, in the language of the prompt.

use std::{collections::BTreeMap, sync::LazyLock};

use guardengine_engine::{Confirmation, policy::Outcome};
use serde::Deserialize;

/// The texts of a language.
#[derive(Deserialize)]
struct Outputs {
    block: String,
    withdrawn: String,
    challenge: String,
    escalate: String,
}

/// Of a prompt whose language has no texts.
const OTHERWISE: &str = "en";

static OUTPUTS: LazyLock<BTreeMap<String, Outputs>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("outputs.json"))
        .expect("the texts are compiled in, and a test reads them")
});

/// What the user is told of a prompt in that language (ISO 639-1), after their answer where there was a challenge: empty
/// when it goes on.
pub fn output(outcome: Outcome, confirmation: Option<Confirmation>, language: Option<&str>) -> &'static str {
    let texts = language.and_then(|code| OUTPUTS.get(code)).or_else(|| OUTPUTS.get(OTHERWISE));
    texts.map_or("", |texts| match outcome {
        Outcome::Allow | Outcome::Mask => "",
        Outcome::Block if confirmation == Some(Confirmation::Refused) => &texts.withdrawn,
        Outcome::Block => &texts.block,
        Outcome::Challenge => &texts.challenge,
        Outcome::Escalate => &texts.escalate,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifteen_languages_have_a_text_of_their_own_for_whatever_does_not_go_on() {
        let codes: Vec<&str> = OUTPUTS.keys().map(String::as_str).collect();
        let known =
            ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"];
        assert_eq!(codes, known);
        let told = |code: &str| {
            [
                (Outcome::Block, None),
                (Outcome::Block, Some(Confirmation::Refused)),
                (Outcome::Challenge, None),
                (Outcome::Escalate, None),
            ]
            .map(|(outcome, confirmation)| output(outcome, confirmation, Some(code)))
        };
        let mut texts: Vec<&str> = codes.into_iter().flat_map(told).collect();
        assert!(texts.iter().all(|text| !text.trim().is_empty()));
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), 60);
    }

    #[test]
    fn other_languages_are_answered_in_english_and_what_goes_on_has_no_text() {
        let english = output(Outcome::Block, None, Some("en"));
        assert_eq!([None, Some("eo")].map(|code| output(Outcome::Block, None, code)), [english; 2]);
        assert_eq!([Outcome::Allow, Outcome::Mask].map(|outcome| output(outcome, None, Some("de"))), [""; 2]);
    }
}
