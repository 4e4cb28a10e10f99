//! Checks that log lines can be written.

use std::io::Write as _;

use super::Check;

/// Writes a line to standard error, as the service does with its log.
pub fn check() -> Check {
    let line = "guardengine: checked the installation\n";
    match std::io::stderr().lock().write_all(line.as_bytes()) {
        Ok(()) => Check::ok("log_sink", "standard error accepts lines"),
        Err(error) => Check::warning(
            "log_sink",
            format!("standard error does not accept lines: {error}"),
            "free the disk that the log goes to, or start its reader again",
        ),
    }
}
