//! Where values come from, and which of them counts.

use std::{collections::BTreeMap, fmt, path::Path};

use super::{ConfigError, DEFAULTS};

const PREFIX: &str = "GUARDENGINE_";
// Variables with the prefix that are no keys.
const NO_KEYS: [&str; 1] = ["GUARDENGINE_CONFIG"];
const TESTS: &str = "GUARDENGINE_TEST_";
// Keys whose value may be written as a table: they stand for pairs NAME=VALUE, separated by commas.
const PAIRS: [&str; 2] = ["models.encoder.labels", "models.remote.labels"];

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The default.
    Default,
    /// A file.
    File(String),
    /// An environment variable.
    Environment(String),
    /// A flag.
    Flag(String),
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

/// Every key with the value that counts and where it was written.
#[derive(Clone, Debug)]
pub struct Layers(BTreeMap<String, (String, Source)>);

impl Layers {
    /// The defaults.
    pub fn defaults() -> Self {
        let table = DEFAULTS.parse().unwrap_or_default();
        let mut flat = Vec::new();
        flatten("", &toml::Value::Table(table), &mut flat);
        Self(flat.into_iter().map(|(key, value)| (key, (value, Source::Default))).collect())
    }

    /// The values of a TOML file on top.
    pub fn file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let unreadable = |why: String| ConfigError::Unreadable { path: path.display().to_string(), why };
        let text = std::fs::read_to_string(path).map_err(|fault| unreadable(fault.to_string()))?;
        let table: toml::Table =
            text.parse().map_err(|fault: toml::de::Error| unreadable(one_line(&fault)))?;
        let mut flat = Vec::new();
        flatten("", &toml::Value::Table(table), &mut flat);
        flat.into_iter()
            .try_for_each(|(key, value)| self.set(&key, value, Source::File(path.display().to_string())))
    }

    /// The values of environment variables on top.
    pub fn environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), ConfigError> {
        for (name, value) in variables {
            let is_key = !NO_KEYS.contains(&name.as_str()) && !name.starts_with(TESTS);
            if let Some(key) = name.strip_prefix(PREFIX).filter(|_| is_key) {
                let key = key.replace("__", ".").to_lowercase();
                self.set(&key, value, Source::Environment(name))?;
            }
        }
        Ok(())
    }

    /// One value on top.
    pub fn set(&mut self, key: &str, value: String, source: Source) -> Result<(), ConfigError> {
        match self.0.get_mut(key) {
            Some(slot) => *slot = (value, source),
            None => return Err(ConfigError::UnknownKey { place: source.to_string(), key: key.to_owned() }),
        }
        Ok(())
    }

    /// The value that counts. Keys are those of the file of defaults.
    pub fn get(&self, key: &str) -> (&str, &Source) {
        self.0.get(key).map_or(("", &Source::Default), |(value, source)| (value.as_str(), source))
    }

    /// Every key with its value and source, in order.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &Source)> {
        self.0.iter().map(|(key, (value, source))| (key.as_str(), value.as_str(), source))
    }
}

fn one_line(fault: &toml::de::Error) -> String {
    fault.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flatten(prefix: &str, value: &toml::Value, flat: &mut Vec<(String, String)>) {
    let key = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
    match value {
        toml::Value::Table(table) if PAIRS.contains(&prefix) => flat.push((prefix.to_owned(), pairs(table))),
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

fn pairs(table: &toml::Table) -> String {
    let written = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<_> = table.iter().map(|(name, value)| format!("{name}={}", written(value))).collect();
    pairs.join(",")
}
