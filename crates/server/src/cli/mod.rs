//! The commands.

mod admin;
mod audit;
mod backup;
mod check;
mod completions;
mod config;
mod config_flags;
mod copy;
mod doctor;
mod eval;
mod restore;
mod rotate_master_key;
mod seed_logs;
mod serve;
#[cfg(feature = "media")]
mod worker;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use serde_json::Value;

use config_flags::ConfigFlags;

/// The AI guardrail firewall: may this prompt go to the model, may this answer go to the user?
#[derive(Debug, Parser)]
#[command(name = "guardengine", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the service: API and console on one port
    ///
    /// Without any configuration it listens on 127.0.0.1:8080 and keeps everything under ./data. The first start
    /// makes the organisation `default` and its owner, and prints the owner's password once on standard error.
    /// SIGTERM drains: no new connections, those in flight finish, everything buffered is written.
    Serve(ConfigFlags),
    /// Check or show the configuration
    #[command(subcommand)]
    Config(config::Command),
    /// What operators do, also while the server runs; each prints one JSON object
    #[command(subcommand)]
    Admin(admin::Command),
    /// Copy the embedded database into a file, also while the server runs
    ///
    /// The master key is not in the copy, which opens no secrets without it: keep it too, apart from the copy.
    Backup(backup::Backup),
    /// Put a backup in the place of the embedded database; the server must not run
    Restore(restore::Restore),
    /// Move an installation from the embedded database to PostgreSQL; the service must not run
    ///
    /// Table by table, with a line for every batch. A copy that was interrupted goes on when the command is given again. At
    /// the end the rows of every table are counted, and the audit trails checked, on both sides. The source stays as it is.
    Copy(copy::Copy),
    /// Seal everything under a new master key, also while the server runs
    ///
    /// An interrupted rotation goes on when the command is given again. Replicas that share the file follow by themselves.
    RotateMasterKey(rotate_master_key::RotateMasterKey),
    /// The audit trail
    #[command(subcommand)]
    Audit(audit::Command),
    /// Judge one text with no server and no database: exit 0 allow, 1 block, 2 usage or failure
    Check(check::Check),
    /// Check the installation and name the fix for each failure: exit 0 unless a check failed
    Doctor(doctor::Doctor),
    /// Measure detection over labelled suites
    Eval(eval::Eval),
    /// Print the OpenAPI document
    Openapi,
    /// Print a completion script for a shell
    Completions(completions::Completions),
    /// Print the man page
    Man,
    /// Read images or audio for a service that sends requests on standard input
    #[cfg(feature = "media")]
    #[command(hide = true)]
    Worker(worker::Worker),
    /// Fill the log of the first organisation, for measurements
    #[command(hide = true)]
    FillLog(seed_logs::SeedLogs),
}

impl Command {
    fn run(self) -> Result<ExitCode> {
        match self {
            Self::Serve(flags) => serve::run(&flags)?,
            Self::Config(command) => command.run()?,
            Self::Admin(command) => command.run()?,
            Self::Backup(backup) => backup.run()?,
            Self::Restore(restore) => restore.run()?,
            Self::Copy(copy) => copy.run()?,
            Self::RotateMasterKey(rotate) => rotate.run()?,
            Self::Audit(command) => return command.run(),
            #[cfg(feature = "media")]
            Self::Worker(worker) => worker.run()?,
            Self::FillLog(fill) => fill.run()?,
            Self::Check(check) => return Ok(check.run()),
            Self::Doctor(doctor) => return doctor.run(),
            Self::Eval(eval) => eval.run()?,
            Self::Openapi => say(&crate::router::openapi())?,
            Self::Completions(completions) => completions.run()?,
            Self::Man => completions::man()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs the command of the process's arguments: 0 when it did, 1 when it failed, 2 when it was not understood;
/// `check` has codes of its own.
pub fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(code) => code,
        Err(fault) => {
            eprintln!("guardengine: {}", one_line(&fault));
            ExitCode::FAILURE
        }
    }
}

fn one_line(fault: &anyhow::Error) -> String {
    format!("{fault:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints an answer. A reader that has read enough (`| head`) is no fault.
fn say(answer: &str) -> Result<()> {
    use std::io::Write as _;
    match std::io::stdout().write_all(answer.as_bytes()) {
        Err(fault) if fault.kind() != std::io::ErrorKind::BrokenPipe => Err(fault.into()),
        _ => Ok(()),
    }
}

/// Runs a command to its end and prints the object that it answers.
fn answer(command: impl Future<Output = Result<Value>>) -> Result<()> {
    let answer = runtime()?.block_on(command)?;
    say(&format!("{answer}\n"))
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn a_fault_is_told_in_one_line() {
        let fault = anyhow::anyhow!("first\n  second").context("while starting");
        assert_eq!(one_line(&fault), "while starting: first second");
    }
}
