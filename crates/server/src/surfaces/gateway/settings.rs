//! Settings of a project's gateway: which connector serves which model.

use guardengine_engine::fields::{FieldError, Fields};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::optional_id;

/// Most routes of a project.
const MAX_ROUTES: usize = 100;
/// Longest name of a model, in characters.
const MAX_MODEL: usize = 200;
const ON_BLOCK: [(&str, OnBlock); 2] = [("refusal", OnBlock::Refusal), ("error", OnBlock::Error)];

/// The models that a project's gateway serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GatewaySettings {
    /// Routes from models to connectors. The first whose `model` matches serves a call.
    pub routes: Vec<GatewayRoute>,
    /// Answer to a blocked call: the provider's form of a refusal, or of an error with status 400.
    pub on_block: OnBlock,
}

/// A route from models to a connector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GatewayRoute {
    /// Name of the model in calls, in which `*` stands for any characters.
    pub model: String,
    /// Connector that serves the model: `openai`, `openai_compatible`, `azure_openai` or `anthropic`.
    pub connector_id: Uuid,
    /// The connector's name of the model. Null passes the name of the call on.
    pub upstream_model: Option<String>,
    /// Connector that serves a call when the first one fails.
    pub fallback_connector_id: Option<Uuid>,
}

/// Answer to a blocked call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnBlock {
    /// The provider's own form of a refusal, with status 200.
    #[default]
    Refusal,
    /// An error with status 400.
    Error,
}

impl GatewaySettings {
    /// Reads the field `gateway` of a project: `None` if it is absent, `Some(None)` if it is null.
    #[expect(clippy::option_option, reason = "absent, null and settings mean different things")]
    pub fn of(fields: Fields<'_>) -> Result<Option<Option<Self>>, FieldError> {
        if fields.is_null("gateway") {
            return Ok(Some(None));
        }
        let Some(value) = fields.get("gateway") else { return Ok(None) };
        let settings = Self::read(Fields::of(value, "gateway")?).map_err(|error| error.under("gateway"))?;
        Ok(Some(Some(settings)))
    }

    fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        let items = fields.array("routes", MAX_ROUTES)?.ok_or_else(|| FieldError::required("routes"))?;
        let mut routes = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let place = format!("routes.{at}");
            let route = Fields::of(item, &place)?;
            routes.push(GatewayRoute::read(route).map_err(|error| error.under(&place))?);
        }
        Ok(Self { routes, on_block: fields.choice("on_block", &ON_BLOCK)?.unwrap_or_default() })
    }

    /// Returns the settings that a project stores; `None` without a gateway.
    pub fn stored(text: Option<&str>) -> Option<Self> {
        serde_json::from_str(text?).ok()
    }

    /// Returns the form that a project stores.
    pub fn to_stored(&self) -> String {
        // Strings and identifiers always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the route of a model.
    pub fn route(&self, model: &str) -> Option<&GatewayRoute> {
        self.routes.iter().find(|route| matches(&route.model, model))
    }

    /// Returns each connector with the field that names it.
    pub fn connectors(&self) -> impl Iterator<Item = (String, Uuid)> + '_ {
        self.routes.iter().enumerate().flat_map(|(at, route)| {
            let first = (format!("gateway.routes.{at}.connector_id"), route.connector_id);
            let field = format!("gateway.routes.{at}.fallback_connector_id");
            std::iter::once(first).chain(route.fallback_connector_id.map(|id| (field, id)))
        })
    }
}

impl GatewayRoute {
    fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        let upstream =
            fields.get("upstream_model").map(|_| fields.required_text("upstream_model", MAX_MODEL));
        Ok(Self {
            model: fields.required_text("model", MAX_MODEL)?.to_owned(),
            connector_id: optional_id(fields, "connector_id")?
                .ok_or_else(|| FieldError::required("connector_id"))?,
            upstream_model: upstream.transpose()?.map(str::to_owned),
            fallback_connector_id: optional_id(fields, "fallback_connector_id")?,
        })
    }

    /// Returns whether the route serves one model, and not those of a pattern.
    pub fn is_exact(&self) -> bool {
        !self.model.contains('*')
    }
}

/// Returns whether `name` matches a pattern in which `*` stands for any characters. Linear in both: the pieces between
/// stars are found from left to right.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    #[expect(clippy::option_option, reason = "absent, null and settings mean different things")]
    fn read(gateway: &Value) -> Result<Option<Option<GatewaySettings>>, String> {
        let body = json!({ "gateway": gateway });
        GatewaySettings::of(Fields::of(&body, "body").unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_route_that_matches_serves_a_model() {
        let route = |model: &str| json!({ "model": model, "connector_id": ID, "upstream_model": format!("to {model}") });
        let settings = read(&json!({ "routes": [route("gpt-5"), route("gpt-*-mini"), route("*")] }));
        let settings = settings.unwrap().unwrap().unwrap();
        let served = |model| settings.route(model).and_then(|route| route.upstream_model.as_deref());
        assert_eq!(served("gpt-5"), Some("to gpt-5"));
        assert_eq!(served("gpt-5-mini"), Some("to gpt-*-mini"));
        assert_eq!(served("gpt-5-max"), Some("to *"));
        assert_eq!(settings.on_block, OnBlock::Refusal);
        assert_eq!(GatewaySettings::stored(Some(&settings.to_stored())), Some(settings));
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("**b", "ab", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        let route = |more: Value| {
            let mut route = json!({ "model": "m", "connector_id": ID });
            route.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ "routes": [route] })
        };
        for (gateway, expected) in [
            (json!(7), "gateway: must be an object"),
            (json!({}), "field required: gateway.routes"),
            (json!({ "routes": [7] }), "gateway.routes.0: must be an object"),
            (json!({ "routes": [{}] }), "field required: gateway.routes.0.model"),
            (route(json!({ "connector_id": null })), "field required: gateway.routes.0.connector_id"),
            (route(json!({ "connector_id": "x" })), "invalid UUID format: gateway.routes.0.connector_id"),
            (
                route(json!({ "upstream_model": "" })),
                "gateway.routes.0.upstream_model: must have 1 to 200 characters",
            ),
            (json!({ "routes": [], "on_block": "stop" }), "gateway.on_block: must be one of refusal, error"),
        ] {
            assert_eq!(read(&gateway), Err(expected.to_owned()), "{gateway}");
        }
        assert_eq!(read(&Value::Null), Ok(Some(None)));
    }
}
