//! User names and passwords on command lines: `curl -u name:password`. Source: curl's manual, `--user`.

use super::nearby;
use crate::span::Span;

/// Bytes behind the command in which its option stands.
const REACH: usize = 200;
const OPTIONS: [&str; 3] = [" -u ", " --user ", " --user="];

/// A name and its password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Where the name stands.
    pub name: Span,
    /// Where the password stands.
    pub password: Span,
}

/// Those in `text`, in order of appearance; variables (`$USER:$PASSWORD`) are none.
pub fn credentials(text: &str) -> impl Iterator<Item = Credentials> {
    memchr::memmem::find_iter(text.as_bytes(), b"curl ").filter_map(move |place| {
        let line = nearby::after(text, place, REACH).lines().next()?;
        let option = OPTIONS.iter().find_map(|option| Some(line.find(option)? + option.len()))?;
        let given = line[option..].trim_start_matches(['"', '\'']);
        let start = place + line.len() - given.len();
        let given = &given[..given.find([' ', '"', '\'']).unwrap_or(given.len())];
        let (name, password) = given.split_once(':')?;
        let is_variable = |part: &str| part.starts_with(['$', '<', '{', '%', '*']);
        let colon = start + name.len();
        (!name.is_empty() && password.len() > 3 && !is_variable(name) && !is_variable(password)).then(|| {
            Credentials { name: Span::new(start, colon), password: Span::new(colon + 1, start + given.len()) }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gives_a_name_and_a_password_away() {
        for (text, name, password) in [
            ("curl -u jdoe:hunter2 -O https://x.example", "jdoe", "hunter2"),
            ("Try this:\n$ curl -s --user 'ops:Tr0ub4dor&3' https://x", "ops", "Tr0ub4dor&3"),
        ] {
            let told: Vec<_> =
                credentials(text).map(|one| (one.name.of(text), one.password.of(text))).collect();
            assert_eq!(told, [(name, password)], "{text}");
        }
    }

    #[test]
    fn commands_without_them_give_nothing_away() {
        for text in [
            "curl -u $USER:$PASSWORD https://x",
            "curl https://x.example:8443/a",
            "curl -u name https://x",
            "curl ",
        ] {
            assert_eq!(credentials(text).count(), 0, "{text}");
        }
    }
}
