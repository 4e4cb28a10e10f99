//! Where an organisation's rows are published.

use std::str::FromStr;

use uuid::Uuid;

/// What stands for the organisation.
const ORG: &str = "{org_id}";
/// NATS allows longer ones; nobody needs them.
const LONGEST: usize = 200;

/// A subject with one token that stands for the organisation, such as `guardengine.logs.{org_id}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject(String);

impl FromStr for Subject {
    type Err = ();

    /// Tokens of letters, digits, `-` and `_`, separated by full stops; exactly one is `{org_id}`, because a row does not
    /// say whose it is.
    fn from_str(written: &str) -> Result<Self, ()> {
        let is_plain = |token: &str| {
            !token.is_empty() && token.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        };
        let (orgs, others): (Vec<_>, Vec<_>) = written.split('.').partition(|token| *token == ORG);
        let accepted = written.len() <= LONGEST && orgs.len() == 1 && others.into_iter().all(is_plain);
        accepted.then(|| Self(written.to_owned())).ok_or(())
    }
}

impl Subject {
    /// That of an organisation.
    pub fn of(&self, org: Uuid) -> String {
        self.0.replace(ORG, &org.to_string())
    }

    /// Those of all organisations, as a stream takes them.
    pub fn of_all(&self) -> String {
        self.0.replace(ORG, "*")
    }

    /// Whether a stream that takes `pattern` takes those of every organisation. `*` is any one token, `>` at the end one or
    /// more. Source: docs.nats.io, "Subject-Based Messaging".
    pub fn is_within(&self, pattern: &str) -> bool {
        let (mut own, mut wanted) = (self.0.split('.'), pattern.split('.'));
        loop {
            match (own.next(), wanted.next()) {
                (None, None) | (Some(_), Some(">")) => return true,
                (Some(_), Some("*")) => {}
                (Some(own), Some(wanted)) if own == wanted && own != ORG => {}
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_the_organisation_once() {
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
    fn a_stream_takes_what_its_pattern_covers() {
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
