//! Checks of the machine: data directory, disk, master key, certificates, clock.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    time::{Duration, SystemTime},
};

use guardengine_store::Growth;

use super::Check;
use crate::{
    config::Settings,
    data_dir::{DataDir, make_private},
};

/// Free space below which the store may soon be unable to write.
const LOW_SPACE: u64 = 1 << 30;
/// Free space below which the store is about to stop writing.
const NO_SPACE: u64 = 100 << 20;
/// Days until the disk is full that are a warning.
const SOON: u64 = 14;
/// Tolerated lag of the clock behind the installation time of this program. Allows for time zones and copied files.
const CLOCK_TOLERANCE: Duration = Duration::from_hours(24);

/// Checks that the data directory can be used.
pub fn data_dir(settings: &Settings) -> Check {
    let folder = &settings.data_dir;
    match DataDir::shared(folder) {
        Ok(_) => Check::ok("data_dir", folder.display().to_string()),
        Err(error) => Check::failed(
            "data_dir",
            format!("{error:#}"),
            format!("let this user write to {}, or set data_dir", folder.display()),
        ),
    }
}

/// Checks the free space of the disk that holds the data directory, and when the embedded database will have filled it.
pub fn disk(settings: &Settings, growth: Option<Growth>) -> Check {
    let free =
        match make_private(&settings.data_dir).and_then(|()| Ok(rustix::fs::statvfs(&settings.data_dir)?)) {
            Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
            Err(error) => {
                return Check::warning("disk", error.to_string(), "set data_dir to a folder on a local disk");
            }
        };
    let days = growth.and_then(|growth| growth.bytes_per_day).map(|bytes| free / bytes.max(1));
    let detail = format!("{} MiB free{}", free >> 20, trend(growth, settings.log_retention.is_some()));
    // With a retention, deleted entries make room for new ones.
    let is_soon_full = settings.log_retention.is_none() && days.is_some_and(|days| days < SOON);
    let fix = || "free space, or set logs.retention so that old log entries are deleted";
    match free {
        0..NO_SPACE => Check::failed("disk", detail, fix()),
        NO_SPACE..LOW_SPACE => Check::warning("disk", detail, fix()),
        _ if is_soon_full => Check::warning("disk", detail, fix()),
        _ => Check::ok("disk", detail),
    }
}

/// Describes the size and the growth of the embedded database.
fn trend(growth: Option<Growth>, has_retention: bool) -> String {
    let Some(growth) = growth else { return String::new() };
    let size = format!("; the database has {} MiB", growth.bytes >> 20);
    let until = if has_retention { ", until logs.retention deletes as much" } else { "" };
    match growth.bytes_per_day {
        Some(per_day) => format!("{size} and grows by {} MiB a day{until}", per_day.div_ceil(1 << 20)),
        None => size,
    }
}

/// Checks that the master key exists where there is data that it opens, and that nobody else reads it.
pub fn master_key(settings: &Settings) -> Check {
    if settings.master_key.is_some() {
        return Check::ok("master_key", "set in the configuration");
    }
    let path = &settings.master_key_file;
    let shown = path.display();
    match fs::metadata(path) {
        Ok(file) if file.permissions().mode() & 0o077 != 0 => Check::warning(
            "master_key",
            format!("other users can read {shown}"),
            format!("chmod 600 {shown}"),
        ),
        Ok(_) => Check::ok("master_key", shown.to_string()),
        Err(_) => missing_master_key(settings),
    }
}

fn missing_master_key(settings: &Settings) -> Check {
    let shown = settings.master_key_file.display();
    let fix = format!("restore {shown} from its backup, or set master_key_file");
    match settings.database_url.expose().strip_prefix("sqlite://") {
        Some(path) if Path::new(path).exists() => Check::failed(
            "master_key",
            format!("{shown} is missing, and the database is sealed under it"),
            fix,
        ),
        Some(_) => Check::ok("master_key", format!("{shown} is created on the first start")),
        None => Check::warning(
            "master_key",
            format!("{shown} is missing; only a new database can do without"),
            fix,
        ),
    }
}

/// Checks that the system has certificate authorities, which every TLS connection of the service needs.
pub fn certificates() -> Check {
    let found = rustls_native_certs::load_native_certs().certs.len();
    if found == 0 {
        return Check::warning(
            "certificates",
            "the system has no certificate authorities: calls that need TLS fail",
            "install the package ca-certificates",
        );
    }
    Check::ok("certificates", format!("{found} certificate authorities"))
}

/// Checks that the clock is not behind the installation of this program.
pub fn clock() -> Check {
    let installed = std::env::current_exe().and_then(|program| program.metadata()?.modified());
    let behind = installed.ok().and_then(|at| at.duration_since(now()).ok()).unwrap_or_default();
    if behind > CLOCK_TOLERANCE {
        return Check::failed(
            "clock",
            format!(
                "the clock is {} days behind the installation of this program",
                behind.as_secs() / 86_400
            ),
            "set the clock, and keep it set with NTP",
        );
    }
    Check::ok("clock", "plausible")
}

#[expect(clippy::disallowed_methods, reason = "the clock of the machine is what is checked")]
fn now() -> SystemTime {
    SystemTime::now()
}
