//! Checks that the master key opens the stored keys.

use guardengine_store::Db;
use guardengine_vault::Vault;

use super::Check;
use crate::{app::existing_master_key, config::Settings};

/// Opens every stored key. Never creates a master key.
pub async fn check(settings: &Settings, db: &Db) -> Check {
    match db.has_sealed_keys().await {
        Ok(false) => return Check::ok("keys", "none yet; the first start creates them"),
        Ok(true) => {}
        Err(error) => return Check::failed("keys", error.to_string(), "see the store's check"),
    }
    let master = match existing_master_key(settings) {
        Ok(master) => master,
        Err(error) => return failed(&error.to_string()),
    };
    match Vault::new(db.clone(), master).check().await {
        Ok(count) => Check::ok("keys", format!("the master key opens all {count}")),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> Check {
    Check::failed("keys", why, "restore the master key that belongs to this database")
}
