//! The flags that every command with a configuration takes.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::config::{ConfigError, Layers, Settings, Source};

/// Defaults are overruled by a file, that by the environment, and that by these flags.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigFlags {
    /// A TOML file with settings
    #[arg(long, value_name = "FILE", env = "GUARDENGINE_CONFIG")]
    config: Option<PathBuf>,
    /// Address and port, as 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Where the database and the master key are kept
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// Any setting, as session.idle_timeout=20m; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
}

fn key_and_value(written: &str) -> Result<(String, String), &'static str> {
    let (key, value) = written.split_once('=').ok_or("write it as KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}

impl ConfigFlags {
    /// Every setting, and where the value that counts was written.
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

    /// The effective configuration.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        Settings::from_layers(&self.layers()?)
    }
}

/// What is no Unicode is no setting of ours.
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
    fn a_flag_wins_over_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        std::fs::write(&file, "[lockout]\nattempts = 7\nwindow = \"1m\"").unwrap();
        let flags = ConfigFlags { config: Some(file), ..flags(&[("lockout.attempts", "8")]) };
        let lockout = flags.settings().unwrap().lockout;
        assert_eq!((lockout.attempts, lockout.window.as_secs()), (8, 60));
    }

    #[test]
    fn a_bad_value_names_key_value_and_what_is_accepted() {
        let told = |key, value| flags(&[(key, value)]).settings().unwrap_err().to_string();
        assert_eq!(
            told("session.idle_timeout", "soon"),
            "--set: session.idle_timeout = \"soon\": must be a duration, such as 500ms, 15m or 30d"
        );
        assert!(told("limits.token", "many").ends_with("must be COUNT/WINDOW, such as 100/60s, or off"));
        assert!(told("listem", "x").contains("unknown key listem"));
    }

    #[test]
    fn a_refused_secret_is_not_told() {
        let told = flags(&[("database_url", "mysql://me:hunter2@host")]).settings().unwrap_err().to_string();
        assert!(told.contains("(hidden)") && !told.contains("hunter2"), "{told}");
    }
}
