//! Checks that the detection engine loads and detects.

use guardengine_engine::{
    evidence::{Origin, Part},
    text::Text,
};
use guardengine_guard::classifier;

use super::Check;
use crate::config::Settings;

/// Loads the models, the operator's own included, and scores a short text.
pub fn check(settings: &Settings) -> Check {
    let classifier = match classifier(&settings.guard.models) {
        Ok(classifier) => classifier,
        Err(error) => return failed(&format!("{error:#}")),
    };
    match classifier.score(&[Part::new(Origin::Subject, Text::new("Is this thing on?"))]) {
        Ok(_) => Check::ok("engine", format!("model {}", classifier.version())),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> Check {
    Check::failed("engine", why, "correct models.encoder and models.remote, or unset them")
}
