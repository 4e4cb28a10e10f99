//! Checks that this build contains the web console.

use super::Check;
use crate::console;

/// Checks that the web console was built into the program.
pub fn check() -> Check {
    if console::is_built() {
        return Check::ok("console", "built in");
    }
    Check::warning(
        "console",
        "this build has no web console; the API works",
        "build again with `make build`, which installs what the console needs",
    )
}
