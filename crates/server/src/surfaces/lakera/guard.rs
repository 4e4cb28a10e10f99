//! `POST /v2/guard` and `POST /v2/guard/results`.

use std::collections::{BTreeSet, HashMap};

use axum::Json;
use guardengine_engine::{
    evidence::PublicSpan,
    fields::{FieldError, Fields},
    guardrail::Direction,
    policy::{Outcome, verdict::GuardrailScore},
};
use guardengine_guard::{
    ClientInfo, GuardRequest, Operation, RecordedDecision, attachments::Attachments, evaluate::FoundEntity,
    submission::Role,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    super::{
        call::{SurfaceCaller, label},
        conversation::{Conversation, Place},
        messages::{Images, MAX_MESSAGES, images, role, texts},
    },
    detectors,
};
use crate::http::{Body, Error, FromFields, optional_id};

const NAME: &str = "lakera";

/// A request, with the switches that say what its answer holds.
pub struct Guarded {
    texts: Vec<MessageText>,
    images: Images,
    project_id: Option<Uuid>,
    sender: ClientInfo,
    has_payload: bool,
    has_breakdown: bool,
    has_dev_info: bool,
}

/// A text with the message that it is from.
struct MessageText {
    message: usize,
    role: Role,
    text: String,
    /// Code points of the message's text before it.
    offset: usize,
}

impl FromFields for Guarded {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let messages =
            fields.array("messages", MAX_MESSAGES)?.ok_or_else(|| FieldError::required("messages"))?;
        let (mut found, mut urls) = (Vec::new(), Vec::new());
        for (message, item) in messages.iter().enumerate() {
            let under = |error: FieldError| error.under(&format!("messages.{message}"));
            let fields = Fields::of(item, "role").map_err(|_| under(FieldError::required("role")))?;
            let role = role(fields.required_string("role").map_err(under)?);
            let content = fields.get("content").unwrap_or(&Value::Null);
            let mut offset = 0;
            for text in texts(content) {
                found.push(MessageText { message, role, text: text.to_owned(), offset });
                offset += text.chars().count();
            }
            let parts = content.as_array().into_iter().flatten();
            urls.extend(parts.filter_map(|part| part["image_url"]["url"].as_str()));
        }
        let metadata = fields.get("metadata");
        let labelled = |name: &str| label(metadata.and_then(|metadata| metadata[name].as_str()));
        Ok(Self {
            texts: found,
            images: images("messages", &urls),
            project_id: optional_id(fields, "project_id")?,
            sender: ClientInfo {
                username: labelled("user_id"),
                conversation_id: labelled("session_id"),
                ..ClientInfo::default()
            },
            has_payload: fields.boolean("payload")?.unwrap_or(false),
            has_breakdown: fields.boolean("breakdown")?.unwrap_or(false),
            has_dev_info: fields.boolean("dev_info")?.unwrap_or(false),
        })
    }
}

/// An evaluated request: where its texts are, and the decision.
struct Answered {
    texts: Vec<MessageText>,
    /// Index of the text at each place.
    index: HashMap<Place, usize>,
    recorded: RecordedDecision,
    project: Option<Uuid>,
}

/// Answers whether a conversation is flagged, with every detector that ran.
pub async fn decide(caller: SurfaceCaller, Body(guarded): Body<Guarded>) -> Result<Json<Value>, Error> {
    let Guarded { has_payload, has_breakdown, has_dev_info, .. } = guarded;
    let answered = evaluate(&caller, guarded).await?;
    let recorded = &answered.recorded;
    let mut answer = json!({
        "flagged": recorded.evaluation.verdict.outcome != Outcome::Allow,
        // LiteLLM's caller removes it without looking.
        "payload": if has_payload { answered.payload() } else { Vec::new() },
        "metadata": { "request_uuid": recorded.log_id },
    });
    if has_breakdown {
        answer["breakdown"] = answered.breakdown().into();
    }
    if has_dev_info {
        let version = env!("CARGO_PKG_VERSION");
        answer["dev_info"] = json!({ "git_revision": "", "git_timestamp": "",
            "model_version": recorded.model_version, "version": version });
    }
    Ok(Json(answer))
}

/// Answers the confidence of every detector as a level, without a decision.
pub async fn results(caller: SurfaceCaller, Body(guarded): Body<Guarded>) -> Result<Json<Value>, Error> {
    let answered = evaluate(&caller, guarded).await?;
    let result = |score: &GuardrailScore| {
        let mut result = answered.detector(&detectors::of_guardrail(score.name), score.name);
        result["result"] = level(score.confidence).into();
        result
    };
    let results: Vec<_> = answered.recorded.evaluation.verdict.scores.iter().map(result).collect();
    Ok(Json(json!({ "results": results, "metadata": { "request_uuid": answered.recorded.log_id } })))
}

/// Returns the level of a calibrated confidence.
fn level(confidence: f32) -> &'static str {
    match confidence {
        sure if sure >= 0.95 => "l1_confident",
        likely if likely >= 0.85 => "l2_very_likely",
        likely if likely >= 0.6 => "l3_likely",
        unlikely if unlikely >= 0.3 => "l4_less_likely",
        _ => "l5_unlikely",
    }
}

async fn evaluate(caller: &SurfaceCaller, guarded: Guarded) -> Result<Answered, Error> {
    let Guarded { texts, images, project_id, sender, .. } = guarded;
    caller.at_most("messages", &images.files)?;
    let is_response = texts.last().is_some_and(|last| last.role == Role::Assistant);
    let (direction, operation) = if is_response {
        (Direction::Output, Operation::Validate)
    } else {
        (Direction::Input, Operation::Analyze)
    };
    let said = texts.iter().map(|text| (text.role, text.text.as_str()));
    let Conversation { mut submission, places } = Conversation::of(direction, said);
    submission.has_unread = images.has_unread;
    let call = GuardRequest {
        attached: Attachments { images: images.files, ..Attachments::default() },
        sender,
        ..caller.request(NAME, operation, submission, project_id)?
    };
    let project = call.project();
    let recorded = caller.guard.answer(call).await?;
    let index = places.into_iter().enumerate().map(|(at, place)| (place, at)).collect();
    Ok(Answered { texts, index, recorded, project })
}

impl Answered {
    /// Returns the index of the text at a place.
    fn at(&self, place: Place) -> Option<usize> {
        self.index.get(&place).copied()
    }

    /// Returns where personal data is that the policy masks.
    fn payload(&self) -> Vec<Value> {
        let shown = |entity: &FoundEntity| {
            let at = self.at(Place::of(&entity.span)?)?;
            let MessageText { message, offset, text, .. } = &self.texts[at];
            Some(json!({ "message_id": message, "start": entity.span.start + offset,
                "end": entity.span.end + offset, "text": entity.bytes.of(text),
                "detector_type": detectors::of_pii(&entity.kind), "labels": [] }))
        };
        self.recorded.evaluation.entities.iter().filter_map(shown).collect()
    }

    /// Returns one item for each detector, and for each message with personal data of a type.
    fn breakdown(&self) -> Vec<Value> {
        let evaluation = &self.recorded.evaluation;
        let message = |span: &PublicSpan| Some(self.texts[self.at(Place::of(span)?)?].message);
        let last = self.texts.last().map_or(0, |text| text.message);
        let item = |detector: String, id: &str, message: usize, is_detected: bool| {
            let mut item = self.detector(&detector, id);
            item["detected"] = is_detected.into();
            item["message_id"] = message.into();
            item
        };
        let personal: BTreeSet<_> = evaluation
            .entities
            .iter()
            .map(|entity| (message(&entity.span).unwrap_or(last), &*entity.kind))
            .collect();
        let personal = personal.into_iter().map(|(at, kind)| item(detectors::of_pii(kind), kind, at, true));
        let verdict = &evaluation.verdict;
        let stopping = verdict.triggered.iter().filter(|one| !one.outcome.allows()).map(|one| {
            let at = one.spans.first().and_then(message).unwrap_or(last);
            item(detectors::of_guardrail(one.name), one.name, at, true)
        });
        let quiet = verdict.scores.iter().filter(|score| !score.is_triggered());
        let quiet = quiet.map(|score| item(detectors::of_guardrail(score.name), score.name, last, false));
        personal.chain(stopping).chain(quiet).collect()
    }

    fn detector(&self, detector_type: &str, id: &str) -> Value {
        json!({ "project_id": self.project, "policy_id": self.recorded.policy_id, "detector_id": id,
            "detector_type": detector_type })
    }
}
