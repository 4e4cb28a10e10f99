//! `config check`, `config show` and `config schema`: validate, print and describe the configuration.

use anyhow::Result;
use clap::Subcommand;

use super::{ConfigFlags, print_text};
use crate::{
    config::{Form, Layers, Settings, key, schema},
    preflight,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the checks of a start without starting: every value, the first password, keys, models
    Check(ConfigFlags),
    /// Print every setting with its effective value and source; secrets are hidden
    Show(ConfigFlags),
    /// Print the JSON Schema of the configuration file
    ///
    /// Editors use it to complete and check guardengine.toml. Save it beside the file and begin the file with the line
    /// `#:schema ./guardengine.schema.json`.
    Schema,
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Check(flags) => {
                preflight::check(&flags.settings()?)?;
                print_text("configuration is valid\n")?;
            }
            Self::Show(flags) => {
                let layers = flags.layers()?;
                Settings::from_layers(&layers)?;
                print_text(&to_toml(&layers))?;
            }
            Self::Schema => print_text(&format!("{:#}\n", schema()))?,
        }
        Ok(())
    }
}

/// Returns the settings as TOML, usable as a configuration file except for the hidden values.
fn to_toml(layers: &Layers) -> String {
    let line = |(key, value, source): (&str, &str, &_)| {
        let value = if Settings::is_secret(key) && !value.is_empty() { "(hidden)" } else { value };
        let value = literal(key, value).unwrap_or_else(|| format!("{value:?}"));
        format!("{key} = {value}  # {source}\n")
    };
    layers.all().map(line).collect()
}

/// Returns a number or a boolean as TOML; `None` for values that are texts.
fn literal(name: &str, value: &str) -> Option<String> {
    match key(name)?.form {
        Form::Count(_) => value.trim().parse::<i64>().ok().map(|count| count.to_string()),
        Form::Boolean => value.trim().parse::<bool>().ok().map(|is_set| is_set.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Source;

    #[test]
    fn shows_values_with_their_source_and_hides_secrets() {
        let mut layers = Layers::defaults();
        layers.set("admin.password", "Secret123".to_owned(), Source::Environment("X".to_owned())).unwrap();
        let shown = to_toml(&layers);
        assert!(shown.contains("admin.password = \"(hidden)\"  # X\n") && !shown.contains("Secret123"));
        assert!(shown.contains("session.idle_timeout = \"17m\"  # default\n"));
        assert!(shown.contains("lockout.attempts = 5  # default\n"));
        assert!(shown.parse::<toml::Table>().is_ok());
    }
}
