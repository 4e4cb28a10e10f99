//! Checks that images and audio can be read.

use guardengine_guard::attachments::MediaWorkers;
use guardengine_media::{MediaError, Missing};

use super::Check;
use crate::config::Settings;

/// Starts a worker of each kind and checks that its engine and models are installed.
pub async fn check(settings: &Settings) -> [Check; 2] {
    let (ocr, speech) = MediaWorkers::new(&settings.guard.media).probe().await;
    [result("ocr", ocr), result("speech", speech)]
}

fn result(name: &'static str, probed: Result<(), MediaError>) -> Check {
    let error = match probed {
        Ok(()) => return Check::ok(name, "ready"),
        Err(error) => error,
    };
    let fix = match &error {
        MediaError::Missing(Missing::Package { package, .. }) => format!("install {package}"),
        MediaError::Missing(Missing::Model(_)) => "correct or unset media.whisper_model".to_owned(),
        MediaError::Missing(Missing::Engines) => "build with the feature `media`".to_owned(),
        _ => "run the service in the foreground and read its log".to_owned(),
    };
    Check::warning(name, error.to_string(), fix)
}
