//! The list of models, in a form that clients of both providers read.

use axum::{Json, extract::State};
use guardengine_guard::outcome_counter;
use guardengine_integrations::Integrations;
use serde_json::{Value, json};

use super::of_project;
use crate::{app::Operations, http::Error, surfaces::call::SurfaceCaller};

/// Owner that the list names.
const OWNER: &str = "guardengine";
/// The providers' form needs a time.
const CREATED: &str = "1970-01-01T00:00:00Z";

/// Lists the models that a project's routes name. Patterns name none.
pub async fn handle(
    State(operations): State<Operations>,
    State(integrations): State<Integrations>,
    caller: SurfaceCaller,
) -> Result<Json<Value>, Error> {
    let settings = of_project(&operations, &integrations, &caller.principal, caller.project()).await?;
    outcome_counter::mark_recorded();
    let routes = settings.map(|settings| settings.routes).unwrap_or_default();
    let exact = routes.iter().filter(|route| route.is_exact());
    let data: Vec<_> = exact
        .map(|route| {
            json!({ "id": route.model, "object": "model", "created": 0, "owned_by": OWNER,
                "type": "model", "display_name": route.model, "created_at": CREATED })
        })
        .collect();
    let id = |item: Option<&Value>| item.map_or(Value::Null, |item| item["id"].clone());
    Ok(Json(json!({ "object": "list", "first_id": id(data.first()), "last_id": id(data.last()),
        "has_more": false, "data": data })))
}
