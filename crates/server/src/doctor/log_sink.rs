//! Checks that log lines can be written.

use std::os::fd::AsFd as _;

use rustix::fs::{FileType, fstat, fstatvfs};

use super::Check;

/// Checks that standard error is open and, where it is a file, that its disk has space. The log of a running service is
/// part of its own states.
pub fn check() -> Check {
    let output = std::io::stderr();
    let Ok(opened) = fstat(output.as_fd()) else {
        return warning("standard error is closed");
    };
    let is_file = FileType::from_raw_mode(opened.st_mode) == FileType::RegularFile;
    let is_full = || fstatvfs(output.as_fd()).is_ok_and(|disk| disk.f_bavail == 0);
    if is_file && is_full() { warning("the disk that standard error goes to is full") } else { ok() }
}

fn ok() -> Check {
    Check::ok("log_sink", "standard error is open")
}

fn warning(why: &str) -> Check {
    Check::warning("log_sink", why, "free the disk that the log goes to, or start its reader again")
}
