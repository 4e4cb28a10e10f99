//! Descriptions of sections and keys, read from the comments of `default.toml`.

use super::{DEFAULTS, Key, key};

/// A section of the configuration.
#[derive(Debug)]
pub struct Section {
    /// Name, such as `credits.cost`. Empty for keys outside any section.
    pub name: &'static str,
    /// Description. Empty for keys outside any section.
    pub description: String,
    /// Keys of the section itself, without those of sections below it.
    pub keys: Vec<Described>,
}

/// A key with its description and default from `default.toml`.
#[derive(Debug)]
pub struct Described {
    /// The key.
    pub key: &'static Key,
    /// Description.
    pub description: String,
    /// Default value.
    pub default: toml::Value,
}

impl Described {
    /// Returns true if the key can be unset, with an empty text.
    pub fn is_optional(&self) -> bool {
        self.default.as_str() == Some("")
    }
}

/// Returns every section in the order of `default.toml`. Keys outside any section come first.
pub fn sections() -> Vec<Section> {
    let mut sections = vec![Section { name: "", description: String::new(), keys: Vec::new() }];
    let mut comment = Vec::new();
    for line in DEFAULTS.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
            continue;
        }
        let description = std::mem::take(&mut comment).join(" ");
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push(Section { name, description, keys: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            section.keys.extend(described(section.name, line, description));
        }
    }
    sections
}

/// Returns the key that a line `name = value` sets; `None` for empty lines.
fn described(section: &str, line: &str, description: String) -> Option<Described> {
    let (name, default) = line.parse::<toml::Table>().ok()?.into_iter().next()?;
    let name = if section.is_empty() { name } else { format!("{section}.{name}") };
    Some(Described { key: key(&name)?, description, default })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{KEYS, Layers};

    #[test]
    fn describes_every_section_and_key() {
        let sections = sections();
        for section in &sections {
            assert!(section.name.is_empty() || section.description.ends_with('.'), "[{}]", section.name);
            for described in &section.keys {
                let name = described.key.name;
                assert!(described.description.ends_with('.'), "{name}: {:?}", described.description);
                assert!(described.description.len() <= 170, "{name}: {}", described.description.len());
            }
        }
        assert_eq!(sections[0].keys[0].description, "Address and port of the API and the console.");
    }

    #[test]
    fn keys_and_defaults_name_the_same_keys() {
        let sections = sections();
        let described: Vec<_> =
            sections.iter().flat_map(|section| &section.keys).map(|described| described.key.name).collect();
        assert_eq!(described, KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
        let layers = Layers::defaults();
        let mut sorted = described;
        sorted.sort_unstable();
        assert_eq!(layers.all().map(|(name, ..)| name).collect::<Vec<_>>(), sorted);
    }
}
