//! Command line: parses the arguments and runs the commands.

mod admin;
mod attack;
mod audit;
mod backup;
mod check;
mod completions;
mod config;
mod config_flags;
mod copy;
mod doctor;
mod eval;
mod output;
mod policy_file;
mod progress;
mod restore;
mod rotate_master_key;
mod seed_logs;
mod serve;
mod text_evaluator;
#[cfg(feature = "media")]
mod worker;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use serde_json::Value;

use config_flags::ConfigFlags;
use output::{print_note, print_text, print_usage};

/// AI guardrail firewall: decides which prompts reach a model and which responses reach a user
#[derive(Debug, Parser)]
#[command(name = "guardengine", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the service, with API and console on one port
    ///
    /// Without configuration it listens on 127.0.0.1:8080 and stores everything in ./data. The first start creates the
    /// organization `default` and its owner, and prints the owner's password once on standard error. On SIGTERM the service
    /// stops accepting connections, finishes open requests and writes everything it has buffered.
    Serve(ConfigFlags),
    /// Validate or show the configuration
    #[command(subcommand)]
    Config(config::Command),
    /// Administer organizations, users and keys; can run while the service runs
    #[command(subcommand)]
    Admin(admin::Command),
    /// Back up the embedded database to a file; can run while the service runs
    ///
    /// The backup does not contain the master key, which decrypts its secrets. Store the key too, in another place.
    Backup(backup::Backup),
    /// Replace the embedded database with a backup; the service must not run
    Restore(restore::Restore),
    /// Move an installation from the embedded database to PostgreSQL; the service must not run
    ///
    /// Copies table by table and prints a line per batch. Run the command again to resume an interrupted copy. Afterwards
    /// compares the row counts of all tables and verifies the audit trails on both sides. The source is not changed.
    Copy(copy::Copy),
    /// Re-encrypt all keys under a new master key; can run while the service runs
    ///
    /// Run the command again to resume an interrupted rotation. Replicas that share the key file pick up the new key.
    RotateMasterKey(rotate_master_key::RotateMasterKey),
    /// Verify the audit trail
    #[command(subcommand)]
    Audit(audit::Command),
    /// Evaluate one text without a server or a database; exits with 0 for allow, 1 for block, 2 for errors
    Check(check::Check),
    /// Check the installation and name the fix for each failure: exit 0 unless a check failed
    Doctor(doctor::Doctor),
    /// Measure detection over labeled suites
    Eval(eval::Eval),
    /// Change attacks until they pass a policy; exits with 0 if all were stopped, 1 if some passed, 2 for errors
    ///
    /// Tries obfuscations, encodings, frames, splitting, padding, spacing, other languages, and combinations of two.
    Attack(attack::Attack),
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
    /// Fill the log of the first organization with entries for measurements
    #[command(hide = true)]
    FillLog(seed_logs::SeedLogs),
}

impl Command {
    fn run(self) -> Result<ExitCode> {
        match self {
            Self::Serve(flags) => return serve::run(&flags),
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
            Self::Attack(attack) => return Ok(attack.run()),
            Self::Openapi => print_text(&crate::router::openapi())?,
            Self::Completions(completions) => completions.run()?,
            Self::Man => completions::man()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs the command that the process arguments name. Exits with 0 on success, 1 on failure, 2 on a usage error; `check`
/// and `attack` have their own codes.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return print_usage(&usage),
    };
    cli.command.run().unwrap_or_else(|error| {
        print_note(one_line(&error));
        ExitCode::FAILURE
    })
}

fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a command to completion and prints its result as one line of JSON.
fn print_result(command: impl Future<Output = Result<Value>>) -> Result<()> {
    let result = runtime()?.block_on(command)?;
    print_text(&format!("{result}\n"))
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Returns the definition of the command line.
#[cfg(test)]
pub(crate) fn definition() -> clap::Command {
    use clap::CommandFactory as _;
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_consistent() {
        definition().debug_assert();
    }

    #[test]
    fn prints_errors_in_one_line() {
        let error = anyhow::anyhow!("first\n  second").context("while starting");
        assert_eq!(one_line(&error), "while starting: first second");
    }
}
