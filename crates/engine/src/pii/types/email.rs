//! Email addresses.

mod obfuscated;

use crate::{
    pii::{Match, PiiType, Scanner, mask::keep_nothing},
    span::Span,
};

/// An e-mail address, `name@host.tld` (RFC 5321, 6531) or spelled out as `name [at] host [dot] tld`.
///
/// No e-mail address are a git remote (`git@host:path`), a decorator (`@Override`), the credentials of a URL
/// (`//user:secret@host`) and a picture's density (`logo@2x.png`).
pub struct Email;

/// Longest local part and longest address in bytes (RFC 5321, 4.5.3.1; 254 by RFC 3696 erratum 1690).
const LOCAL: usize = 64;
const ADDRESS: usize = 254;

const FILE_ENDINGS: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "json", "html", "py"];

impl PiiType for Email {
    fn name(&self) -> &'static str {
        "email"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let at_signs = memchr::memchr_iter(b'@', scan.text.as_bytes());
        let plain = at_signs.filter_map(|at| address(scan.text, at));
        found.extend(plain.map(|span| Match { span, confidence: 0.98 }));
        obfuscated::find(scan.text, found);
    }

    // The first letter and the domain.
    fn partial(&self, value: &str) -> String {
        let Some((local, domain)) = value.rsplit_once('@') else { return keep_nothing(value) };
        let mut letters = local.chars();
        letters.next().map_or_else(|| keep_nothing(value), |first| format!("{first}***@{domain}"))
    }
}

fn address(text: &str, at: usize) -> Option<Span> {
    let start = local_start(text, at)?;
    let end = domain_end(text, at + 1)?;
    let span = Span::new(start, end);
    (span.len() <= ADDRESS && !is_remote(text, span, at) && !is_userinfo(text, at)).then_some(span)
}

// Where the local part before `end` begins.
fn local_start(text: &str, end: usize) -> Option<usize> {
    let reach = text[..end].char_indices().rev().take(LOCAL + 1);
    let start = reach.take_while(|(_, c)| is_local(*c)).last()?.0;
    let local = text[start..end].trim_start_matches(['.', '-', '\'', '%', '+']);
    let start = end - local.len();
    let before = text[..start].chars().next_back();
    (!local.is_empty() && local.len() <= LOCAL && !local.ends_with('.') && before != Some('@'))
        .then_some(start)
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'')
}

// Where the domain that begins at `start` ends: labels of letters, digits and inner hyphens, the last one of letters.
fn domain_end(text: &str, start: usize) -> Option<usize> {
    let reach = text[start..].char_indices().take(ADDRESS);
    let length = reach.take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '.' | '-')).last();
    let domain = length.map(|(place, c)| &text[start..start + place + c.len_utf8()])?;
    let domain = domain.trim_end_matches(['.', '-']);
    let domain = before_other_script(domain);
    is_domain(domain).then_some(start + domain.len())
}

// Chinese or Japanese text goes on right behind the address, without a blank.
fn before_other_script(domain: &str) -> &str {
    let own = |c: char| c < '\u{590}';
    let ascii_top = domain.rsplit_once('.').is_some_and(|(_, top)| top.starts_with(|c: char| c.is_ascii()));
    let other =
        domain.rsplit_once('.').and_then(|(_, top)| top.find(|c| !own(c)).map(|place| top.len() - place));
    if ascii_top { &domain[..domain.len() - other.unwrap_or(0)] } else { domain }
}

fn is_domain(domain: &str) -> bool {
    let Some((rest, top)) = domain.rsplit_once('.') else { return false };
    let top_is_sane = (2..=24).contains(&top.chars().count()) && top.chars().all(char::is_alphabetic);
    let labels_are_sane =
        rest.split('.').all(|label| (1..=63).contains(&label.len()) && !label.starts_with('-'));
    (top_is_sane || top.starts_with("xn--")) && labels_are_sane && !is_file_ending(top)
}

fn is_file_ending(top: &str) -> bool {
    FILE_ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(top))
}

// `git@host:path`, `scp user@host:/path` and a call `a@b.transpose(` are no addresses.
fn is_remote(text: &str, span: Span, at: usize) -> bool {
    let rest = &text[span.end..];
    let names_path = rest.starts_with(":/") || rest.starts_with(":~") || rest.starts_with('(');
    let login = text[..span.start].trim_end_matches(' ').ends_with("ssh");
    &text[span.start..at] == "git" || names_path || login
}

// What stands between `//` and `@` of a URL is no local part, unless path or query have begun.
fn is_userinfo(text: &str, at: usize) -> bool {
    let token_start =
        text[..at].char_indices().rev().take(ADDRESS).take_while(|(_, c)| !c.is_whitespace()).last();
    let token = token_start.map_or("", |(start, _)| &text[start..at]);
    token.rsplit_once("://").is_some_and(|(_, authority)| !authority.contains(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        Email.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn addresses_are_found_in_any_language() {
        assert_eq!(
            found("write to jane.doe+news@mail.example.co.uk, please"),
            ["jane.doe+news@mail.example.co.uk"]
        );
        assert_eq!(found("Schreib an jürgen@müller.de."), ["jürgen@müller.de"]);
        assert_eq!(found("我的邮箱是 li.wei@example.cn，谢谢"), ["li.wei@example.cn"]);
        assert_eq!(found("почта: ivan@пример.рф"), ["ivan@пример.рф"]);
        assert_eq!(found("メールはtaro@example.jpです"), ["メールはtaro@example.jp"]);
        assert_eq!(found("<a href=\"mailto:o'neil@example.ie\">"), ["o'neil@example.ie"]);
        assert_eq!(found("https://example.com/?user=a.b@example.com&x=1"), ["a.b@example.com"]);
    }

    #[test]
    fn a_partial_mask_shows_the_first_letter_and_the_domain() {
        assert_eq!(Email.partial("jane@example.com"), "j***@example.com");
        assert_eq!(Email.partial("jane [at] example [dot] com"), "**** [**] ******* [***] ***");
    }

    #[test]
    fn spelled_out_addresses_are_found() {
        assert_eq!(found("jane [at] example [dot] com"), ["jane [at] example [dot] com"]);
        assert_eq!(found("mail jane(at)example.com now"), ["jane(at)example.com"]);
        for text in [
            "jane [dot] doe [at] mail [dot] example [dot] org",
            "jane{ät}example.de",
            "jane<at>example<dot>org",
            "jane (arroba) example (punto) es",
            "jane.d @ example.org",
        ] {
            assert_eq!(found(&format!("to: {text} ok")), [text]);
        }
        assert_eq!(found("it is jane dot doe at example dot org ok"), ["jane dot doe at example dot org"]);
    }

    #[test]
    fn look_alikes_are_no_addresses() {
        for text in [
            "@Override",
            "npm i @types/node@18.2.1",
            "git@github.com:org/repo.git",
            "logo@2x.png",
            "a @ b",
            "user@localhost",
            "postgres://app:s3cret@db.example.com/x",
            "scp a.txt root@host.example.com:/tmp",
            "meet me at noon dot matrix",
            "x = A@B.transpose()",
            "f(at)g",
            "C = A @ weights.T",
            "see figure (a) and table 1.net",
            "@jane@social.example",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
