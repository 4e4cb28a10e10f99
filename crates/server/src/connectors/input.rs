//! What a request makes of a connector: its fields, by the table of types, over what is held.

use std::collections::{BTreeMap, BTreeSet};

use guardengine_egress::NetworkPolicy;
use guardengine_engine::fields::{Fields, Invalid};
use serde_json::{Map, Value};

use super::catalog::{ConnectorType, Field, Requirement};

/// What there is of a connector before the request.
#[derive(Clone, Debug)]
pub struct CurrentFields {
    /// Its name; `None` where there is no connector yet.
    pub name: Option<String>,
    /// Whether it may be used.
    pub enabled: bool,
    /// What may be read.
    pub settings: Map<String, Value>,
    /// Which secrets are set.
    pub secrets: BTreeSet<String>,
}

impl CurrentFields {
    /// Nothing.
    pub fn nothing() -> Self {
        Self { name: None, enabled: true, settings: Map::new(), secrets: BTreeSet::new() }
    }
}

/// What a connector is to be.
#[derive(Debug)]
pub struct ConnectorInput {
    /// Its name.
    pub name: String,
    /// Whether it may be used.
    pub enabled: bool,
    /// What may be read, whole.
    pub settings: Map<String, Value>,
    /// Secrets that change: the new value, or none any more.
    pub secrets: BTreeMap<&'static str, Option<String>>,
}

impl ConnectorInput {
    /// Reads the fields of a `kind` over what is `held`, and tells the first fault: `name`, those of the table, `enabled`.
    /// A field that is absent keeps its value; null takes an optional one away, and counts as absent elsewhere.
    pub fn read(
        kind: &ConnectorType,
        fields: Fields<'_>,
        held: CurrentFields,
        reach: NetworkPolicy,
    ) -> Result<Self, Invalid> {
        let name = match held.name {
            Some(name) if fields.get("name").is_none() => name,
            _ => fields.required_name("name", 100)?.to_owned(),
        };
        let (settings, secrets) = (held.settings, BTreeMap::new());
        let mut wanted = Self { name, enabled: held.enabled, settings, secrets };
        for field in kind.fields {
            wanted.take(field, fields, reach)?;
            let is_set = |name: &str| wanted.has(name, &held.secrets);
            let is_missing = match field.need {
                Requirement::Always => true,
                // It is read later, but stands in the request or is held already.
                Requirement::Without(other) => !is_set(other) && fields.get(other).is_none(),
                Requirement::Never => false,
            };
            if is_missing && !is_set(field.name) {
                return Err(Invalid::required(field.name));
            }
        }
        wanted.enabled = fields.boolean("enabled")?.unwrap_or(wanted.enabled);
        Ok(wanted)
    }

    fn take(&mut self, field: &Field, fields: Fields<'_>, reach: NetworkPolicy) -> Result<(), Invalid> {
        let given = fields.get(field.name).map(|value| field.format.read(value, reach)).transpose();
        let given = given.map_err(|accepted| Invalid::value(field.name, accepted))?;
        let is_emptied = given.is_none() && fields.is_null(field.name) && field.need != Requirement::Always;
        if field.secret {
            let given = given.as_ref().and_then(Value::as_str).map(str::to_owned);
            if given.is_some() || is_emptied {
                self.secrets.insert(field.name, given);
            }
            return Ok(());
        }
        if is_emptied {
            self.settings.remove(field.name);
        }
        let has = self.settings.contains_key(field.name);
        if let Some(value) = given.or_else(|| field.default_value().filter(|_| !has)) {
            self.settings.insert(field.name.to_owned(), value);
        }
        Ok(())
    }

    fn has(&self, field: &str, held: &BTreeSet<String>) -> bool {
        let secret = self.secrets.get(field).map_or_else(|| held.contains(field), Option::is_some);
        secret || self.settings.contains_key(field)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::connectors::of_name;

    fn read(kind: &str, body: &Value, held: CurrentFields) -> Result<ConnectorInput, String> {
        let fields = Fields::of(body, "body").unwrap();
        ConnectorInput::read(of_name(kind).unwrap(), fields, held, NetworkPolicy::Internet)
            .map_err(|fault| fault.to_string())
    }

    fn made(kind: &str, body: &Value) -> Result<ConnectorInput, String> {
        read(kind, body, CurrentFields::nothing())
    }

    #[test]
    fn the_first_fault_in_the_tables_order_is_told() {
        for (body, told) in [
            (json!({ "api_key": 1 }), "field required: name"),
            (json!({ "name": "a", "model": 1 }), "field required: api_key"),
            (json!({ "name": "a", "api_key": "k", "base_url": "x" }), "field required: model"),
            (json!({ "name": "a", "api_key": 1 }), "api_key: must be a string"),
            (
                json!({ "name": "a", "api_key": "k", "model": "m", "base_url": "x" }),
                "base_url: must be an address such as https://example.com/path",
            ),
            (
                json!({ "name": "a", "api_key": "k", "model": "m", "enabled": 1 }),
                "enabled: must be true or false",
            ),
        ] {
            assert_eq!(made("openai", &body).unwrap_err(), told, "{body}");
        }
    }

    #[test]
    fn defaults_are_kept_and_secrets_are_apart() {
        let wanted = made("openai", &json!({ "name": " a ", "api_key": "k", "model": "m" })).unwrap();
        let settings = json!({ "model": "m", "base_url": "https://api.openai.com/v1", "internal": false });
        assert_eq!((wanted.name.as_str(), Value::Object(wanted.settings)), ("a", settings));
        assert_eq!(wanted.secrets, BTreeMap::from([("api_key", Some("k".to_owned()))]));
    }

    #[test]
    fn a_server_needs_a_model_of_either_kind() {
        let with = |more: Value| {
            let mut body = json!({ "name": "a", "base_url": "https://example.com/v1" });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            made("openai_compatible", &body)
        };
        assert_eq!(with(json!({})).unwrap_err(), "field required: model");
        assert!(with(json!({ "model": "m" })).is_ok());
        assert!(with(json!({ "transcription_model": "whisper-1" })).is_ok());
        assert_eq!(
            with(json!({ "transcription_model": 1 })).unwrap_err(),
            "transcription_model: must be a string"
        );
    }

    fn held() -> CurrentFields {
        let settings = json!({ "base_url": "https://example.com/v1", "model": "m", "internal": true });
        let settings = settings.as_object().unwrap().clone();
        CurrentFields {
            name: Some("a".to_owned()),
            enabled: false,
            settings,
            secrets: ["api_key".to_owned()].into(),
        }
    }

    #[test]
    fn what_a_change_does_not_carry_stays() {
        let wanted = read("openai_compatible", &json!({ "model": "n" }), held()).unwrap();
        assert_eq!((wanted.name.as_str(), wanted.enabled), ("a", false));
        assert_eq!((&wanted.settings["model"], &wanted.settings["internal"]), (&json!("n"), &json!(true)));
        assert!(wanted.secrets.is_empty());
    }

    #[test]
    fn null_takes_away_what_is_optional_and_nothing_else() {
        let change = json!({ "api_key": null, "internal": null, "base_url": null, "name": null });
        let wanted = read("openai_compatible", &change, held()).unwrap();
        assert_eq!(wanted.secrets, BTreeMap::from([("api_key", None)]));
        assert_eq!(wanted.settings["internal"], json!(false), "its default");
        assert_eq!(wanted.settings["base_url"], json!("https://example.com/v1"));
        let told = read("openai_compatible", &json!({ "model": null }), held()).unwrap_err();
        assert_eq!(told, "field required: model");
    }
}
