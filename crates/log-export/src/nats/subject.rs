//! Subject that an organization's log entries are published to.

use std::str::FromStr;

use uuid::Uuid;

/// Placeholder for the organization's id.
const PLACEHOLDER: &str = "{org_id}";
/// Maximum number of characters of a subject. NATS allows longer ones, but nobody needs them.
const MAX_LENGTH: usize = 200;

/// A subject with a placeholder for the organization, such as `guardengine.logs.{org_id}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

impl FromStr for Subject {
    type Err = ();

    /// Parses tokens of letters, digits, `-` and `_`, separated by dots. Exactly one must be `{org_id}`, because a log entry
    /// does not name its organization.
    fn from_str(text: &str) -> Result<Self, ()> {
        let is_plain = |token: &str| {
            !token.is_empty() && token.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        let (orgs, others): (Vec<_>, Vec<_>) = text.split('.').partition(|token| *token == PLACEHOLDER);
        let accepted = text.len() <= MAX_LENGTH && orgs.len() == 1 && others.into_iter().all(is_plain);
        accepted.then(|| Self(text.to_owned())).ok_or(())
    }
}

impl Subject {
    /// Returns the subject of an organization.
    pub fn of(&self, org: Uuid) -> String {
        self.0.replace(PLACEHOLDER, &org.to_string())
    }

    /// Returns the pattern that matches the subjects of all organizations.
    pub fn of_all(&self) -> String {
        self.0.replace(PLACEHOLDER, "*")
    }

    /// Returns true if a stream with this subject pattern accepts the subjects of every organization. `*` matches one token,
    /// `>` at the end matches one or more. Source: docs.nats.io, "Subject-Based Messaging".
    pub fn is_within(&self, pattern: &str) -> bool {
        let (mut own, mut pattern) = (self.0.split('.'), pattern.split('.'));
        loop {
            match (own.next(), pattern.next()) {
                (None, None) | (Some(_), Some(">")) => return true,
                (Some(_), Some("*")) => {}
                (Some(own), Some(token)) if own == token && own != PLACEHOLDER => {}
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requires_one_placeholder() {
        for bad in [
            "",
            "logs",
            "logs.{org_id}.{org_id}",
            "logs.x{org_id}",
            "logs..{org_id}",
            "*.{org_id}",
            "a b.{org_id}",
        ] {
            assert_eq!(bad.parse::<Subject>(), Err(()), "{bad}");
        }
        let subject: Subject = "eu.{org_id}.logs".parse().unwrap();
        assert_eq!(subject.of(Uuid::nil()), "eu.00000000-0000-0000-0000-000000000000.logs");
        assert_eq!(subject.of_all(), "eu.*.logs");
    }

    #[test]
    fn matches_stream_patterns() {
        let subject: Subject = "guardengine.logs.{org_id}".parse().unwrap();
        for pattern in [">", "guardengine.>", "guardengine.logs.*", "*.*.*", "guardengine.*.>"] {
            assert!(subject.is_within(pattern), "{pattern}");
        }
        let one = subject.of(Uuid::nil());
        for pattern in ["guardengine.logs", "guardengine.logs.*.>", "guardengine.events.*", "*.*", &one] {
            assert!(!subject.is_within(pattern), "{pattern}");
        }
    }
}
