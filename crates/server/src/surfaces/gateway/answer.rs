//! The answer of a model, as the client receives it.

use std::collections::HashMap;

use guardengine_engine::{
    guardrail::Direction,
    pii::mask::{Token, restore},
};
use guardengine_guard::{TokenUsage, evaluate::Evaluation, submission::Submission};
use guardengine_integrations::llm::gateway::WireFormat;

use super::{
    formats,
    json::Edits,
    texts::{Located, Texts},
};
use crate::surfaces::conversation::Place;

/// Values behind the tokens that stand for them in a request.
pub struct Values(HashMap<String, String>);

impl Values {
    /// Returns the values of a request.
    pub fn of(tokens: &[Token]) -> Self {
        Self(tokens.iter().map(|token| (token.id.clone(), token.value.clone())).collect())
    }

    /// Returns the value of a token as it is written in a text.
    pub fn get(&self, token: &str, text: &Located) -> Option<String> {
        self.0.get(token).map(|value| text.inside(value))
    }
}

/// A complete answer.
pub struct ModelAnswer {
    body: String,
    texts: Vec<Located>,
    has_unread: bool,
    /// Tokens, as the provider counted them.
    pub tokens: TokenUsage,
}

impl ModelAnswer {
    /// Reads an answer; `None` if it is not one of this format.
    pub fn read(format: WireFormat, bytes: Vec<u8>) -> Option<Self> {
        let body = String::from_utf8(bytes).ok()?;
        let (Texts { found, has_unread, images, .. }, tokens) = formats::answer(format, &body)?;
        let has_unread = has_unread || !images.is_empty();
        Some(Self { body, texts: found, has_unread, tokens })
    }

    /// Returns what is evaluated: each text by itself.
    pub fn submission(&self) -> Submission {
        let texts = self.texts.iter().map(|text| text.text.clone()).collect();
        Submission { has_unread: self.has_unread, ..Submission::of_several(Direction::Output, texts) }
    }

    /// Returns the answer with personal data masked and the values of the request restored; `None` if it would not be
    /// JSON.
    pub fn shown(&self, evaluation: &Evaluation, values: &Values) -> Option<String> {
        let mut edits = Edits::default();
        for (at, text) in self.texts.iter().enumerate() {
            let masked = Place::Subject(at).masked(evaluation).unwrap_or(&text.text);
            let lookup = |token: &str| values.get(token, text);
            let restored = if text.is_signed { masked.to_owned() } else { restore(masked, lookup).0 };
            if restored != text.text {
                edits.replace(text.span.clone(), text.written(&self.body, &restored)?);
            }
        }
        Some(edits.apply(&self.body))
    }

    /// Returns the answer as it came.
    pub fn body(&self) -> &str {
        &self.body
    }
}
