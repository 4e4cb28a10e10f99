//! Merges defaults, file, environment and flags, and remembers the source of each value.

use std::{collections::BTreeMap, fmt, path::Path};

use super::{
    ConfigError, DEFAULTS,
    form::Form,
    keys::{RetiredKey, key, retired, secret_files},
};

/// Prefix of the environment variables that set keys.
pub(super) const PREFIX: &str = "GUARDENGINE_";
// Variables with the prefix that are not configuration keys.
const RESERVED: [&str; 1] = ["GUARDENGINE_CONFIG"];
// Variables of the test suite.
const TEST_PREFIX: &str = "GUARDENGINE_TEST_";

/// Source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The built-in default.
    Default,
    /// A configuration file, with its path.
    File(String),
    /// An environment variable, with its name.
    Environment(String),
    /// A command-line flag.
    Flag(String),
}

impl Source {
    /// Returns the place of the layer among the others; later layers override earlier ones.
    const fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::File(_) => 1,
            Self::Environment(_) => 2,
            Self::Flag(_) => 3,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => f.write_str(path),
            Self::Environment(name) => f.write_str(name),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// Every key with its effective value and the source of the value.
#[derive(Clone, Debug)]
pub struct Layers {
    values: BTreeMap<String, (String, Source)>,
    ignored: Vec<String>,
    /// Retired keys that are set, and by what.
    retired: Vec<(&'static RetiredKey, Source)>,
}

impl Layers {
    /// Creates the layers with defaults only.
    pub fn defaults() -> Self {
        let table = DEFAULTS.parse().unwrap_or_default();
        let mut flat = Vec::new();
        flatten("", &toml::Value::Table(table), &mut flat);
        let values = flat.into_iter().map(|(key, value)| (key, (value, Source::Default))).collect();
        Self { values, ignored: Vec::new(), retired: Vec::new() }
    }

    /// Adds the values of a TOML file.
    pub fn file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let place = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => self.toml(&text, &place),
            Err(error) => Err(ConfigError::Unreadable { path: place, why: error.to_string() }),
        }
    }

    /// Adds the values of a TOML document that was read from `path`.
    pub(super) fn toml(&mut self, text: &str, path: &str) -> Result<(), ConfigError> {
        let unreadable =
            |error: toml::de::Error| ConfigError::Unreadable { path: path.to_owned(), why: one_line(&error) };
        let table: toml::Table = text.parse().map_err(unreadable)?;
        let mut flat = Vec::new();
        flatten("", &toml::Value::Table(table), &mut flat);
        flat.into_iter().try_for_each(|(key, value)| self.set(&key, value, Source::File(path.to_owned())))
    }

    /// Adds the values of environment variables.
    pub fn environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), ConfigError> {
        for (name, value) in variables {
            let is_key = !RESERVED.contains(&name.as_str()) && !name.starts_with(TEST_PREFIX);
            if let Some(key) = name.strip_prefix(PREFIX).filter(|_| is_key) {
                let key = key.replace("__", ".").to_lowercase();
                if !self.values.contains_key(&key) && is_of_other_service(&name) {
                    self.ignored.push(name);
                } else {
                    self.set(&key, value, Source::Environment(name))?;
                }
            }
        }
        self.ignored.sort();
        Ok(())
    }

    /// Returns the environment variables that have the prefix but describe a service of the platform, sorted.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Returns the retired keys that are set, and what sets them.
    pub fn retired(&self) -> &[(&'static RetiredKey, Source)] {
        &self.retired
    }

    /// Overrides one value. A retired key has no effect. Fails if the key does not exist.
    pub fn set(&mut self, key: &str, value: String, source: Source) -> Result<(), ConfigError> {
        if let Some(slot) = self.values.get_mut(key) {
            *slot = (value, source);
            return Ok(());
        }
        let Some(retired) = retired(key) else {
            return Err(ConfigError::UnknownKey { place: source.to_string(), key: key.to_owned() });
        };
        // One warning for each key: the last layer is the one that was going to count.
        self.retired.retain(|(other, _)| other.name != retired.name);
        if !value.is_empty() {
            self.retired.push((retired, source));
        }
        Ok(())
    }

    /// Returns the layers with every secret that is in a file of its own, such as `admin.password_file`, read from there.
    /// Of the secret and its file, the one set by the later layer counts; a layer that sets both is refused.
    pub(super) fn with_secret_files(&self) -> Result<Self, ConfigError> {
        let mut layers = self.clone();
        for (secret, file) in secret_files() {
            let (value, source) = self.get(secret.name);
            let (path, file_source) = self.get(file.name);
            if path.is_empty() || (!value.is_empty() && source.rank() > file_source.rank()) {
                continue;
            }
            if !value.is_empty() && source.rank() == file_source.rank() {
                return Err(ConfigError::BadValue {
                    place: file_source.to_string(),
                    key: file.name.to_owned(),
                    value: path.to_owned(),
                    accepted: format!("must not be set together with {}", secret.name).into(),
                });
            }
            let text = read_secret(Path::new(path)).map_err(|why| ConfigError::BadValue {
                place: file_source.to_string(),
                key: file.name.to_owned(),
                value: path.to_owned(),
                accepted: why.into(),
            })?;
            layers.set(secret.name, text, Source::File(path.to_owned()))?;
        }
        Ok(layers)
    }

    /// Returns the effective value of a key of the default file, and its source.
    pub fn get(&self, key: &str) -> (&str, &Source) {
        self.values.get(key).map_or(("", &Source::Default), |(value, source)| (value.as_str(), source))
    }

    /// Iterates over every key with its value and source, sorted by key.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &Source)> {
        self.values.iter().map(|(key, (value, source))| (key.as_str(), value.as_str(), source))
    }
}

/// Returns true for the variables that Kubernetes and container links make for a service or container whose name is, or
/// begins with, `guardengine`: `[NAME_]SERVICE_HOST`, `[NAME_]SERVICE_PORT[_NAME]`, `[NAME_]PORT` and
/// `[NAME_]PORT_<number>_<TCP|UDP>[_…]` after the prefix.
fn is_of_other_service(variable: &str) -> bool {
    let rest = variable.strip_prefix(PREFIX).unwrap_or_default();
    // Two underscores separate the section of a key.
    if rest.contains("__") {
        return false;
    }
    let words: Vec<_> = rest.split('_').collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    words.ends_with(&["SERVICE", "HOST"])
        || words.ends_with(&["PORT"])
        || words.windows(2).any(|words| words == ["SERVICE", "PORT"])
        || words.windows(3).any(|words| matches!(words, ["PORT", number, "TCP" | "UDP"] if is_number(number)))
}

/// Reads a secret from a file, without the line feeds at its end.
fn read_secret(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err("must be a file that holds the secret; it is empty".to_owned()),
        text => Ok(text.to_owned()),
    }
}

fn one_line(error: &toml::de::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flatten(prefix: &str, value: &toml::Value, flat: &mut Vec<(String, String)>) {
    let key = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    match value {
        toml::Value::Table(table) if is_table(prefix) => flat.push((prefix.to_owned(), pairs(table))),
        toml::Value::Table(table) => table.iter().for_each(|(name, value)| flatten(&key(name), value, flat)),
        toml::Value::String(text) => flat.push((prefix.to_owned(), text.clone())),
        toml::Value::Array(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                .collect();
            flat.push((prefix.to_owned(), items.join(",")));
        }
        other => flat.push((prefix.to_owned(), other.to_string())),
    }
}

/// Returns true if the value of `name` may be a table.
fn is_table(name: &str) -> bool {
    key(name).is_some_and(|key| matches!(key.form, Form::Labels))
}

fn pairs(table: &toml::Table) -> String {
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<_> = table.iter().map(|(name, value)| format!("{name}={}", text(value))).collect();
    pairs.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str) -> Result<Layers, ConfigError> {
        let mut layers = Layers::defaults();
        layers.environment(std::iter::once((name.to_owned(), "tcp://10.0.0.1:80".to_owned())))?;
        Ok(layers)
    }

    #[test]
    fn reads_secrets_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("secret"), " Correct horse-9 \r\n").unwrap();
        std::fs::write(path("empty"), "\n").unwrap();
        let environment = || Source::Environment("GUARDENGINE_X".to_owned());
        for (secret, file) in secret_files() {
            let mut layers = Layers::defaults();
            layers.set(file.name, path("secret"), environment()).unwrap();
            let read = layers.with_secret_files().unwrap();
            assert_eq!(read.get(secret.name).0, " Correct horse-9 ", "{}", secret.name);
            layers.set(secret.name, "by flag".to_owned(), Source::Flag("--set".to_owned())).unwrap();
            assert_eq!(layers.with_secret_files().unwrap().get(secret.name).0, "by flag");
            layers.set(secret.name, "twice".to_owned(), environment()).unwrap();
            let error = layers.with_secret_files().unwrap_err().to_string();
            assert!(error.ends_with(&format!("must not be set together with {}", secret.name)), "{error}");
            assert!(!error.contains("twice"), "{error}");
        }
        for (file, why) in [("empty", "it is empty"), ("missing", "cannot be read: No such file")] {
            let mut layers = Layers::defaults();
            layers.set("admin.password_file", path(file), environment()).unwrap();
            let error = layers.with_secret_files().unwrap_err().to_string();
            assert!(
                error.contains("GUARDENGINE_X: admin.password_file = ") && error.contains(why),
                "{error}"
            );
        }
    }

    #[test]
    fn ignores_the_variables_of_services_with_the_same_prefix() {
        for name in [
            "GUARDENGINE_SERVICE_HOST",
            "GUARDENGINE_SERVICE_PORT",
            "GUARDENGINE_SERVICE_PORT_HTTP",
            "GUARDENGINE_PORT",
            "GUARDENGINE_PORT_8080_TCP",
            "GUARDENGINE_PORT_8080_TCP_ADDR",
            "GUARDENGINE_PORT_53_UDP_PROTO",
            "GUARDENGINE_POSTGRES_SERVICE_HOST",
            "GUARDENGINE_POSTGRES_SERVICE_PORT_TCP_POSTGRESQL",
            "GUARDENGINE_POSTGRES_PORT_5432_TCP_PORT",
        ] {
            let layers = set(name).unwrap();
            assert_eq!(layers.ignored(), [name]);
            assert!(layers.all().all(|(_, _, source)| *source == Source::Default), "{name}");
        }
    }

    #[test]
    fn a_retired_key_has_no_effect_and_is_reported_once() {
        let mut layers = Layers::defaults();
        layers.toml("[media]\nspeech_model = \"/models/en-us\"", "a.toml").unwrap();
        let variable = ("GUARDENGINE_MEDIA__SPEECH_MODEL".to_owned(), "/other".to_owned());
        layers.environment([variable].into_iter()).unwrap();
        let reported: Vec<_> =
            layers.retired().iter().map(|(key, source)| (key.name, source.clone())).collect();
        let expected = Source::Environment("GUARDENGINE_MEDIA__SPEECH_MODEL".to_owned());
        assert_eq!(reported, [("media.speech_model", expected)]);
        assert!(layers.all().all(|(key, ..)| key != "media.speech_model"));
        layers.set("media.speech_model", String::new(), Source::Flag("--set".to_owned())).unwrap();
        assert!(layers.retired().is_empty());
    }

    #[test]
    fn refuses_other_unknown_variables() {
        for name in [
            "GUARDENGINE_LISTEM",
            "GUARDENGINE_HOST",
            "GUARDENGINE_PORTS",
            "GUARDENGINE_PORT_HTTP_TCP",
            "GUARDENGINE_SESSION__PORT",
            "GUARDENGINE_SERVICE",
        ] {
            let error = set(name).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: unknown key ")), "{error}");
        }
        assert!(set("GUARDENGINE_LISTEN").unwrap().ignored().is_empty());
    }
}
