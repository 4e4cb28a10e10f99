//! Sources of text that a guardrail applies to.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A source of text in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The prompt.
    Prompt,
    /// Earlier turns of the conversation.
    History,
    /// Retrieved documents, tool results and tool descriptions.
    Documents,
    /// The response of the model.
    Response,
    /// Text read from images, and transcripts.
    Media,
}

impl Source {
    /// Every source with its name in policies.
    pub const ALL: [(&'static str, Self); 5] = [
        ("prompt", Self::Prompt),
        ("history", Self::History),
        ("documents", Self::Documents),
        ("response", Self::Response),
        ("media", Self::Media),
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources(u8);

impl Sources {
    /// Every source.
    pub const ALL: Self = Self(0b1_1111);
    /// What people and models say, without the documents that they are given.
    pub const SAID: Self = Self(Self::ALL.0 & !Source::Documents.bit());

    /// Creates a set.
    pub fn of(sources: impl IntoIterator<Item = Source>) -> Self {
        Self(sources.into_iter().fold(0, |bits, source| bits | source.bit()))
    }

    /// Returns whether the set has this source.
    pub const fn contains(self, source: Source) -> bool {
        self.0 & source.bit() != 0
    }

    /// Returns the names of the sources, in the order of [`Source::ALL`].
    pub fn names(self) -> Vec<&'static str> {
        Source::ALL.iter().filter(|(_, source)| self.contains(*source)).map(|(name, _)| *name).collect()
    }
}

impl Serialize for Sources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Sources {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = |name: String| {
            let known = Source::ALL.iter().find(|(known, _)| *known == name);
            known.map(|(_, source)| *source).ok_or_else(|| D::Error::custom(format!("unknown source {name}")))
        };
        let names = Vec::<String>::deserialize(deserializer)?;
        names.into_iter().map(named).collect::<Result<Vec<_>, _>>().map(Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_as_names_in_a_fixed_order() {
        let set: Sources = serde_json::from_str(r#"["media", "prompt"]"#).unwrap();
        assert_eq!(set, Sources::of([Source::Prompt, Source::Media]));
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["prompt","media"]"#);
        assert_eq!(Sources::SAID.names(), ["prompt", "history", "response", "media"]);
        assert!(serde_json::from_str::<Sources>(r#"["web"]"#).is_err());
    }
}
