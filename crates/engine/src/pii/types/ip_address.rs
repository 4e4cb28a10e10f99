//! IP addresses.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::{
    pii::{Match, PiiType, Scanner, candidate::edges, nearby::next_digit},
    span::Span,
};

/// An IPv4 or IPv6 address of a host (RFC 791, RFC 4291).
///
/// Not reported: loopback, unspecified and broadcast addresses, netmasks, networks (`10.0.0.0/8`) and version numbers.
/// Four single digits (`1.2.3.4`) may be a section of a document and need a word such as `ip` near them.
pub struct IpAddress;

impl PiiType for IpAddress {
    fn name(&self) -> &'static str {
        "ip_address"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "ip",
            "ips",
            "ipv4",
            "ipv6",
            "dns",
            "host",
            "server",
            "gateway",
            "ping",
            "client",
            "remote",
            "router",
            "adresse ip",
            "dirección ip",
            "endereço ip",
            "indirizzo ip",
            "айпи",
            "ip地址",
            "ipアドレス",
            "아이피",
        ]
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        version_four(scan, found);
        version_six(scan.text, found);
    }
}

fn version_four(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    let (text, mut at) = (scan.text, 0);
    while let Some(start) = next_digit(text.as_bytes(), at) {
        let dotted = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
        at = start + text.as_bytes()[start..].iter().take_while(dotted).count();
        let span = Span::new(start, start + text[start..at].trim_end_matches('.').len());
        let Some(address) = host_address(text, span) else { continue };
        let confidence = if address.is_private() || address.is_link_local() { 0.6 } else { 0.75 };
        let may_be_section = address.octets().iter().all(|octet| *octet < 10);
        if !may_be_section || scan.has_context("ip_address", span) {
            found.push(Match { span, confidence });
        }
    }
}

fn host_address(text: &str, span: Span) -> Option<Ipv4Addr> {
    if !(7..=15).contains(&span.len()) {
        return None;
    }
    let address: Ipv4Addr = span.of(text).parse().ok()?;
    let is_no_host = matches!(address.octets(), [0 | 127 | 255, ..] | [_, _, 0, 0]);
    let is_network =
        text[span.end..].starts_with('/') && text[span.end + 1..].starts_with(|c: char| c.is_ascii_digit());
    (!is_no_host && !is_network && stands_free(text, span) && !is_version(text, span.start))
        .then_some(address)
}

fn stands_free(text: &str, span: Span) -> bool {
    let after = text[span.end..].chars().next();
    let slash = text[..span.start].ends_with("//") || text[..span.start].ends_with('@');
    (slash || edges::stands_free_before(text, span.start))
        && !after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_version(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', ':', '=', '"', '\'']);
    ["version", "release", "ver.", "ver", "build", "v", "rev", "section", "firmware", "版本", "バージョン"]
        .iter()
        .any(|word| {
            let Some(place) = before.len().checked_sub(word.len()) else { return false };
            let is_one = before.get(place..).is_some_and(|end| end.eq_ignore_ascii_case(word));
            // Not the end of another: `server` ends like `ver`.
            is_one && (edges::stands_free_before(before, place) || !word.is_ascii())
        })
}

fn version_six(text: &str, found: &mut Vec<Match>) {
    let mut at = 0;
    while let Some(colon) = memchr::memchr(b':', &text.as_bytes()[at..]).map(|place| at + place) {
        let span = run_around(text.as_bytes(), colon, at);
        at = span.end.max(colon + 1);
        if is_host_address(text, span) {
            found.push(Match { span, confidence: 0.97 });
        }
    }
}

// Hexadecimal digits, colons and dots around `colon`; a colon at the end belongs to the sentence.
fn run_around(bytes: &[u8], colon: usize, floor: usize) -> Span {
    let part = |byte: &&u8| byte.is_ascii_hexdigit() || matches!(**byte, b':' | b'.');
    let before = bytes[floor..colon].iter().rev().take_while(part).count();
    let after = bytes[colon..].iter().take_while(part).count();
    let trimmed = bytes[colon..colon + after].iter().rev().take_while(|byte| **byte == b'.').count();
    Span::new(colon - before, colon + after - trimmed)
}

fn is_host_address(text: &str, span: Span) -> bool {
    let written = span.of(text);
    let edges_are_free =
        edges::stands_free_before(text, span.start) || text[..span.start].ends_with(['[', '@']);
    let goes_on = text[span.end..].starts_with(char::is_alphanumeric);
    // `ab::cd` may be a path in code: the first group of an address in use is long.
    let first = written.split(':').next().unwrap_or_default();
    let looks_used =
        first.len() >= 3 || written.to_ascii_lowercase().starts_with("::ffff:") || !written.contains("::");
    (6..=45).contains(&span.len())
        && written.bytes().any(|byte| byte.is_ascii_digit())
        && looks_used
        && edges_are_free
        && !goes_on
        && written
            .parse::<Ipv6Addr>()
            .is_ok_and(|address| !address.is_loopback() && !address.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        IpAddress.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn addresses_of_hosts_are_found() {
        assert_eq!(found("login from 203.0.113.77."), ["203.0.113.77"]);
        assert_eq!(found("ssh 192.168.10.24:22"), ["192.168.10.24"]);
        assert_eq!(found("ssh tovey@2001:db8:7::21 -p 22"), ["2001:db8:7::21"]);
        assert_eq!(found("http://198.51.100.4/x"), ["198.51.100.4"]);
        assert_eq!(found("our server 203.0.113.78 is down"), ["203.0.113.78"]);
        assert_eq!(found("来自203.0.113.9的请求"), ["203.0.113.9"]);
        assert_eq!(found("ping 2001:db8:85a3::8a2e:370:7334 now"), ["2001:db8:85a3::8a2e:370:7334"]);
        assert_eq!(found("[fe80::1ff:fe23:4567:890a]:443"), ["fe80::1ff:fe23:4567:890a"]);
    }

    #[test]
    fn versions_masks_and_this_machine_are_no_hosts() {
        for text in [
            "version 10.0.19.1",
            "v1.2.3.44",
            "127.0.0.1",
            "0.0.0.0",
            "255.255.255.0",
            "10.0.0.0/8",
            "1.2.3.4.5",
            "see 1.2.3.4 above",
            "::1",
            "std::io",
            "ab::cd",
            "10:30:15",
            "300.1.2.3",
            "fff::abc",
            "1.0.0.0",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
