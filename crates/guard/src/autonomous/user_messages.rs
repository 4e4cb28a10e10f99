//! Messages for the end user, in the language of the prompt.

use std::{collections::BTreeMap, sync::LazyLock};

use guardengine_engine::{Confirmation, policy::Outcome};
use serde::Deserialize;

/// The messages of a language.
#[derive(Deserialize)]
struct Messages {
    block: String,
    withdrawn: String,
    challenge: String,
    escalate: String,
}

/// Language for prompts whose language has no messages.
const FALLBACK_LANGUAGE: &str = "en";

static MESSAGES: LazyLock<BTreeMap<String, Messages>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("outputs.json"))
        .expect("the messages are compiled in; a test reads them")
});

/// Returns the message for an outcome in a language (ISO 639-1), after the user's answer if there was a challenge. Empty
/// when the prompt is allowed.
pub fn output(outcome: Outcome, confirmation: Option<Confirmation>, language: Option<&str>) -> &'static str {
    let texts = language.and_then(|code| MESSAGES.get(code)).or_else(|| MESSAGES.get(FALLBACK_LANGUAGE));
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
    fn fifteen_languages_have_their_own_messages() {
        let codes: Vec<&str> = MESSAGES.keys().map(String::as_str).collect();
        let known =
            ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"];
        assert_eq!(codes, known);
        let messages = |code: &str| {
            [
                (Outcome::Block, None),
                (Outcome::Block, Some(Confirmation::Refused)),
                (Outcome::Challenge, None),
                (Outcome::Escalate, None),
            ]
            .map(|(outcome, confirmation)| output(outcome, confirmation, Some(code)))
        };
        let mut texts: Vec<&str> = codes.into_iter().flat_map(messages).collect();
        assert!(texts.iter().all(|text| !text.trim().is_empty()));
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), 60);
    }

    #[test]
    fn other_languages_fall_back_to_english_and_allowed_prompts_have_no_message() {
        let english = output(Outcome::Block, None, Some("en"));
        assert_eq!([None, Some("eo")].map(|code| output(Outcome::Block, None, code)), [english; 2]);
        assert_eq!([Outcome::Allow, Outcome::Mask].map(|outcome| output(outcome, None, Some("de"))), [""; 2]);
    }
}
