//! The binary: reads the command and says in one line what went wrong.

use std::process::ExitCode;

fn main() -> ExitCode {
    guardengine::cli::main()
}
