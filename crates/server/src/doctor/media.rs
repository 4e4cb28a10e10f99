//! Checks that images and audio can be read.

use std::path::Path;

use guardengine_guard::attachments::MediaWorkers;
use guardengine_media::{Confinement, MediaError, Missing};

use super::Check;
use crate::config::Settings;

/// Starts a worker of each kind and checks that its engine and models are installed, and that the kernel confines it.
pub async fn check(settings: &Settings) -> Vec<Check> {
    let media = &settings.guard.media;
    let (ocr, speech) = MediaWorkers::new(media).probe().await;
    let confinement = ocr.as_ref().or(speech.as_ref()).ok().copied();
    let mut checks = vec![result("ocr", ocr, &media.models), result("speech", speech, &media.models)];
    checks.extend(confinement.map(sandbox));
    checks
}

fn sandbox(confinement: Confinement) -> Check {
    let missing = confinement.missing();
    if missing.is_empty() {
        return Check::ok("media_sandbox", "workers have no files, no network and few system calls");
    }
    Check::warning(
        "media_sandbox",
        format!("workers are not confined by {missing}"),
        "use a Linux kernel with Landlock and seccomp; media.require_sandbox = true refuses files until then",
    )
}

fn result(name: &'static str, probed: Result<Confinement, MediaError>, models: &Path) -> Check {
    let Err(error) = probed else { return Check::ok(name, "ready") };
    let fix = match &error {
        MediaError::Missing(Missing::Package { package, .. }) => format!("install {package}"),
        MediaError::Missing(Missing::Models(set)) => {
            format!("run scripts/fetch-models {} {set}", models.display())
        }
        MediaError::Missing(Missing::ModelFile(_)) => {
            format!("remove {} and fetch the models again with scripts/fetch-models", models.display())
        }
        MediaError::Missing(Missing::Model(_)) => "correct or unset media.whisper_model".to_owned(),
        MediaError::Missing(Missing::Sandbox(_)) => {
            "use a Linux kernel with Landlock and seccomp, or unset media.require_sandbox".to_owned()
        }
        MediaError::Missing(Missing::Engines) => "build with the feature `media`".to_owned(),
        _ => "run the service in the foreground and read its log".to_owned(),
    };
    Check::warning(name, error.to_string(), fix)
}
