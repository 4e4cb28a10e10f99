//! Web addresses.

use memchr::memmem;

use crate::{
    pii::{Match, PiiType, Scanner},
    span::Span,
};

/// A web address: `http`, `https` or `ftp` with a host, or a host that begins with `www.`.
///
/// An address says little about a person, so its confidence is moderate (0.45): a policy's threshold decides whether
/// ordinary links matter. This machine's own addresses (`localhost`) are not reported.
pub struct Url;

/// Links are cut here; browsers take about this much.
const LONGEST: usize = 2048;

impl PiiType for Url {
    fn name(&self) -> &'static str {
        "url"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let text = scan.text;
        let with_scheme = memmem::find_iter(text.as_bytes(), b"://")
            .filter_map(|place| Some((scheme_start(text, place)?, place + 3)));
        let bare = memmem::find_iter(text.as_bytes(), b"www.")
            .filter(|place| begins_word(text, *place) && !text[..*place].ends_with("//"))
            .map(|place| (place, place));
        add(text, with_scheme, found);
        add(text, bare, found);
    }
}

// Adds the addresses that begin at these places with these hosts, but none inside the one before.
fn add(text: &str, places: impl Iterator<Item = (usize, usize)>, found: &mut Vec<Match>) {
    let mut done = 0;
    for (start, host) in places {
        if start < done {
            continue;
        }
        done = end(text, host);
        if done > host && is_public_host(&text[host..done]) {
            found.push(Match { span: Span::new(start, done), confidence: 0.45 });
        }
    }
}

fn scheme_start(text: &str, colon: usize) -> Option<usize> {
    let scheme = ["https", "http", "ftp"].into_iter().find(|scheme| {
        let start = colon.checked_sub(scheme.len());
        start
            .and_then(|start| text.get(start..colon))
            .is_some_and(|written| written.eq_ignore_ascii_case(scheme))
    })?;
    Some(colon - scheme.len()).filter(|start| begins_word(text, *start))
}

fn begins_word(text: &str, start: usize) -> bool {
    !text[..start].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}

// Where the address ends whose host begins at `host`; punctuation that closes the sentence is not part of it.
fn end(text: &str, host: usize) -> usize {
    let length = text[host..].char_indices().take(LONGEST).take_while(|(_, c)| may_stand_in(*c)).last();
    let mut address = length.map_or("", |(place, c)| &text[host..host + place + c.len_utf8()]);
    while let Some(last) = address.chars().next_back() {
        let closes = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' => true,
            ')' => address.matches(')').count() > address.matches('(').count(),
            ']' => !address.contains('['),
            _ => false,
        };
        if !closes {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    host + address.len()
}

// Scripts from Hebrew on go on after an address without a blank.
fn may_stand_in(c: char) -> bool {
    let plain = c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '`' | '{' | '}' | '|' | '\\' | '^');
    plain || (!c.is_ascii() && c.is_alphanumeric() && c < '\u{590}')
}

fn is_public_host(address: &str) -> bool {
    let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().and_then(|host| host.split(':').next()).unwrap_or_default();
    let name = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    let is_this_machine = name.starts_with("127.") || name == "0.0.0.0";
    name.starts_with(char::is_alphanumeric) && name.contains('.') && !is_this_machine
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        Url.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn addresses_are_found_without_the_sentence_around_them() {
        assert_eq!(found("see https://example.com/a?b=c#d."), ["https://example.com/a?b=c#d"]);
        assert_eq!(found("(http://example.com/wiki/Rust_(lang))"), ["http://example.com/wiki/Rust_(lang)"]);
        assert_eq!(found("请看https://example.cn/页面。"), ["https://example.cn/"]);
        assert_eq!(found("siehe www.beispiel.de, danke"), ["www.beispiel.de"]);
        assert_eq!(found("<a href='ftp://files.example.org/x'>"), ["ftp://files.example.org/x"]);
    }

    #[test]
    fn what_names_no_host_is_no_address() {
        for text in
            ["http://localhost:8080/x", "https://", "://", "http://127.0.0.1/", "www.", "std::fmt", "a://b.c"]
        {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
