use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit};
use guardengine_engine::{
    fields::{FieldError, Fields},
    pii::{
        find_all,
        mask::{MaskKeys, Strategy, mask},
    },
    policy::document::Policy,
    text::Text,
};
use guardengine_integrations::{
    Integrations,
    connectors::{OpenConnector, open},
    llm::ability,
};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id},
    policies::draft::{DraftError, draft},
    routes::connectors::response::stored,
};

const MAX_DESCRIPTION_LENGTH: usize = 4_000;

/// Description of a policy to draft.
#[derive(Debug, ToSchema)]
#[schema(as = PolicyDraftRequest, example = json!({
    "description": "A chat for bank customers: no personal data to the model, nobody talks it out of its role, no advice on fraud.",
}))]
pub struct DraftRequest {
    /// Purpose of the policy in plain language, at most 4000 characters.
    #[schema(min_length = 1, max_length = 4000)]
    description: String,
    /// AI connector that writes the draft. Default: the oldest active one.
    connector_id: Option<Uuid>,
}

impl FromFields for DraftRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            description: fields.required_text("description", MAX_DESCRIPTION_LENGTH)?.to_owned(),
            connector_id: optional_id(fields, "connector_id")?,
        })
    }
}

/// A policy draft. It is not stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftedPolicy {
    /// Policy, ready for `POST /api/policy/create`.
    #[schema(value_type = crate::policies::written::WrittenPolicy)]
    policy: Policy,
}

/// Draft a policy
///
/// An AI connector of the organization drafts a policy from a description. Personal data in the description is masked
/// unless the connector is internal. The draft is validated but not stored: review it and send it to `POST
/// /api/policy/create`. Costs no credits.
#[utoipa::path(
    post, path = "/api/policy/generate", tag = "policies", operation_id = "policies_generate",
    request_body = DraftRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The draft", body = DraftedPolicy),
        (status = 400, description = "No active AI connector, or its type cannot draft policies", body = ErrorBody),
        (status = 403, description = "Missing permission, or the connector is not active", body = ErrorBody),
        (status = 404, description = "Connector not found", body = ErrorBody),
        (status = 503, description = "The model did not return a valid policy; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Body(request): Body<DraftRequest>,
) -> Answer<DraftedPolicy> {
    let connector = drafter(&tenants, &integrations, &caller, request.connector_id).await?;
    let description = shown(&integrations, &caller, &connector, request.description).await?;
    let details = json!({ "name": connector.stored.name });
    audit::record(
        &tenants.db,
        tenants.clock.now(),
        &caller,
        "FIREWALL_POLICIES:GENERATE_POLICY",
        connector.stored.id,
        details,
    )
    .await?;
    let drafted =
        draft(&integrations.language_models, &connector, &description, operations.settings.draft_timeout)
            .await;
    let policy = drafted.map_err(|error| draft_error(&error, &connector))?;
    Ok(Json(DraftedPolicy { policy }))
}

async fn drafter(
    tenants: &Tenants,
    integrations: &Integrations,
    caller: &Principal,
    id: Option<Uuid>,
) -> Result<OpenConnector, Error> {
    let Some(id) = id else {
        return Ok(integrations.language_models.of_organisation(caller.org_id, None).await?);
    };
    let stored = stored(tenants, caller, id).await?;
    ability(&stored)?;
    if !stored.enabled {
        return Err(Error::forbidden("connector not active"));
    }
    Ok(open(&integrations.vault, stored).await?)
}

/// Returns the description with personal data masked, unless the connector is internal.
async fn shown(
    integrations: &Integrations,
    caller: &Principal,
    connector: &OpenConnector,
    description: String,
) -> Result<String, Error> {
    if connector.is("internal") {
        return Ok(description);
    }
    let keys = MaskKeys::new(integrations.vault.data_key(caller.org_id).await?.bytes());
    let found = find_all(&Text::new(&description));
    Ok(mask(&description, &found, Strategy::Full, &keys).text)
}

fn draft_error(error: &DraftError, connector: &OpenConnector) -> Error {
    tracing::error!(%error, connector = %connector.stored.id, "could not draft a policy");
    Error::unavailable(match error {
        DraftError::LlmError(_) => "policy generation is unavailable",
        DraftError::Refused(_) => "the language model drafted no policy that is accepted, try again",
    })
}
