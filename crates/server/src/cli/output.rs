//! Output of the commands. Standard error is best effort: a reader that is gone or a full disk never ends a command.

use std::{
    fmt::Display,
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::{Context as _, Result};

/// Prints to standard output. Ignores a closed pipe (`| head`).
pub fn print_text(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    ignore_closed_pipe(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Prints a line for the operator to standard error.
pub fn print_note(note: impl Display) {
    // One write, so that lines of several processes do not mix.
    let line = format!("guardengine: {note}\n");
    let _unread = io::stderr().lock().write_all(line.as_bytes());
}

/// Prints what the arguments ask for, such as help, or the usage error that they are. Returns the exit code.
pub fn print_usage(usage: &clap::Error) -> ExitCode {
    if usage.use_stderr() {
        let _unread = usage.print();
        return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(1));
    }
    let printed = usage.print().and_then(|()| io::stdout().flush());
    match ignore_closed_pipe(printed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_note(super::one_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn ignore_closed_pipe(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_pipe_is_ignored() {
        assert!(ignore_closed_pipe(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        let full = ignore_closed_pipe(Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert!(format!("{full:#}").starts_with("cannot write to standard output: "), "{full:#}");
    }
}
