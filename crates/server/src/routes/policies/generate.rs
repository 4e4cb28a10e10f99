use axum::extract::State;
use guardengine_engine::{
    fields::{Fields, Invalid},
    pii::{
        find_all,
        mask::{MaskKeys, mask},
    },
    policy::written::{Policy, Strategy},
    text::Text,
};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    audit,
    connectors::{OpenConnector, open},
    drafts::{DraftError, draft},
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, Principal, optional_id},
    llm::ability,
    routes::connectors::response::stored,
};

const MAX_DESCRIPTION_LENGTH: usize = 4_000;

/// What a policy is to be for.
#[derive(Debug, ToSchema)]
#[schema(as = PolicyWish, example = json!({
    "description": "A chat for bank customers: no personal data to the model, nobody talks it out of its role, no advice on fraud.",
}))]
pub struct DraftRequest {
    /// In the author's words, at most 4000 characters.
    description: String,
    /// The AI connector that drafts; the organisation's oldest active one without.
    connector_id: Option<Uuid>,
}

impl FromFields for DraftRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self {
            description: fields.required_name("description", MAX_DESCRIPTION_LENGTH)?.to_owned(),
            connector_id: optional_id(fields, "connector_id")?,
        })
    }
}

/// A draft, which is not stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftedPolicy {
    /// As `POST /api/policy/create` takes it.
    #[schema(value_type = super::written::WrittenPolicy)]
    policy: Policy,
}

/// Draft a policy
///
/// An AI connector of the organisation writes a policy from a description, in which personal data is masked unless the
/// connector is internal. The draft is checked and not stored: look it over, change it, and send it to
/// `POST /api/policy/create`. Costs no credits.
#[utoipa::path(
    post, path = "/api/policy/generate", tag = "policies", operation_id = "policies_generate",
    request_body = DraftRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The draft", body = DraftedPolicy),
        (status = 400, description = "No active AI connector, or one that cannot draft", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing, or the connector is not active", body = ErrorBody),
        (status = 404, description = "No such connector", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "A field is missing or not accepted", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
        (status = 503, description = "The model did not answer, or not with a policy: try again later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Body(wish): Body<DraftRequest>,
) -> Answer<DraftedPolicy> {
    let connector = drafter(&app, &caller, wish.connector_id).await?;
    let description = shown(&app, &caller, &connector, wish.description).await?;
    let details = json!({ "name": connector.stored.name });
    audit::record(&app, &caller, "FIREWALL_POLICIES:GENERATE_POLICY", connector.stored.id, details).await?;
    let drafted = draft(&app.language_models, &connector, &description, app.settings.llm.draft_timeout).await;
    let policy = drafted.map_err(|fault| draft_error(&fault, &connector))?;
    Ok(Json(DraftedPolicy { policy }))
}

async fn drafter(app: &App, caller: &Principal, id: Option<Uuid>) -> Result<OpenConnector, Error> {
    let Some(id) = id else { return app.language_models.of_organisation(caller.org_id, None).await };
    let stored = stored(app, caller, id).await?;
    ability(&stored)?;
    if !stored.enabled {
        return Err(Error::forbidden("connector not active"));
    }
    Ok(open(&app.vault, stored).await?)
}

/// The description as it may leave the organisation.
async fn shown(
    app: &App,
    caller: &Principal,
    connector: &OpenConnector,
    description: String,
) -> Result<String, Error> {
    if connector.is("internal") {
        return Ok(description);
    }
    let keys = MaskKeys::new(app.vault.data_key(caller.org_id).await?.bytes());
    let found = find_all(&Text::new(&description));
    Ok(mask(&description, &found, Strategy::Full, &keys).text)
}

fn draft_error(fault: &DraftError, connector: &OpenConnector) -> Error {
    tracing::error!(%fault, connector = %connector.stored.id, "no policy is drafted");
    Error::unavailable(match fault {
        DraftError::LlmError(_) => "policy generation is unavailable",
        DraftError::Refused(_) => "the language model drafted no policy that is accepted, try again",
    })
}
