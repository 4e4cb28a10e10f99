use regex::Regex;

use super::*;
use crate::config::{DEFAULTS, KEYS, Layers, Settings};

/// Keywords that restrict nothing.
const ANNOTATIONS: [&str; 5] = ["$schema", "title", "description", "default", "writeOnly"];

/// Returns the first place where `value` breaks `schema`. Knows the keywords that the schema uses, and fails on others.
fn error(schema: &Value, value: &Value, place: &str) -> Option<String> {
    let keywords = schema.as_object().unwrap().iter();
    let mut rules = keywords.filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()));
    rules.find_map(|(keyword, rule)| {
        let is_met = match (keyword.as_str(), value) {
            ("type", _) => is_of_type(rule, value),
            ("enum", _) => rule.as_array().unwrap().contains(value),
            ("pattern", Value::String(text)) => Regex::new(rule.as_str().unwrap()).unwrap().is_match(text),
            ("minimum", Value::Number(number)) => number.as_i64() >= rule.as_i64(),
            ("maximum", Value::Number(number)) => number.as_i64() <= rule.as_i64(),
            ("items", Value::Array(items)) => {
                return items.iter().find_map(|item| error(rule, item, place));
            }
            ("properties", Value::Object(object)) => {
                return object
                    .iter()
                    .find_map(|(name, value)| error(rule.get(name)?, value, &format!("{place}.{name}")));
            }
            ("additionalProperties", Value::Object(object)) => {
                let is_known = |name: &str| schema["properties"].get(name).is_some();
                object.iter().all(|(name, value)| {
                    is_known(name) || (*rule != json!(false) && error(rule, value, place).is_none())
                })
            }
            ("pattern" | "minimum" | "maximum" | "items" | "properties" | "additionalProperties", _) => true,
            _ => panic!("{place}: the keyword {keyword} is not known here"),
        };
        (!is_met).then(|| format!("{place}: {value} breaks {keyword}: {rule}"))
    })
}

fn is_of_type(rule: &Value, value: &Value) -> bool {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    *rule == json!(name) || rule.as_array().is_some_and(|names| names.contains(&json!(name)))
}

fn schema_error(toml: &str) -> Option<String> {
    let table: toml::Table = toml.parse().unwrap_or_else(|error| panic!("{toml}: {error}"));
    error(&schema(), &serde_json::to_value(table).unwrap(), "")
}

fn parser_error(toml: &str) -> Option<String> {
    let mut layers = Layers::defaults();
    let read = layers.toml(toml, "test").and_then(|()| Settings::from_layers(&layers));
    read.err().map(|error| error.to_string())
}

/// Values of each key that the parser and the schema accept, and values that both refuse, as TOML.
const EXAMPLES: &[(&str, &[&str], &[&str])] = &[
    ("listen", &["\"0.0.0.0:80\"", "\"[::1]:8080\""], &["\"8080\"", "\"\"", "8080"]),
    (
        "base_url",
        &["\"\"", "\"https://host.example/guard/\""],
        &["\"host.example\"", "\"https://me:x@host\""],
    ),
    ("data_dir", &["\"/var/lib/guardengine\""], &[]),
    ("database_url", &["\"\"", "\"postgres://me@host/db\""], &["\"mysql://host\""]),
    ("database_url_file", &["\"\""], &[]),
    ("redis_url", &["\"\"", "\"rediss://host:6379/0\""], &["\"host:6379\""]),
    ("redis_url_file", &["\"\""], &[]),
    ("master_key_file", &["\"\"", "\"key\""], &[]),
    ("master_key", &["\"\"", "\"AAAA\""], &[]),
    (
        "trusted_proxies",
        &["\"\"", "\"10.0.0.0/8, ::1\"", "[\"192.0.2.7\", \"fd00::/8\"]"],
        &["\"proxy.example.com\"", "[\"x\"]"],
    ),
    ("admin.username", &["\"\"", "\"root\""], &[]),
    ("admin.password", &["\"\"", "\"Correct-horse-9\""], &[]),
    ("admin.password_file", &["\"\""], &[]),
    ("session.access_token_ttl", &["\"15m\"", "\"1h 30m\"", "\"1500ms\""], &["\"soon\"", "\"0s\"", "15"]),
    ("session.refresh_token_ttl", &["\"2 weeks\""], &["\"30\"", "\"\""]),
    ("session.idle_timeout", &["\"17m\""], &["\"-1m\""]),
    ("session.reuse_grace", &["\"0s\"", "\"500ms\""], &["\"none\"", "\"\""]),
    ("lockout.attempts", &["1", "4294967295"], &["0", "-1", "\"many\"", "true"]),
    ("lockout.window", &["\"10m\""], &["\"0s\""]),
    ("lockout.duration", &["\"1d\""], &["\"ten minutes\""]),
    ("limits.token", &["\"100/60s\"", "\"off\"", "\"5 / 2m\""], &["\"0/60s\"", "\"100\"", "100", "\"\""]),
    ("limits.login", &["\"10/1h\""], &["\"10/0s\""]),
    ("limits.refresh", &["\"off\""], &["\"10/10ms\""]),
    ("limits.logout", &["\"off\""], &["\"many/60s\""]),
    ("limits.analyze", &["\"1000/60s\""], &["false"]),
    ("limits.autonomous", &["\"1/60s\""], &["\"-1/60s\""]),
    ("limits.default", &["\"600/1m\""], &["\"on\""]),
    ("limits.connections_per_address", &["0", "1000"], &["-1", "\"off\""]),
    ("credits.initial", &["0", "100000"], &["-1", "\"many\""]),
    ("credits.low", &["\"\"", "0", "50"], &["-1", "\"few\""]),
    ("credits.unit", &["0", "10000"], &["-1", "\"long\""]),
    ("credits.retention", &["\"\"", "\"90d\""], &["\"0s\""]),
    ("credits.cost.analyze", &["0"], &["-1"]),
    ("credits.cost.validate", &["3"], &["\"free\""]),
    ("credits.cost.mask", &["3"], &["-1"]),
    ("credits.cost.autonomous", &["3"], &["-1"]),
    ("credits.cost.audio", &["3"], &["-1"]),
    ("credits.cost.image", &["3"], &["-1"]),
    ("max_body.json", &["\"2MiB\"", "\"500 kB\"", "1000"], &["\"0\"", "0", "\"2 apples\"", "\"\""]),
    ("max_body.media", &["\"1GiB\""], &["\"MiB\"", "\"2M\""]),
    ("max_body.in_flight", &["\"512MiB\""], &["0", "\"many\""]),
    ("media.max_images", &["1"], &["0"]),
    ("media.max_pixels", &["1000000"], &["0"]),
    ("media.max_duration", &["\"30m\""], &["\"0s\""]),
    ("media.async_above", &["\"5m\""], &["\"0s\""]),
    ("media.workers", &["8"], &["0"]),
    ("media.queue", &["64"], &["0"]),
    ("media.memory", &["\"256MiB\"", "268435456"], &["1000", "\"much\""]),
    ("media.image_timeout", &["\"20s\""], &["\"0s\""]),
    ("media.audio_timeout", &["\"3m\""], &["\"0s\""]),
    ("media.ocr", &["\"auto\"", "\"paddle\"", "\"tesseract\""], &["\"\"", "\"easyocr\""]),
    ("media.models", &["\"\"", "\"/var/lib/guardengine/models\""], &[]),
    ("media.languages", &["\"eng+chi_sim\""], &["\"eng+\"", "\"../eng\"", "\"\""]),
    ("media.whisper_model", &["\"\""], &[]),
    ("media.require_sandbox", &["true", "false"], &["\"maybe\"", "1"]),
    ("media.program", &["\"\"", "\"/usr/bin/guardengine\""], &[]),
    ("outgoing.allow_private", &["true", "false"], &["\"maybe\"", "1"]),
    ("surfaces.key_in_path", &["true", "false"], &["\"maybe\"", "1"]),
    ("evaluation.deadline", &["\"30s\""], &["\"0s\""]),
    ("llm.timeout", &["\"100ms\"", "\"2s\""], &["\"0s\"", "\"\""]),
    ("llm.draft_timeout", &["\"1m\""], &["\"0s\""]),
    ("models.encoder.path", &["\"\""], &[]),
    (
        "models.encoder.labels",
        &["\"\"", "\"INJECTION = prompt_injection, a=b=toxicity\"", "{ INJECTION = \"prompt_injection\" }"],
        &[],
    ),
    ("models.remote.url", &["\"\""], &["\"file:///etc/passwd\"", "\"https://me:x@host/\""]),
    ("models.remote.labels", &["\"\"", "\"TOXIC=toxicity\""], &[]),
    ("models.remote.token", &["\"\"", "\"s3cret\""], &[]),
    ("models.remote.token_file", &["\"\""], &[]),
    ("models.remote.timeout", &["\"10ms\"", "\"1m\""], &[]),
    ("reviews.expires_after", &["\"7d\""], &["\"never\""]),
    ("tickets.window", &["\"0s\"", "\"1h\""], &["\"x\""]),
    ("tickets.attempts", &["1"], &["0"]),
    ("tickets.settling", &["\"2m\""], &["\"0s\""]),
    ("events.retention", &["\"30d\""], &["\"\""]),
    ("spool.trust", &["\"10m\""], &["\"0s\""]),
    ("spool.max_size", &["\"1GiB\""], &["0"]),
    ("logs.retention", &["\"\"", "\"90d\""], &["\"0s\"", "\"forever\""]),
    (
        "log_export.nats.url",
        &["\"\"", "\"nats://10.0.0.1, tls://nats.example.com:4223\"", "[\"nats://a\", \"nats://b\"]"],
        &["\"127.0.0.1:4222\"", "\"nats://127.0.0.1,http://x\"", "\"nats://me:x@host\""],
    ),
    ("log_export.nats.stream", &["\"logs-2\""], &["\"a.b\"", "\"\""]),
    ("log_export.nats.subject", &["\"{org_id}.logs\""], &["\"guardengine.logs\"", "\"{org_id}.{org_id}\""]),
    ("log_export.nats.from", &["\"now\"", "\"beginning\""], &["\"yesterday\"", "\"\""]),
    ("log_export.nats.create_stream", &["true"], &["\"maybe\""]),
    ("log_export.nats.username", &["\"\""], &[]),
    ("log_export.nats.password", &["\"\""], &[]),
    ("log_export.nats.password_file", &["\"\""], &[]),
    ("log_export.nats.token", &["\"\"", "\"s3cret\""], &[]),
    ("log_export.nats.token_file", &["\"\""], &[]),
    ("log_export.nats.credentials_file", &["\"\"", "\"x.creds\""], &[]),
    ("log_export.nats.ca_file", &["\"\"", "\"ca.pem\""], &[]),
    (
        "log_export.kafka.brokers",
        &["\"\"", "\"a.example.com:9092, b_1:9093\"", "[\"a:1\"]"],
        &["\"127.0.0.1\"", "\"127.0.0.1:0\"", "\"kafka://127.0.0.1:9092\"", "\"me:x@host:1\""],
    ),
    ("log_export.kafka.topic", &["\"logs.2\""], &["\"a/b\"", "\"\""]),
    ("log_export.kafka.from", &["\"beginning\""], &["\"yesterday\""]),
    ("log_export.kafka.create_topic", &["true"], &["\"maybe\""]),
    ("log_export.kafka.partitions", &["\"\"", "12"], &["0", "\"x\""]),
    ("log_export.kafka.replication", &["\"\"", "3"], &["0", "40000"]),
    ("log_export.kafka.tls", &["true"], &["\"maybe\""]),
    ("log_export.kafka.ca_file", &["\"\""], &[]),
    ("log_export.kafka.mechanism", &["\"\""], &["\"gssapi\""]),
    ("log_export.kafka.username", &["\"\""], &[]),
    ("log_export.kafka.password", &["\"\""], &[]),
    ("log_export.kafka.password_file", &["\"\""], &[]),
    (
        "traces.endpoint",
        &["\"\"", "\"http://127.0.0.1:4318\"", "\"https://collector.example.com/otlp\""],
        &["\"127.0.0.1:4317\"", "\"https://me:x@host\""],
    ),
    ("traces.token", &["\"\"", "\"s3cret\""], &[]),
    ("traces.token_file", &["\"\""], &[]),
    ("traces.sample_percent", &["1", "100"], &["0", "101", "\"all\""]),
    ("audit.retention", &["\"\"", "\"365d\""], &["\"0s\""]),
];

#[test]
fn the_defaults_match_the_schema() {
    assert_eq!(schema_error(DEFAULTS), None);
}

#[test]
fn the_packaged_configuration_matches_the_schema() {
    let packaged = include_str!("../../../../../deploy/systemd/guardengine.toml");
    assert_eq!((parser_error(packaged), schema_error(packaged)), (None, None));
}

#[test]
fn every_key_has_examples() {
    let names: Vec<_> = EXAMPLES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
}

#[test]
fn every_key_is_in_the_schema_with_a_description() {
    let schema = schema();
    for key in KEYS {
        let pointer = format!("/properties/{}", key.name.replace('.', "/properties/"));
        let property = schema.pointer(&pointer).unwrap_or_else(|| panic!("{pointer}"));
        assert!(property["description"].as_str().unwrap().ends_with(&key.variable()), "{property}");
    }
}

#[cfg(all(feature = "nats", feature = "kafka", feature = "custom-models"))]
#[test]
fn parser_and_schema_accept_and_refuse_the_same_examples() {
    for (name, accepted, refused) in EXAMPLES {
        for value in *accepted {
            let toml = format!("{name} = {value}");
            assert_eq!((parser_error(&toml), schema_error(&toml)), (None, None), "{toml}");
        }
        for value in *refused {
            // A remote classifier is read only with labels.
            let labels =
                if name.starts_with("models.") { "models.remote.labels = \"x=toxicity\"" } else { "" };
            let toml = format!("{name} = {value}\n{labels}");
            assert!(parser_error(&toml).is_some(), "the parser accepts {toml}");
            assert!(schema_error(&toml).is_some(), "the schema accepts {toml}");
        }
    }
}

#[test]
fn parser_and_schema_refuse_unknown_keys_and_tables() {
    for toml in ["listem = \"x\"", "[sessions_of_old]\nidle_timeout = \"17m\"", "[session.more]\nx = 1"] {
        assert!(parser_error(toml).unwrap().contains("unknown key"), "{toml}");
        assert!(schema_error(toml).is_some(), "{toml}");
    }
}

#[test]
fn only_the_parser_checks_the_bounds_of_durations() {
    let toml = "llm.timeout = \"11m\"";
    assert!(parser_error(toml).unwrap().ends_with("must be a duration of 100ms to 10m"));
    assert_eq!(schema_error(toml), None);
}

#[test]
fn labels_name_guardrails() {
    for labels in ["\"INJECTION\"", "\"INJECTION=injection\"", "{ INJECTION = \"injection\" }", "3"] {
        let toml = format!("models.encoder.labels = {labels}\nmodels.encoder.path = \".\"");
        assert!(parser_error(&toml).is_some() && schema_error(&toml).is_some(), "{toml}");
    }
}
