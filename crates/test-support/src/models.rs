//! The models that `scripts/test` fetches.

use std::path::PathBuf;

/// Returns the folder of the models. Without it a test is skipped with a message, or fails under `scripts/test`, which
/// fetches them.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("GUARDENGINE_TEST_MODELS").map(PathBuf::from);
    if folder.is_none() {
        assert!(
            std::env::var_os("GUARDENGINE_TEST_ALL").is_none(),
            "scripts/fetch-models could not fetch the models"
        );
        eprintln!("skipped: GUARDENGINE_TEST_MODELS names no folder of scripts/fetch-models");
    }
    folder
}
