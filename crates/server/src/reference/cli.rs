//! Commands and flags.

use clap::{Arg, ArgAction, Command};

use super::markdown::{code, table};
use crate::cli::definition;

/// A command with the configuration flags only.
const WITH_CONFIGURATION: &str = "serve";

/// Every command with its own arguments.
pub fn commands() -> String {
    let mut root = definition();
    root.build();
    let mut rows = Vec::new();
    add_commands(&root, &configuration_names(&root), "", &mut rows);
    table(&["command", "does"], rows)
}

fn add_commands(parent: &Command, hidden: &[String], prefix: &str, rows: &mut Vec<Vec<String>>) {
    let is_shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    for command in parent.get_subcommands().filter(is_shown) {
        let name = format!("{prefix}{}", command.get_name());
        if command.has_subcommands() {
            add_commands(command, hidden, &format!("{name} "), rows);
        } else {
            let own = arguments(command)
                .filter(|argument| !hidden.iter().any(|name| *name == argument.get_id().as_str()))
                .map(usage);
            let words = std::iter::once(name).chain(own).collect::<Vec<_>>();
            rows.push(vec![code(&words.join(" ")), about(command)]);
        }
    }
}

/// Flags of every command that reads the configuration.
pub fn configuration_flags() -> String {
    let mut root = definition();
    root.build();
    let command = root.find_subcommand(WITH_CONFIGURATION).unwrap();
    let row = |argument: &Arg| {
        let variable = argument.get_env().map(|name| format!(" (also `{}`)", name.to_string_lossy()));
        let help = argument.get_help().unwrap().to_string();
        vec![code(&spelled(argument)), help + &variable.unwrap_or_default()]
    };
    table(&["flag", "meaning"], arguments(command).map(row))
}

fn configuration_names(root: &Command) -> Vec<String> {
    let command = root.find_subcommand(WITH_CONFIGURATION).unwrap();
    arguments(command).map(|argument| argument.get_id().to_string()).collect()
}

fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_built_in = |argument: &Arg| ["help", "version"].contains(&argument.get_id().as_str());
    command.get_arguments().filter(move |argument| !argument.is_hide_set() && !is_built_in(argument))
}

fn usage(argument: &Arg) -> String {
    let spelled = spelled(argument);
    let repeated = if matches!(argument.get_action(), ArgAction::Append) { "..." } else { "" };
    let is_required = argument.is_required_set();
    if is_required { format!("{spelled}{repeated}") } else { format!("[{spelled}]{repeated}") }
}

/// Formats a flag with its value, or a positional argument.
fn spelled(argument: &Arg) -> String {
    let flag = argument.get_long().map(|name| format!("--{name}"));
    let takes_value = argument.get_action().takes_values();
    let parts = [flag, takes_value.then(|| value(argument))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Formats the value of an argument: its choices if there are few, else its name.
fn value(argument: &Arg) -> String {
    let choices = argument.get_possible_values();
    if (1..=3).contains(&choices.len()) {
        return choices.iter().map(clap::builder::PossibleValue::get_name).collect::<Vec<_>>().join("|");
    }
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}
