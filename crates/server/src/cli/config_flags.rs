//! Configuration flags that commands share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::config::{ConfigError, Layers, Settings, Source};

/// Configuration flags. They override the environment, which overrides the file, which overrides the defaults.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigFlags {
    /// TOML configuration file
    #[arg(long, value_name = "FILE", env = "GUARDENGINE_CONFIG")]
    config: Option<PathBuf>,
    /// Address and port to listen on, such as 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Folder for the database and the master key
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// Set any configuration key, such as session.idle_timeout=20m; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
}

fn key_and_value(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}

impl ConfigFlags {
    /// Returns every setting with its effective value and source.
    pub fn layers(&self) -> Result<Layers, ConfigError> {
        let mut layers = Layers::defaults();
        if let Some(path) = &self.config {
            layers.file(path)?;
        }
        layers.environment(variables())?;
        for (key, flag, value) in
            [("listen", "--listen", &self.listen), ("data_dir", "--data-dir", &self.data_dir)]
        {
            if let Some(value) = value {
                layers.set(key, value.clone(), Source::Flag(flag.to_owned()))?;
            }
        }
        for (key, value) in &self.set {
            layers.set(key, value.clone(), Source::Flag("--set".to_owned()))?;
        }
        Ok(layers)
    }

    /// Returns the validated configuration.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        Settings::from_layers(&self.layers()?)
    }
}

/// Returns the environment variables. Skips those that are not Unicode: none of them is a setting.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(set: &[(&str, &str)]) -> ConfigFlags {
        let set = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        ConfigFlags { set, ..ConfigFlags::default() }
    }

    #[test]
    fn flags_override_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        std::fs::write(&file, "[lockout]\nattempts = 7\nwindow = \"1m\"").unwrap();
        let flags = ConfigFlags { config: Some(file), ..flags(&[("lockout.attempts", "8")]) };
        let lockout = flags.settings().unwrap().auth.lockout;
        assert_eq!((lockout.attempts, lockout.window.as_secs()), (8, 60));
    }

    #[test]
    fn errors_name_key_value_and_accepted_values() {
        let error = |key, value| flags(&[(key, value)]).settings().unwrap_err().to_string();
        assert_eq!(
            error("session.idle_timeout", "soon"),
            "--set: session.idle_timeout = \"soon\": must be a duration of at least 1s, such as 15m"
        );
        assert!(error("limits.token", "many").ends_with("must be COUNT/WINDOW, such as 100/60s, or off"));
        assert!(error("listem", "x").contains("unknown key listem"));
    }

    #[test]
    fn hides_refused_secrets() {
        let error = flags(&[("database_url", "mysql://me:hunter2@host")]).settings().unwrap_err().to_string();
        assert!(error.contains("(hidden)") && !error.contains("hunter2"), "{error}");
    }
}
