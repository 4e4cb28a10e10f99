//! Reads a request that creates or changes a connector, by the fields of its type.

use std::collections::{BTreeMap, BTreeSet};

use super::catalog::{ConnectorType, Field, Requirement};
use guardengine_egress::{NetworkPolicy, origin};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{NameError, prepare_changed_name, prepare_name};
use serde_json::{Map, Value};

/// Fields of a connector before the request.
#[derive(Clone, Debug)]
pub struct CurrentFields {
    /// Name; `None` for a new connector.
    pub name: Option<String>,
    /// True if the connector may be used.
    pub enabled: bool,
    /// Fields that are not secret.
    pub settings: Map<String, Value>,
    /// Names of the secrets that are set.
    pub secrets: BTreeSet<String>,
}

impl CurrentFields {
    /// Returns the fields of a connector that does not exist yet.
    pub fn nothing() -> Self {
        Self { name: None, enabled: true, settings: Map::new(), secrets: BTreeSet::new() }
    }
}

/// Fields of a connector after the request.
#[derive(Debug)]
pub struct ConnectorInput {
    /// Name.
    pub name: String,
    /// True if the connector may be used.
    pub enabled: bool,
    /// All fields that are not secret.
    pub settings: Map<String, Value>,
    /// Changed secrets: the new value, or `None` to remove the secret.
    pub secrets: BTreeMap<&'static str, Option<String>>,
}

impl ConnectorInput {
    /// Applies the fields of a request to the `current` ones. Returns the first error, in the order `name`, fields of the
    /// type, `enabled`. An absent field keeps its value; null removes an optional field and counts as absent otherwise.
    pub fn read(
        kind: &ConnectorType,
        fields: Fields<'_>,
        current: CurrentFields,
        policy: NetworkPolicy,
    ) -> Result<Self, FieldError> {
        let (is_change, origins) = (current.name.is_some(), origins(kind, &current.settings));
        let refused = |error: NameError| FieldError::value("name", error.to_string());
        let name = match current.name {
            Some(name) if fields.get("name").is_none() => name,
            Some(name) => prepare_changed_name(fields.required_string("name")?, &name).map_err(refused)?,
            None => prepare_name(fields.required_string("name")?).map_err(refused)?,
        };
        let (settings, secrets) = (current.settings, BTreeMap::new());
        let mut input = Self { name, enabled: current.enabled, settings, secrets };
        for field in kind.fields {
            input.apply(field, fields, policy)?;
            let is_set = |name: &str| input.has(name, &current.secrets);
            let is_missing = match field.need {
                Requirement::Always => true,
                // The other field is read later: look at the request as well.
                Requirement::Without(other) => !is_set(other) && fields.get(other).is_none(),
                Requirement::Never => false,
            };
            if is_missing && !is_set(field.name) {
                return Err(FieldError::required(field.name));
            }
        }
        input.enabled = fields.boolean("enabled")?.unwrap_or(input.enabled);
        if is_change {
            input.check_secrets_of_new_origin(kind, &origins, &current.secrets)?;
        }
        Ok(input)
    }

    /// Returns an error if an address names another server and a secret of the connector is not sent again: whoever may
    /// change the address must not receive the secret.
    fn check_secrets_of_new_origin(
        &self,
        kind: &ConnectorType,
        before: &[(&'static str, Option<String>)],
        held: &BTreeSet<String>,
    ) -> Result<(), FieldError> {
        let after = origins(kind, &self.settings);
        let changed = before.iter().zip(&after).find(|(before, after)| before != after);
        let Some(((address, _), _)) = changed else { return Ok(()) };
        let is_kept = |field: &&Field| held.contains(field.name) && !self.secrets.contains_key(field.name);
        match kind.fields.iter().filter(|field| field.secret).find(is_kept) {
            Some(secret) => {
                let accepted = format!("must be sent again, because {address} names another server");
                Err(FieldError::value(secret.name, accepted))
            }
            None => Ok(()),
        }
    }

    fn apply(&mut self, field: &Field, fields: Fields<'_>, policy: NetworkPolicy) -> Result<(), FieldError> {
        let given = fields.get(field.name).map(|value| field.format.read(value, policy)).transpose();
        let given = given.map_err(|accepted| FieldError::value(field.name, accepted))?;
        let length = given.as_ref().and_then(Value::as_str).map_or(usize::MAX, |text| text.chars().count());
        if length < field.min_chars {
            let accepted = format!("must have at least {} characters", field.min_chars);
            return Err(FieldError::value(field.name, accepted));
        }
        let is_removed = given.is_none() && fields.is_null(field.name) && field.need != Requirement::Always;
        if field.secret {
            let given = given.as_ref().and_then(Value::as_str).map(str::to_owned);
            if given.is_some() || is_removed {
                self.secrets.insert(field.name, given);
            }
            return Ok(());
        }
        if is_removed {
            self.settings.remove(field.name);
        }
        let has = self.settings.contains_key(field.name);
        if let Some(value) = given.or_else(|| field.default_value().filter(|_| !has)) {
            self.settings.insert(field.name.to_owned(), value);
        }
        Ok(())
    }

    fn has(&self, field: &str, current: &BTreeSet<String>) -> bool {
        let secret = self.secrets.get(field).map_or_else(|| current.contains(field), Option::is_some);
        secret || self.settings.contains_key(field)
    }
}

/// Returns the address fields of a type, each with the origin that is set or the default.
fn origins(kind: &ConnectorType, settings: &Map<String, Value>) -> Vec<(&'static str, Option<String>)> {
    let address = |field: &Field| {
        let set = settings.get(field.name).cloned().or_else(|| field.default_value());
        let text = set.as_ref().and_then(Value::as_str)?;
        if field.format.is_address() { origin(text) } else { Some(text.to_lowercase()) }
    };
    let addresses = kind.fields.iter().filter(|field| field.format.names_server() && !field.secret);
    addresses.map(|field| (field.name, address(field))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::connectors::of_name;

    fn read(kind: &str, body: &Value, current: CurrentFields) -> Result<ConnectorInput, String> {
        let fields = Fields::of(body, "body").unwrap();
        ConnectorInput::read(of_name(kind).unwrap(), fields, current, NetworkPolicy::Internet)
            .map_err(|error| error.to_string())
    }

    fn create(kind: &str, body: &Value) -> Result<ConnectorInput, String> {
        read(kind, body, CurrentFields::nothing())
    }

    #[test]
    fn reports_the_first_error_in_field_order() {
        for (body, expected) in [
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
            assert_eq!(create("openai", &body).unwrap_err(), expected, "{body}");
        }
    }

    #[test]
    fn stores_defaults_and_separates_secrets() {
        let input = create("openai", &json!({ "name": " a ", "api_key": "k", "model": "m" })).unwrap();
        let settings = json!({ "model": "m", "base_url": "https://api.openai.com/v1", "internal": false });
        assert_eq!((input.name.as_str(), Value::Object(input.settings)), ("a", settings));
        assert_eq!(input.secrets, BTreeMap::from([("api_key", Some("k".to_owned()))]));
    }

    #[test]
    fn a_server_requires_one_of_two_models() {
        let with = |more: Value| {
            let mut body = json!({ "name": "a", "base_url": "https://example.com/v1" });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            create("openai_compatible", &body)
        };
        assert_eq!(with(json!({})).unwrap_err(), "field required: model");
        assert!(with(json!({ "model": "m" })).is_ok());
        assert!(with(json!({ "transcription_model": "whisper-1" })).is_ok());
        assert_eq!(
            with(json!({ "transcription_model": 1 })).unwrap_err(),
            "transcription_model: must be a string"
        );
    }

    fn current() -> CurrentFields {
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
    fn keeps_absent_fields() {
        let input = read("openai_compatible", &json!({ "model": "n" }), current()).unwrap();
        assert_eq!((input.name.as_str(), input.enabled), ("a", false));
        assert_eq!((&input.settings["model"], &input.settings["internal"]), (&json!("n"), &json!(true)));
        assert!(input.secrets.is_empty());
    }

    #[test]
    fn another_server_needs_the_secrets_again() {
        let refused = "api_key: must be sent again, because base_url names another server";
        for url in ["https://evil.example/v1", "https://example.com.evil/v1", "https://example.com:444/v1"] {
            let change = json!({ "base_url": url });
            assert_eq!(read("openai_compatible", &change, current()).unwrap_err(), refused, "{url}");
            for secret in [json!("k"), json!(null)] {
                let change = json!({ "base_url": url, "api_key": secret });
                assert!(read("openai_compatible", &change, current()).is_ok(), "{url}");
            }
        }
        for url in ["https://example.com/v2", "https://example.com:443/v1", "https://EXAMPLE.com/v1"] {
            assert!(read("openai_compatible", &json!({ "base_url": url }), current()).is_ok(), "{url}");
        }
    }

    #[test]
    fn a_default_address_is_another_server_too() {
        let settings = json!({ "base_url": "https://gateway.example", "model": "m", "internal": false });
        let current = || CurrentFields { settings: settings.as_object().unwrap().clone(), ..current() };
        assert!(read("openai", &json!({ "base_url": null }), current()).is_err());
        assert!(read("openai", &json!({ "base_url": null, "api_key": "k" }), current()).is_ok());
    }

    #[test]
    fn null_removes_optional_fields_only() {
        let change = json!({ "api_key": null, "internal": null, "base_url": null, "name": null });
        let input = read("openai_compatible", &change, current()).unwrap();
        assert_eq!(input.secrets, BTreeMap::from([("api_key", None)]));
        assert_eq!(input.settings["internal"], json!(false), "its default");
        assert_eq!(input.settings["base_url"], json!("https://example.com/v1"));
        let error = read("openai_compatible", &json!({ "model": null }), current()).unwrap_err();
        assert_eq!(error, "field required: model");
    }
}
