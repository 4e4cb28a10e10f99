//! Processes that the tests start: the service and the external programs that it uses.

pub mod disk;
#[cfg(feature = "kafka")]
pub mod kafka;
#[cfg(feature = "nats")]
pub mod nats;
pub mod postgres;
pub mod process;
pub mod redis;
#[cfg(feature = "kafka")]
pub mod size_limited_broker;

use std::{env, path::PathBuf};

/// Returns the first of these programs that is installed. Without one, prints a note and returns `None`.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    // Debian installs servers where only administrators look.
    let folders = env::split_paths(&folders).chain(["/usr/sbin".into()]).collect::<Vec<_>>();
    let mut programs = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = programs.find(|program| program.is_file());
    if found.is_none() {
        assert!(env::var_os("GUARDENGINE_TEST_ALL").is_none(), "none of {names:?} is installed");
        eprintln!("skipped: none of {names:?} is installed (scripts/install-deps test installs one)");
    }
    found
}
