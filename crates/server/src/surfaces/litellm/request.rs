//! The request of a hook.

use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::ClientInfo;
use serde_json::Value;
use uuid::Uuid;

use super::super::{
    call::label,
    conversation::Conversation,
    memory::digest,
    messages::{Images, MAX_MESSAGES, images},
};
use super::parts::{Sent, of_request, of_response};
use crate::http::{FromFields, optional_id};

/// Most texts of one call: parts of messages, leaves of a tool's arguments.
const MAX_TEXTS: usize = 4_000;
/// Most tools, tool calls and images of one call.
const MAX_ITEMS: usize = 512;
const INPUT_TYPES: [(&str, bool); 2] = [("request", false), ("response", true)];
/// Values of `source` in the parameters that an operator sets for a guardrail.
const SOURCES: [(&str, bool); 1] = [("tool_result", true)];

/// A request of a hook.
pub struct Check {
    /// True for what the model said.
    pub is_response: bool,
    /// The texts, with their places in the request.
    pub conversation: Conversation,
    /// Images of the messages.
    pub images: Images,
    /// LiteLLM's identifier of the call.
    pub call_id: Option<String>,
    /// Origin of the call.
    pub sender: ClientInfo,
    /// Project of the guardrail's parameters.
    pub project_id: Option<Uuid>,
    /// Digest of what is evaluated.
    pub digest: u128,
}

impl FromFields for Check {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let is_response = fields.choice("input_type", &INPUT_TYPES)?.unwrap_or(false);
        let call_id = fields.string("litellm_call_id")?.map(str::to_owned);
        let conversation_id = label(fields.string("litellm_trace_id")?);
        let texts = strings(fields, "texts", MAX_TEXTS)?;
        let image_urls = strings(fields, "images", MAX_ITEMS)?;
        let rows = fields.array("structured_messages", MAX_MESSAGES)?.unwrap_or_default();
        let tools = fields.array("tools", MAX_ITEMS)?.unwrap_or_default();
        let tool_calls = fields.array("tool_calls", MAX_ITEMS)?.unwrap_or_default();
        let parameters = object(fields, "additional_provider_specific_params")?;
        let is_tool_result = match parameters {
            Some(own) => own.choice("source", &SOURCES).map_err(under_parameters)?.unwrap_or(false),
            None => false,
        };
        let project_id = parameters.map_or(Ok(None), |own| optional_id(own, "projectId"))?;
        let sender = sender(object(fields, "request_data")?, parameters, conversation_id);
        let digest = digest(&(is_response, &texts, &image_urls, rows, tools, tool_calls));
        let sent = Sent { texts: &texts, rows, tools, tool_calls };
        let conversation = match (is_tool_result, is_response) {
            (true, _) => Conversation::of_documents(&texts),
            (false, true) => of_response(sent),
            (false, false) => of_request(sent),
        };
        let images = images("images", &image_urls);
        Ok(Self { is_response, conversation, images, call_id, sender, project_id, digest })
    }
}

fn strings<'v>(fields: Fields<'v>, field: &str, most: usize) -> Result<Vec<&'v str>, FieldError> {
    let items = fields.array(field, most)?.unwrap_or_default();
    let read = |(at, item): (usize, &'v Value)| {
        item.as_str().ok_or_else(|| FieldError::value(format!("{field}.{at}"), "must be a string"))
    };
    items.iter().enumerate().map(read).collect()
}

fn object<'v>(fields: Fields<'v>, field: &str) -> Result<Option<Fields<'v>>, FieldError> {
    let read = |value| Fields::of(value, field).map_err(|_| FieldError::value(field, "must be an object"));
    fields.get(field).map(read).transpose()
}

fn under_parameters(error: FieldError) -> FieldError {
    error.under("additional_provider_specific_params")
}

/// Returns who sent the call: the end user if LiteLLM knows one, and the key of LiteLLM's client as the application.
fn sender(
    data: Option<Fields<'_>>,
    parameters: Option<Fields<'_>>,
    conversation_id: Option<String>,
) -> ClientInfo {
    let first = |of: Option<Fields<'_>>, names: &[&str]| {
        let named = |name: &&str| of?.get(name)?.as_str();
        names.iter().find_map(named).and_then(|text| label(Some(text)))
    };
    let app = first(parameters, &["source_app"]);
    ClientInfo {
        source_app: app.or_else(|| first(data, &["user_api_key_alias", "user_api_key_team_alias"])),
        username: first(data, &["user_api_key_end_user_id", "user_api_key_user_id"]),
        conversation_id,
        ..ClientInfo::default()
    }
}
