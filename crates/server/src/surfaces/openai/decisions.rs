//! `POST /v1/decisions`: the calibrated scores of guardrails as answers to predicates that are named after them.
//!
//! A predicate whose name is no guardrail of the policy, and any other question, is refused: a client that needs the
//! answer then fails closed. Questions are not read, only their names.

use axum::Json;
use guardengine_api_types::rounded;
use guardengine_engine::{
    Verdict,
    fields::{FieldError, Fields},
    guardrail::Direction,
    policy::Outcome,
};
use guardengine_guard::{GuardRequest, Operation, attachments::Attachments, submission::Role};
use serde_json::{Value, json};

use super::super::{
    call::SurfaceCaller,
    conversation::Conversation,
    messages::{Images, MAX_MESSAGES, images, role, texts},
};
use crate::http::{Body, Error, FromFields};

/// Name in log entries.
const NAME: &str = "openai_decisions";
/// Most questions of one request, as at OpenAI.
const MAX_QUESTIONS: usize = 400;
/// The predicate that is the decision of the policy itself.
const POLICY: &str = "policy";
const TYPES: [(&str, bool); 3] = [("predicate", true), ("choice", false), ("score", false)];

/// A question, as far as it is read.
struct Question {
    name: Option<String>,
    is_predicate: bool,
}

/// Texts to decide about, and questions.
pub struct Decision {
    texts: Vec<(Role, String)>,
    images: Images,
    questions: Vec<Question>,
}

impl FromFields for Decision {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let input = fields.get("input").ok_or_else(|| FieldError::required("input"))?;
        let (texts, images) = match input {
            Value::String(text) => (vec![(Role::User, text.clone())], Images::default()),
            Value::Array(items) if items.len() <= MAX_MESSAGES => items_of(items),
            _ => {
                let accepted = format!("must be a string, or an array of at most {MAX_MESSAGES} items");
                return Err(FieldError::value("input", accepted));
            }
        };
        let questions = fields.array("questions", MAX_QUESTIONS)?.unwrap_or_default();
        if questions.is_empty() {
            return Err(FieldError::value("questions", format!("must have 1 to {MAX_QUESTIONS} items")));
        }
        let read = |(at, item): (usize, &Value)| {
            question(item).map_err(|error| error.under(&format!("questions.{at}")))
        };
        let questions = questions.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Self { texts, images, questions })
    }
}

fn question(item: &Value) -> Result<Question, FieldError> {
    let fields = Fields::of(item, "type").map_err(|_| FieldError::required("type"))?;
    let is_predicate = fields.choice("type", &TYPES)?.ok_or_else(|| FieldError::required("type"))?;
    Ok(Question { name: fields.string("name")?.map(str::to_owned), is_predicate })
}

/// Reads messages, calls of tools and their results.
fn items_of(items: &[Value]) -> (Vec<(Role, String)>, Images) {
    let (mut found, mut urls) = (Vec::new(), Vec::new());
    for item in items {
        let (author, content) = match item["type"].as_str() {
            Some("function_call") => (Role::Assistant, &item["arguments"]),
            Some("custom_tool_call") => (Role::Assistant, &item["input"]),
            Some("function_call_output" | "custom_tool_call_output") => (Role::Tool, &item["output"]),
            _ => (role(item["role"].as_str().unwrap_or_default()), &item["content"]),
        };
        found.extend(texts(content).into_iter().map(|text| (author, text.to_owned())));
        for part in content.as_array().into_iter().flatten() {
            urls.extend(part["image_url"].as_str());
            let data = &part["data"];
            if data.is_object() || data.is_array() {
                found.push((author, data.to_string()));
            }
        }
    }
    (found, images("input", &urls))
}

/// Answers a request.
pub async fn handle(caller: SurfaceCaller, Body(decision): Body<Decision>) -> Result<Json<Value>, Error> {
    let Decision { texts, images, questions } = decision;
    caller.at_most("input", &images.files)?;
    let texts = texts.iter().map(|(role, text)| (*role, text.as_str()));
    let mut submission = Conversation::of(Direction::Input, texts).submission;
    submission.has_unread = images.has_unread;
    let call = GuardRequest {
        attached: Attachments { images: images.files, ..Attachments::default() },
        ..caller.request(NAME, Operation::Analyze, submission, None)?
    };
    let recorded = caller.guard.answer(call).await?;
    let verdict = &recorded.evaluation.verdict;
    let answers: Vec<_> = questions.iter().map(|question| answer(question, verdict)).collect();
    // No language model reads the questions, so there are no tokens.
    let usage = json!({ "input_tokens": 0, "input_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 0 },
        "output_tokens": 0, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 0 });
    Ok(Json(json!({ "answers": answers, "model": recorded.model_version, "usage": usage })))
}

fn answer(question: &Question, verdict: &Verdict) -> Value {
    let name = question.name.as_deref();
    match name.filter(|_| question.is_predicate).and_then(|name| probability(name, verdict)) {
        Some(probability) => {
            json!({ "type": "predicate", "name": name, "probability": rounded(probability) })
        }
        None => json!({ "type": "refusal", "name": name }),
    }
}

/// Returns the score of a guardrail. The policy's own is certain where it does not let the text through as it is.
fn probability(name: &str, verdict: &Verdict) -> Option<f32> {
    if name == POLICY {
        return Some(if verdict.outcome == Outcome::Allow { verdict.risk } else { 1.0 });
    }
    verdict.scores.iter().find(|score| score.name == name).map(|score| score.confidence)
}
