//! Timeouts of language models behind AI connectors.

use std::time::Duration;

use super::{ConfigError, settings::Reader};

const ACCEPTED: &str = "must be a duration of 100ms to 10m";

impl Reader<'_> {
    pub(super) fn llm_timeout(&self, key: &str) -> Result<Duration, ConfigError> {
        let range = Duration::from_millis(100)..=Duration::from_mins(10);
        let duration = self.duration(key)?;
        if range.contains(&duration) { Ok(duration) } else { Err(self.bad_value(key, ACCEPTED)) }
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
                .map(|settings| settings.guard.opinion_timeout)
                .map_err(|error| error.to_string())
        };
        assert_eq!(read("2s"), Ok(Duration::from_secs(2)));
        for value in ["0s", "11m"] {
            assert!(read(value).unwrap_err().contains(ACCEPTED), "{value}");
        }
    }
}
