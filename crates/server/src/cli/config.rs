//! `config check` and `config show`.

use anyhow::Result;
use clap::Subcommand;

use super::ConfigFlags;
use crate::config::{Layers, Settings};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the configuration without starting
    Check(ConfigFlags),
    /// Print every setting in force and where its value came from; secrets are hidden
    Show(ConfigFlags),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Check(flags) => {
                flags.settings()?;
                println!("the configuration is accepted");
            }
            Self::Show(flags) => {
                let layers = flags.layers()?;
                Settings::from_layers(&layers)?;
                print!("{}", shown(&layers));
            }
        }
        Ok(())
    }
}

/// TOML that could be used as a configuration file, but for the hidden values.
fn shown(layers: &Layers) -> String {
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
    fn values_are_shown_with_their_source_and_secrets_hidden() {
        let mut layers = Layers::defaults();
        layers.set("admin.password", "Secret123".to_owned(), Source::Environment("X".to_owned())).unwrap();
        let shown = shown(&layers);
        assert!(shown.contains("admin.password = \"(hidden)\"  # X\n") && !shown.contains("Secret123"));
        assert!(shown.contains("session.idle_timeout = \"17m\"  # default\n"));
        assert!(shown.parse::<toml::Table>().is_ok());
    }
}
