//! Timeouts of language models behind AI connectors.

use std::time::Duration;

use super::{ConfigError, settings::Reader};

/// Timeouts of language models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Llm {
    /// Longest wait for a second opinion on a guard request.
    pub timeout: Duration,
    /// Longest wait for a drafted policy.
    pub draft_timeout: Duration,
}

impl Reader<'_> {
    pub(super) fn llm(&self) -> Result<Llm, ConfigError> {
        Ok(Llm { timeout: self.duration("llm.timeout")?, draft_timeout: self.duration("llm.draft_timeout")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layers, Settings, Source};

    #[test]
    fn bounds_the_timeout() {
        let read = |value: &str| {
            let mut layers = Layers::defaults();
            layers.set("llm.timeout", value.to_owned(), Source::Flag("--set".to_owned())).unwrap();
            Settings::from_layers(&layers)
                .map(|settings| settings.llm.timeout)
                .map_err(|error| error.to_string())
        };
        assert_eq!(read("2s"), Ok(Duration::from_secs(2)));
        for value in ["0s", "11m"] {
            assert!(read(value).unwrap_err().contains("must be a duration of 100ms to 10m"), "{value}");
        }
    }
}
