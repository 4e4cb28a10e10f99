//! `POST /v1/moderations`: categories of each input, and whether the policy lets it through.

use axum::Json;
use guardengine_api_types::TriggeredGuardrail;
use guardengine_engine::{
    Verdict,
    fields::{FieldError, Fields},
    guardrail::Direction,
    policy::Outcome,
};
use guardengine_guard::{GuardRequest, Operation, attachments::Attachments, submission::Submission};
use serde_json::{Value, json};

use super::{
    super::{
        call::SurfaceCaller,
        messages::{Images, images},
    },
    categories::Categories,
};
use crate::http::{Body, Error, FromFields};

/// Name in log entries.
const NAME: &str = "openai_moderations";
/// Most inputs of one request.
const MAX_INPUTS: usize = 1_000;
const ACCEPTED: &str =
    "must be a string, an array of strings, or an array of parts of type text or image_url";

/// Inputs to moderate.
pub struct Moderation {
    /// Texts, each with a result of its own.
    texts: Vec<String>,
    images: Images,
}

impl FromFields for Moderation {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let input = fields.get("input").ok_or_else(|| FieldError::required("input"))?;
        if let Some(text) = input.as_str() {
            return Ok(Self { texts: vec![text.to_owned()], images: Images::default() });
        }
        let items = input.as_array().ok_or_else(|| FieldError::value("input", ACCEPTED))?;
        if items.is_empty() || items.len() > MAX_INPUTS {
            return Err(FieldError::value("input", format!("must have 1 to {MAX_INPUTS} items")));
        }
        if items[0].is_string() { Self::of_texts(items) } else { Self::of_parts(items) }
    }
}

impl Moderation {
    fn of_texts(items: &[Value]) -> Result<Self, FieldError> {
        let text = |(at, item): (usize, &Value)| {
            let text = item.as_str().map(str::to_owned);
            text.ok_or_else(|| FieldError::value(format!("input.{at}"), "must be a string"))
        };
        let texts = items.iter().enumerate().map(text).collect::<Result<_, _>>()?;
        Ok(Self { texts, images: Images::default() })
    }

    /// Reads parts of one message, which have one result.
    fn of_parts(items: &[Value]) -> Result<Self, FieldError> {
        let (mut texts, mut urls) = (Vec::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            match (item["type"].as_str(), item["text"].as_str(), item["image_url"]["url"].as_str()) {
                (Some("text"), Some(text), _) => texts.push(text),
                (Some("image_url"), _, Some(url)) => urls.push(url),
                _ => return Err(FieldError::value(format!("input.{at}"), ACCEPTED)),
            }
        }
        Ok(Self { texts: vec![texts.join("\n")], images: images("input", &urls) })
    }
}

/// Answers a request.
pub async fn handle(caller: SurfaceCaller, Body(moderation): Body<Moderation>) -> Result<Json<Value>, Error> {
    let Moderation { texts, images } = moderation;
    caller.at_most("input", &images.files)?;
    let inputs: &[&str] = if images.files.is_empty() { &["text"] } else { &["text", "image"] };
    let mut submission = Submission::of_several(Direction::Input, texts);
    submission.has_unread = images.has_unread;
    let call = GuardRequest {
        attached: Attachments { images: images.files, ..Attachments::default() },
        ..caller.request(NAME, Operation::Analyze, submission, None)?
    };
    let recorded = caller.guard.answer(call).await?;
    let results: Vec<_> = recorded.evaluation.verdicts().map(|verdict| result(verdict, inputs)).collect();
    Ok(Json(json!({
        "id": format!("modr-{}", recorded.log_id.simple()),
        "model": recorded.model_version,
        "results": results,
    })))
}

/// Returns the result of one input. Masked text cannot be returned here, so what would be masked is flagged.
fn result(verdict: &Verdict, inputs: &[&str]) -> Value {
    let categories = Categories::of(verdict, inputs);
    let triggered: Vec<_> = verdict.triggered.iter().map(TriggeredGuardrail::from).collect();
    json!({
        "flagged": verdict.outcome != Outcome::Allow,
        "categories": categories.flagged,
        "category_scores": categories.scores,
        "category_applied_input_types": categories.inputs,
        // Clients of OpenAI ignore it.
        "guardengine": {
            "action": verdict.outcome.name(), "triggered_guardrails": triggered, "reason": verdict.reason,
        },
    })
}
