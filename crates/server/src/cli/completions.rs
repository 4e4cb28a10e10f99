//! `completions` and `man`: files that packages install, written from the commands themselves.

use anyhow::Result;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, print_text};

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the completion script.
    pub fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "guardengine", &mut script);
        print_text(&String::from_utf8(script)?)
    }
}

/// Prints the man page, in roff.
pub fn man() -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    print_text(&String::from_utf8(page)?)
}
