//! `config check` and `config show`: validate and print the configuration.

use anyhow::Result;
use clap::Subcommand;

use super::ConfigFlags;
use crate::config::{Layers, Settings};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Validate the configuration without starting the service
    Check(ConfigFlags),
    /// Print every setting with its effective value and source; secrets are hidden
    Show(ConfigFlags),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Check(flags) => {
                flags.settings()?;
                println!("configuration is valid");
            }
            Self::Show(flags) => {
                let layers = flags.layers()?;
                Settings::from_layers(&layers)?;
                print!("{}", to_toml(&layers));
            }
        }
        Ok(())
    }
}

/// Returns the settings as TOML, usable as a configuration file except for the hidden values.
fn to_toml(layers: &Layers) -> String {
    let line = |(key, value, source): (&str, &str, &_)| {
        let value = if Settings::is_secret(key) && !value.is_empty() { "(hidden)" } else { value };
        format!("{key} = {value:?}  # {source}\n")
    };
    layers.all().map(line).collect()
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
        assert!(shown.parse::<toml::Table>().is_ok());
    }
}
