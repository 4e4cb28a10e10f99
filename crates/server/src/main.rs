//! The `guardengine` binary: runs the command and reports errors in one line.

use std::process::ExitCode;

fn main() -> ExitCode {
    guardengine::cli::main()
}
