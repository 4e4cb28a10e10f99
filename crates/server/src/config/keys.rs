//! Every configuration key with the form of its value. Defaults and descriptions are in `default.toml`.

use std::{ops::RangeInclusive, time::Duration};

use super::form::{Form, Shape};

/// A configuration key.
#[derive(Debug)]
pub struct Key {
    /// Name, with a dot between section and key.
    pub name: &'static str,
    /// Form of its value.
    pub form: Form,
    /// True if its value is hidden in `config show`, errors and logs.
    pub is_secret: bool,
}

impl Key {
    /// Returns the environment variable that sets the key.
    pub fn variable(&self) -> String {
        format!("{}{}", super::layers::PREFIX, self.name.replace('.', "__").to_uppercase())
    }
}

/// Returns each key of a secret with the key of a file that holds it. `master_key_file` is none of them: that file can
/// hold several keys, and is created.
pub fn secret_files() -> impl Iterator<Item = (&'static Key, &'static Key)> {
    let secrets = KEYS.iter().filter(|key| key.is_secret && key.name != "master_key");
    secrets.filter_map(|secret| Some((secret, key(&format!("{}_file", secret.name))?)))
}

/// Returns the key with this name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|known| known.name == name)
}

/// A key of earlier versions that has no effect any more. It is accepted with a warning.
#[derive(Debug)]
pub struct RetiredKey {
    /// Name, with a dot between section and key.
    pub name: &'static str,
    /// Advice to whoever sets it.
    pub advice: &'static str,
}

/// Every retired key.
static RETIRED: &[RetiredKey] = &[RetiredKey {
    name: "media.speech_model",
    advice: "PocketSphinx was replaced by Whisper, whose model is in the folder media.models: remove the key",
}];

/// Returns the retired key with this name.
pub fn retired(name: &str) -> Option<&'static RetiredKey> {
    RETIRED.iter().find(|known| known.name == name)
}

const fn open(name: &'static str, form: Form) -> Key {
    Key { name, form, is_secret: false }
}

const fn secret(name: &'static str, form: Form) -> Key {
    Key { name, form, is_secret: true }
}

const fn shaped(accepted: &'static str, pattern: &'static str) -> Form {
    Form::Shaped(Shape { accepted, pattern })
}

const fn list(accepted: &'static str, pattern: &'static str) -> Form {
    Form::List(Shape { accepted, pattern })
}

const fn up_to(max: i64) -> Form {
    Form::Count(1..=max)
}

const ANY_COUNT: Form = Form::Count(0..=i64::MAX);
const AT_LEAST_ONE: Form = up_to(u32::MAX as i64);
const ANY_DURATION: Form = Form::Duration(Duration::ZERO..=Duration::MAX);
const A_SECOND_OR_MORE: Form = Form::Duration(RangeInclusive::new(Duration::from_secs(1), Duration::MAX));
const LLM_TIMEOUT: Form =
    Form::Duration(RangeInclusive::new(Duration::from_millis(100), Duration::from_mins(10)));
const CLASSIFIER_TIMEOUT: Form =
    Form::Duration(RangeInclusive::new(Duration::from_millis(10), Duration::from_mins(1)));
const MIN_WORKER_MEMORY: usize = 256 << 20;
const FIRST_ENTRY: Form = Form::OneOf(&["now", "beginning"]);
// An IPv4 address, or an IPv6 address in brackets.
const ADDRESS: Form = shaped(
    "must be an address and a port, such as 127.0.0.1:8080",
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}",
);

/// Every key, in the order of `default.toml`.
pub static KEYS: &[Key] = &[
    open("listen", ADDRESS),
    open(
        "base_url",
        shaped(
            "must be an http or https address, with a path that is none of the service's own, such as https://host.example/guard/",
            r"https?://[A-Za-z0-9._:\[\]-]+(?:/[A-Za-z0-9._~-]+)*/?",
        ),
    ),
    open("data_dir", Form::Path),
    secret(
        "database_url",
        shaped(
            "must be sqlite://FILE or postgres://user:password@host/database",
            "(?:sqlite|postgres|postgresql)://.*",
        ),
    ),
    open("database_url_file", Form::Path),
    secret("redis_url", shaped("must be redis://host:port/db, or rediss:// for TLS", "rediss?://.*")),
    open("redis_url_file", Form::Path),
    open("master_key_file", Form::Path),
    secret("master_key", Form::Text),
    open(
        "trusted_proxies",
        list(
            "must be addresses or networks separated by commas, such as 10.0.0.0/8, 192.0.2.7",
            "[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?",
        ),
    ),
    open("admin.username", Form::Text),
    secret("admin.password", Form::Text),
    open("admin.password_file", Form::Path),
    open("session.access_token_ttl", A_SECOND_OR_MORE),
    open("session.refresh_token_ttl", A_SECOND_OR_MORE),
    open("session.idle_timeout", A_SECOND_OR_MORE),
    open("session.reuse_grace", ANY_DURATION),
    open("lockout.attempts", AT_LEAST_ONE),
    open("lockout.window", A_SECOND_OR_MORE),
    open("lockout.duration", A_SECOND_OR_MORE),
    open("limits.token", Form::Limit),
    open("limits.login", Form::Limit),
    open("limits.refresh", Form::Limit),
    open("limits.logout", Form::Limit),
    open("limits.analyze", Form::Limit),
    open("limits.autonomous", Form::Limit),
    open("limits.default", Form::Limit),
    open("limits.connections_per_address", ANY_COUNT),
    open("credits.initial", ANY_COUNT),
    open("credits.low", ANY_COUNT),
    open("credits.unit", ANY_COUNT),
    open("credits.retention", A_SECOND_OR_MORE),
    open("credits.cost.analyze", ANY_COUNT),
    open("credits.cost.validate", ANY_COUNT),
    open("credits.cost.mask", ANY_COUNT),
    open("credits.cost.autonomous", ANY_COUNT),
    open("credits.cost.audio", ANY_COUNT),
    open("credits.cost.image", ANY_COUNT),
    open("max_body.json", Form::Size(1)),
    open("max_body.media", Form::Size(1)),
    open("max_body.in_flight", Form::Size(1)),
    open("media.max_images", AT_LEAST_ONE),
    open("media.max_pixels", AT_LEAST_ONE),
    open("media.max_duration", A_SECOND_OR_MORE),
    open("media.async_above", A_SECOND_OR_MORE),
    open("media.workers", AT_LEAST_ONE),
    open("media.queue", AT_LEAST_ONE),
    open("media.memory", Form::Size(MIN_WORKER_MEMORY)),
    open("media.image_timeout", A_SECOND_OR_MORE),
    open("media.audio_timeout", A_SECOND_OR_MORE),
    open("media.ocr", Form::OneOf(&["auto", "paddle", "tesseract"])),
    open("media.models", Form::Path),
    open(
        "media.languages",
        shaped("must be tesseract languages, such as eng or eng+deu", r"[A-Za-z0-9_]+(?:\+[A-Za-z0-9_]+)*"),
    ),
    open("media.whisper_model", Form::Path),
    open("media.require_sandbox", Form::Boolean),
    open("media.program", Form::Path),
    open("outgoing.allow_private", Form::Boolean),
    open("surfaces.key_in_path", Form::Boolean),
    open("evaluation.deadline", A_SECOND_OR_MORE),
    open("llm.timeout", LLM_TIMEOUT),
    open("llm.draft_timeout", LLM_TIMEOUT),
    open("models.encoder.path", Form::Path),
    open("models.encoder.labels", Form::Labels),
    open(
        "models.remote.url",
        shaped(
            "must be an http or https address without user and password, such as http://127.0.0.1:8081/predict",
            "https?://[^@]+",
        ),
    ),
    open("models.remote.labels", Form::Labels),
    secret("models.remote.token", Form::Text),
    open("models.remote.token_file", Form::Path),
    open("models.remote.timeout", CLASSIFIER_TIMEOUT),
    open("reviews.expires_after", A_SECOND_OR_MORE),
    open("tickets.window", ANY_DURATION),
    open("tickets.attempts", AT_LEAST_ONE),
    open("tickets.settling", A_SECOND_OR_MORE),
    open("events.retention", A_SECOND_OR_MORE),
    open("spool.trust", A_SECOND_OR_MORE),
    open("spool.max_size", Form::Size(1)),
    open("logs.retention", A_SECOND_OR_MORE),
    open(
        "log_export.nats.url",
        list(
            "must be nats:// or tls:// addresses without user and password, separated by commas, such as nats://127.0.0.1:4222",
            "(?:nats|tls)://[^@,]+",
        ),
    ),
    open(
        "log_export.nats.stream",
        shaped(
            "must be a name of letters, digits, - and _, such as guardengine_logs",
            "[A-Za-z0-9_-]{1,200}",
        ),
    ),
    open(
        "log_export.nats.subject",
        shaped(
            "must be words separated by dots, one of them {org_id}, such as guardengine.logs.{org_id}",
            r"(?:[A-Za-z0-9_-]+\.)*\{org_id\}(?:\.[A-Za-z0-9_-]+)*",
        ),
    ),
    open("log_export.nats.from", FIRST_ENTRY),
    open("log_export.nats.create_stream", Form::Boolean),
    open("log_export.nats.username", Form::Text),
    secret("log_export.nats.password", Form::Text),
    open("log_export.nats.password_file", Form::Path),
    secret("log_export.nats.token", Form::Text),
    open("log_export.nats.token_file", Form::Path),
    open("log_export.nats.credentials_file", Form::Path),
    open("log_export.nats.ca_file", Form::Path),
    open(
        "log_export.kafka.brokers",
        list(
            "must be names or IPv4 addresses with ports, without user and password, separated by commas, such as kafka-1.example.com:9092",
            "[A-Za-z0-9._-]+:[1-9][0-9]{0,4}",
        ),
    ),
    open(
        "log_export.kafka.topic",
        shaped(
            "must be a name of at most 249 letters, digits, dots, - and _, such as guardengine_logs",
            "[A-Za-z0-9._-]{1,249}",
        ),
    ),
    open("log_export.kafka.from", FIRST_ENTRY),
    open("log_export.kafka.create_topic", Form::Boolean),
    open("log_export.kafka.partitions", up_to(i32::MAX as i64)),
    open("log_export.kafka.replication", up_to(i16::MAX as i64)),
    open("log_export.kafka.tls", Form::Boolean),
    open("log_export.kafka.ca_file", Form::Path),
    open("log_export.kafka.mechanism", Form::OneOf(&["plain", "scram-sha-256", "scram-sha-512"])),
    open("log_export.kafka.username", Form::Text),
    secret("log_export.kafka.password", Form::Text),
    open("log_export.kafka.password_file", Form::Path),
    open(
        "traces.endpoint",
        shaped(
            "must be an http or https address without user and password, such as http://127.0.0.1:4318",
            "https?://[^@]+",
        ),
    ),
    secret("traces.token", Form::Text),
    open("traces.token_file", Form::Path),
    open("traces.sample_percent", up_to(100)),
    open("audit.retention", A_SECOND_OR_MORE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_can_come_from_a_file() {
        let secrets = KEYS.iter().filter(|key| key.is_secret && key.name != "master_key");
        assert_eq!(secret_files().count(), secrets.count());
        assert!(key("master_key_file").is_some());
    }
}
