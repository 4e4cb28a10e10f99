//! A call of a model: what the client sent, what is evaluated of it, and what is passed on.

use axum::body::Bytes;
use guardengine_engine::{
    fields::{FieldError, Fields},
    guardrail::Direction,
};
use guardengine_guard::{
    ClientInfo, GuardRequest, Operation, Traces,
    attachments::{Attachments, ImageFile},
    evaluate::Evaluation,
    submission::{Role, Submission, Turn},
};
use guardengine_integrations::llm::gateway::WireFormat;
use opentelemetry::KeyValue;

use super::{
    NAME, formats,
    json::{Edits, Node, literal},
    settings::GatewayRoute,
    texts::{Located, Source, Texts},
};
use crate::{
    http::{Error, parse_json},
    surfaces::{
        call::{SurfaceCaller, label},
        call_span::CallSpan,
        conversation::Place,
        messages::images,
    },
};

/// Most texts of one call.
const MAX_TEXTS: usize = 4_000;
/// Longest name of a model, in bytes.
const MAX_MODEL: usize = 1_000;

/// A call as the client sent it.
pub struct ModelCall {
    /// Format.
    pub format: WireFormat,
    /// Name of the model.
    pub model: String,
    /// True if the client asks for a stream.
    pub is_stream: bool,
    /// End user whom the client names.
    end_user: Option<String>,
    body: String,
    texts: Vec<Located>,
    places: Vec<Place>,
}

impl ModelCall {
    /// Reads a call. Returns it with its guard request.
    pub fn read(
        format: WireFormat,
        caller: &SurfaceCaller,
        bytes: Bytes,
    ) -> Result<(Self, GuardRequest), Error> {
        let value = parse_json(&bytes)?;
        let fields = Fields::of(&value, "body")?;
        let model = fields.required_text("model", MAX_MODEL)?.to_owned();
        let is_stream = fields.boolean("stream")?.unwrap_or(false);
        if fields.boolean("background")?.unwrap_or(false) {
            // Its answer would come by a call that is not guarded.
            return Err(FieldError::value("background", "must be false").into());
        }
        let end_user = label(formats::end_user(format, &value));
        // JSON that was parsed is UTF-8 within strings, and ASCII elsewhere.
        let body =
            String::from_utf8(bytes.into()).map_err(|_| Error::unprocessable("invalid JSON: not UTF-8"))?;
        let Texts { found, images: urls, has_unread, .. } = formats::request(format, &body);
        if found.len() > MAX_TEXTS {
            return Err(Error::unprocessable(format!("body: must have at most {MAX_TEXTS} texts")));
        }
        let (mut submission, places) = submission(&found);
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let images = images("image", &urls);
        caller.at_most("images", &images.files)?;
        submission.has_unread = has_unread || images.has_unread;
        let call = Self { format, model, is_stream, end_user, body, texts: found, places };
        let request = call.guard_request(caller, submission, images.files)?;
        Ok((call, request))
    }

    /// Starts the span of the call, as OpenTelemetry's conventions for generative models name it.
    pub fn span(&self, traces: &Traces) -> CallSpan {
        let provider = match self.format {
            WireFormat::Chat | WireFormat::Responses => "openai",
            WireFormat::Messages => "anthropic",
        };
        let attributes = vec![
            KeyValue::new("gen_ai.operation.name", "chat"),
            KeyValue::new("gen_ai.provider.name", provider),
            KeyValue::new("gen_ai.request.model", self.model.clone()),
            KeyValue::new("gen_ai.request.stream", self.is_stream),
        ];
        CallSpan::start(traces, format!("chat {}", self.model), attributes)
    }

    fn guard_request(
        &self,
        caller: &SurfaceCaller,
        submission: Submission,
        images: Vec<ImageFile>,
    ) -> Result<GuardRequest, Error> {
        Ok(GuardRequest {
            attached: Attachments { images, ..Attachments::default() },
            sender: ClientInfo { username: self.end_user.clone(), ..ClientInfo::default() },
            ..caller.request(NAME, Operation::Analyze, submission, None)?
        })
    }

    /// Returns the body to pass on: with personal data masked and the model's name in the provider's form. Every other
    /// byte is as the client sent it, so that the provider's prompt cache still knows earlier turns.
    ///
    /// The call forgets its texts, which nobody needs while the answer arrives.
    pub fn passed_on(&mut self, evaluation: &Evaluation, route: &GatewayRoute) -> Result<String, Error> {
        let mut edits = Edits::default();
        for (text, place) in self.texts.iter().zip(&self.places) {
            let Some(masked) = place.masked(evaluation).filter(|masked| *masked != text.text) else {
                continue;
            };
            let written = text.written(&self.body, masked);
            edits.replace(
                text.span.clone(),
                written.ok_or_else(|| Error::internal("masked JSON is not JSON"))?,
            );
        }
        let model = Node::of(&self.body).and_then(|root| root.fields().remove("model"));
        if let (Some(name), Some(node)) = (&route.upstream_model, model) {
            edits.replace(node.span(&self.body), literal(name));
        }
        self.texts = Vec::new();
        self.places = Vec::new();
        Ok(edits.apply(&std::mem::take(&mut self.body)))
    }
}

/// Returns the submission of a request's texts, and the place of each. The last text of a user is the prompt.
fn submission(texts: &[Located]) -> (Submission, Vec<Place>) {
    let prompt = texts.iter().rposition(|text| text.source == Source::Turn(Role::User));
    let mut submission = Submission::of(Direction::Input, String::new());
    // The client passes on every turn again in each call.
    submission.repeats_known_turns = true;
    let mut places = Vec::with_capacity(texts.len());
    for (at, Located { source, text, .. }) in texts.iter().enumerate() {
        places.push(match source {
            Source::Turn(_) if Some(at) == prompt => {
                submission.subject.clone_from(text);
                Place::Subject(0)
            }
            Source::Turn(role) => {
                submission.history.push(Turn::new(*role, text.clone()));
                Place::Turn(submission.history.len() - 1)
            }
            Source::Document => {
                submission.documents.push(text.clone());
                Place::Document(submission.documents.len() - 1)
            }
        });
    }
    (submission, places)
}
