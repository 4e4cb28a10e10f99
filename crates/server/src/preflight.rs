//! The checks of a start, without starting: `config check`. Nothing is created, changed or called.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use guardengine_egress::EgressClient;
use guardengine_guard::classifier;
use guardengine_store::check_url;

use crate::{
    app::{existing_master_key, master_key},
    config::Settings,
    first_run::check_first_owner,
    http::rate_limit::RateLimiter,
};

/// Returns the first reason for which a start with these settings would fail.
pub fn check(settings: &Settings) -> Result<()> {
    let url = settings.database_url.expose();
    check_url(url).context("database_url")?;
    let has_data = url.strip_prefix("sqlite://").is_some_and(|path| Path::new(path).exists());
    if !has_data {
        check_first_owner(settings)?;
    }
    if settings.data_dir.exists() && !settings.data_dir.is_dir() {
        bail!("data_dir: {} is not a folder", settings.data_dir.display());
    }
    // The first start creates the file.
    let is_created = settings.master_key.is_none() && !settings.master_key_file.exists();
    if has_data {
        existing_master_key(settings)?;
    } else if !is_created {
        master_key(settings)?;
    }
    if let Some(address) = &settings.redis_url {
        RateLimiter::check_address(address)?;
    }
    EgressClient::new(settings.outgoing).context("outgoing")?;
    classifier(&settings.guard.models)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Layers, Source};

    fn check_with(folder: &Path, set: &[(&str, &str)]) -> String {
        let mut layers = Layers::defaults();
        let folder = folder.display().to_string();
        for (key, value) in [("data_dir", folder.as_str())].iter().chain(set) {
            layers.set(key, (*value).to_owned(), Source::Flag("test".to_owned())).unwrap();
        }
        check(&Settings::from_layers(&layers).unwrap())
            .err()
            .map(|error| format!("{error:#}"))
            .unwrap_or_default()
    }

    #[test]
    fn refuses_what_a_start_refuses_and_creates_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        assert_eq!(check_with(&data, &[("admin.password", "Correct-horse-9")]), "");
        let weak = check_with(&data, &[("admin.password", "weak")]);
        assert!(weak.starts_with("admin.password "), "{weak}");
        let key = check_with(&data, &[("master_key", "short")]);
        assert!(key.contains("must be base64 of 32 bytes"), "{key}");
        let redis = check_with(&data, &[("redis_url", "redis://host:port")]);
        assert!(redis.starts_with("redis_url: "), "{redis}");
        assert!(!data.exists());
        std::fs::write(&data, "").unwrap();
        assert!(check_with(&data, &[]).contains("is not a folder"));
    }

    #[test]
    fn a_missing_master_key_over_data_is_its_own_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("guardengine.db"), "").unwrap();
        let error = check_with(folder.path(), &[("admin.password", "weak")]);
        assert!(error.contains("master.key is missing, and the database is sealed under it"), "{error}");
        assert!(!folder.path().join("master.key").exists());
    }
}
