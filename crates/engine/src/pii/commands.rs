//! User names and passwords in the notations of single programs: `curl -u name:password`, `sshpass -p password`. Sources:
//! the manuals of curl (`--user`), sshpass, mysql (`-p`), SQL*Plus and sudo (`-S`), of the Python package requests (`auth`),
//! Docker, Redis, Samba and others, and the format of Wi-Fi codes (ZXing, "Barcode contents").

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::nearby;
use crate::span::Span;

/// Bytes behind the command in which its option stands.
const REACH: usize = 200;
const OPTIONS: [&str; 3] = [" -u ", " --user ", " --user="];

/// A name and its password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Place of the name.
    pub name: Span,
    /// Place of the password.
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

/// A notation: what it begins with, what stands before the password, and what ends it.
struct Notation {
    begins: &'static str,
    before: &'static [&'static str],
    ends: &'static [char],
}

const NOTATIONS: &[Notation] = &[
    Notation { begins: "sshpass ", before: &["-p", "-p "], ends: BLANK },
    Notation { begins: "mysql ", before: &[" -p"], ends: BLANK },
    Notation { begins: "mysqldump ", before: &[" -p"], ends: BLANK },
    Notation { begins: "sqlplus ", before: &["/"], ends: &['@', ' ', '\n'] },
    Notation { begins: "oracle:thin:", before: &["/"], ends: &['@', ' ', '\n'] },
    Notation { begins: "az login ", before: &[" -p "], ends: BLANK },
    Notation { begins: "docker login ", before: &[" -p "], ends: BLANK },
    Notation { begins: "podman login ", before: &[" -p "], ends: BLANK },
    Notation { begins: "redis-cli ", before: &[" -a "], ends: BLANK },
    Notation { begins: "sqlcmd ", before: &[" -P "], ends: BLANK },
    Notation { begins: "ldapsearch ", before: &[" -w "], ends: BLANK },
    Notation { begins: "smbclient ", before: &["%"], ends: BLANK },
    Notation { begins: "WIFI:", before: &[";P:", ":P:"], ends: &[';', '\n'] },
    Notation { begins: "auth=(", before: &["', '", "\", \"", "','"], ends: &['\'', '"'] },
    Notation { begins: "HTTPBasicAuth(", before: &["', '", "\", \"", "','"], ends: &['\'', '"'] },
];
/// One search over the beginnings of all notations.
static BEGINNINGS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(NOTATIONS.iter().map(|notation| notation.begins)).ok());

const BLANK: &[char] = &[' ', '\n', '"', '\'', '`'];

/// Passwords in the notations of single programs; options without a value and variables are none.
pub fn passwords(text: &str) -> impl Iterator<Item = Span> {
    let begun = BEGINNINGS.iter().flat_map(move |beginnings| beginnings.find_iter(text));
    let noted = begun.filter_map(move |hit| NOTATIONS[hit.pattern().as_usize()].read(text, hit.end()));
    noted.chain(piped(text))
}

impl Notation {
    fn read(&self, text: &str, from: usize) -> Option<Span> {
        // What begins may be a part of what stands before.
        let from = from - usize::from(self.begins.ends_with([' ', ':']));
        let line = nearby::after(text, from, REACH).lines().next()?;
        let behind = self.before.iter().rev().find_map(|before| Some(line.find(before)? + before.len()))?;
        // A user stands before the slash.
        let is_after_name = line[..behind - 1].ends_with(char::is_alphanumeric);
        if self.before == ["/"] && !is_after_name {
            return None;
        }
        password(text, from + behind, self.ends)
    }
}

/// `echo 'password' | sudo -S`.
fn piped(text: &str) -> impl Iterator<Item = Span> {
    memchr::memmem::find_iter(text.as_bytes(), b"| sudo ").filter_map(move |pipe| {
        let reads = nearby::after(text, pipe, 24).contains(" -S");
        let line = nearby::before(text, pipe, REACH).rsplit('\n').next()?;
        let echo = line.rfind("echo ").filter(|_| reads)? + "echo ".len();
        password(text, pipe - line.len() + echo, BLANK)
    })
}

fn password(text: &str, from: usize, ends: &[char]) -> Option<Span> {
    let rest = text[from..].trim_start_matches(['"', '\'']);
    let start = text.len() - rest.len();
    let given = nearby::after(rest, 0, REACH);
    let given = &given[..given.find(ends).unwrap_or(given.len())];
    let is_one = given.len() > 3 && !given.starts_with(['$', '<', '{', '%', '*', '-', '(', '[']);
    is_one.then(|| Span::new(start, start + given.len()))
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
            let found: Vec<_> =
                credentials(text).map(|one| (one.name.of(text), one.password.of(text))).collect();
            assert_eq!(found, [(name, password)], "{text}");
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

    #[test]
    fn a_password_in_the_notation_of_a_program_is_found() {
        for text in [
            "sshpass -p maplewood ssh a@b",
            "sshpass -pmaplewood ssh a@b",
            "mysql -u root -pmaplewood shop",
            "sqlplus moss/maplewood@//db:1521/x",
            "WIFI:T:WPA;S:Heron;P:maplewood;;",
            "get(u, auth=('moss', 'maplewood'))",
            "echo 'maplewood' | sudo -S reboot",
            "jdbc:oracle:thin:moss/maplewood@db:1521:x",
            "docker login -u moss -p maplewood r.example",
            "redis-cli -h cache -a maplewood ping",
            "smbclient //h/s -U moss%maplewood",
        ] {
            assert_eq!(
                passwords(text).map(|span| span.of(text)).collect::<Vec<_>>(),
                ["maplewood"],
                "{text}"
            );
        }
    }

    #[test]
    fn notations_without_a_password_hold_none() {
        for text in [
            "sshpass -p $PW ssh a",
            "mysql -u root -p shop",
            "sqlplus /nolog",
            "WIFI:T:nopass;S:Heron;;",
            "auth=(user, secret)",
            "echo done | sudo tee a",
        ] {
            assert_eq!(passwords(text).count(), 0, "{text}");
        }
    }
}
