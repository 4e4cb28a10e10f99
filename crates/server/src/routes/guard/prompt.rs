//! The prompt that guard endpoints read.

use guardengine_auth::Principal;
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
};
use guardengine_guard::{
    ClientInfo, GuardRequest, Operation,
    attachments::{Attachments, ImageFile, parse_images},
    submission::{Submission, Turn},
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    inputs::{DocumentItem, HistoryTurn, MaskingChoice},
    request::{self, Documents},
};
use crate::{
    app::Tenants,
    http::{Error, FromFields, optional_id},
};

/// A prompt to evaluate.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "prompt": "What does the refund policy say?", "source_app": "support desk" }))]
pub struct Prompt {
    /// Prompt of the user.
    prompt: String,
    /// Project whose policy applies. If absent, the built-in policy applies.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    #[serde(flatten)]
    sender: ClientInfo,
    /// Previous turns, oldest first; a string is a turn of the user. They are context and not evaluated again.
    #[schema(value_type = Option<Vec<HistoryTurn>>, max_items = 2000)]
    conversation_history: Vec<Turn>,
    /// Asks the organization's language model for a second opinion if it could change the decision.
    #[schema(value_type = Option<bool>)]
    enable_llm_reasoning: bool,
    /// `{enabled, strategy}` or true: masks personal data that the policy would allow.
    #[schema(value_type = Option<MaskingChoice>)]
    pii_masking: RequestOptions,
    /// Retrieved or tool text that the model will read: strings, objects with a `text`, or files as `data` in base64, at
    /// most 20 of them.
    #[schema(value_type = Option<Vec<DocumentItem>>, max_items = 200)]
    documents: Documents,
    /// Images (PNG, JPEG, WebP, or PDF with one page) in base64 or as data URLs. Their text is evaluated with the
    /// prompt.
    #[schema(value_type = Option<Vec<crate::schemas::ImageText>>)]
    images: Vec<ImageFile>,
}

impl FromFields for Prompt {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            prompt: fields.required_string("prompt")?.to_owned(),
            project_id: optional_id(fields, "projectId")?,
            sender: request::sender(fields)?,
            conversation_history: request::history(fields)?,
            enable_llm_reasoning: fields.boolean("enable_llm_reasoning")?.unwrap_or(false),
            pii_masking: request::masking(fields)?,
            documents: request::documents_with_files(fields)?,
            images: parse_images(fields)?,
        })
    }
}

impl Prompt {
    /// Refuses images, for endpoints whose response has no image results.
    pub fn without_images(self) -> Result<Self, Error> {
        let refused = || FieldError::value("images", "must be empty: svc_firewall_analyze reads images");
        if self.images.is_empty() { Ok(self) } else { Err(refused().into()) }
    }

    /// Refuses more images than configured.
    pub fn within(self, most: usize) -> Result<Self, Error> {
        request::at_most(most, &self.images)?;
        Ok(self)
    }

    /// Builds the guard request.
    pub fn call(self, tenants: &Tenants, caller: Principal, operation: Operation) -> GuardRequest {
        let submission = Submission {
            documents: self.documents.texts,
            history: self.conversation_history,
            ..Submission::of(Direction::Input, self.prompt)
        };
        GuardRequest {
            project_id: self.project_id,
            attached: Attachments {
                images: self.images,
                documents: self.documents.files,
                ..Attachments::default()
            },
            asked: self.pii_masking,
            reasoning: self.enable_llm_reasoning,
            sender: self.sender,
            ..request::arriving_now(&tenants.clock, caller, operation, submission)
        }
    }
}
