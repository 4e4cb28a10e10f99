//! How long language models behind connectors have for their answers.

use std::time::Duration;

use super::{ConfigError, settings::Reader};

const ACCEPTED: &str = "must be a duration of 100ms to 10m";

/// How long language models have for their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Llm {
    /// For an opinion on a text that somebody waits for.
    pub timeout: Duration,
    /// For the draft of a policy.
    pub draft_timeout: Duration,
}

impl Reader<'_> {
    pub(super) fn llm(&self) -> Result<Llm, ConfigError> {
        Ok(Llm {
            timeout: self.answering("llm.timeout")?,
            draft_timeout: self.answering("llm.draft_timeout")?,
        })
    }

    fn answering(&self, key: &str) -> Result<Duration, ConfigError> {
        let range = Duration::from_millis(100)..=Duration::from_mins(10);
        let duration = self.duration(key)?;
        if range.contains(&duration) { Ok(duration) } else { Err(self.fault(key, ACCEPTED)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layers, Settings, Source};

    #[test]
    fn a_model_has_some_time_and_not_for_ever() {
        let read = |value: &str| {
            let mut layers = Layers::defaults();
            layers.set("llm.timeout", value.to_owned(), Source::Flag("--set".to_owned())).unwrap();
            Settings::from_layers(&layers)
                .map(|settings| settings.llm.timeout)
                .map_err(|fault| fault.to_string())
        };
        assert_eq!(read("2s"), Ok(Duration::from_secs(2)));
        for value in ["0s", "11m"] {
            assert!(read(value).unwrap_err().contains(ACCEPTED), "{value}");
        }
    }
}
