//! MAC addresses.

use crate::{
    pii::{Match, PiiType, Scanner},
    span::Span,
};

/// An EUI-48 as IEEE 802 writes it, six pairs of hexadecimal digits joined by `:` or by `-`, or as Cisco's devices do, three
/// groups of four joined by `.`.
///
/// The broadcast address and the address of zeros belong to nobody.
pub struct MacAddress;

const LENGTH: usize = 17;
const OF_GROUPS: usize = 14;

impl PiiType for MacAddress {
    fn name(&self) -> &'static str {
        "mac_address"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let joints = memchr::memchr2_iter(b':', b'-', scan.text.as_bytes());
        let starts = joints.filter_map(|joint| joint.checked_sub(2));
        let spans = starts.filter(|start| is_address(scan.text.as_bytes(), *start));
        found.extend(spans.map(|start| Match { span: Span::new(start, start + LENGTH), confidence: 0.97 }));
        let points = memchr::memchr_iter(b'.', scan.text.as_bytes());
        let starts = points.filter_map(|point| point.checked_sub(4));
        let spans = starts.filter(|start| is_of_groups(scan.text.as_bytes(), *start));
        found.extend(spans.map(|start| Match { span: Span::new(start, start + OF_GROUPS), confidence: 0.9 }));
    }
}

// Digits alone are rather a version or a number of something.
fn is_of_groups(bytes: &[u8], start: usize) -> bool {
    let Some(written) = bytes.get(start..start + OF_GROUPS) else { return false };
    let joins = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let goes_on = || bytes.get(start + OF_GROUPS) == Some(&b'.') && joins(bytes.get(start + OF_GROUPS + 1));
    let before = start.checked_sub(1).map(|before| &bytes[before]);
    let in_form = (0..).zip(written).all(|(place, byte)| match place % 5 {
        4 => *byte == b'.',
        _ => byte.is_ascii_hexdigit(),
    });
    let is_mixed = written.iter().any(u8::is_ascii_alphabetic) && written.iter().any(u8::is_ascii_digit);
    in_form
        && is_mixed
        && !joins(before)
        && before != Some(&b'.')
        && !joins(bytes.get(start + OF_GROUPS))
        && !goes_on()
}

fn is_address(bytes: &[u8], start: usize) -> bool {
    let Some(written) = bytes.get(start..start + LENGTH) else { return false };
    let joint = written[2];
    let joins = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == joint);
    let in_form = written
        .iter()
        .enumerate()
        .all(|(place, byte)| if place % 3 == 2 { *byte == joint } else { byte.is_ascii_hexdigit() });
    in_form
        && !joins(start.checked_sub(1).map(|before| &bytes[before]))
        && !joins(bytes.get(start + LENGTH))
        && !is_nobody(written)
}

fn is_nobody(written: &[u8]) -> bool {
    let digits = || written.iter().filter(|byte| byte.is_ascii_hexdigit());
    digits().all(|digit| *digit == b'0') || digits().all(|digit| digit.eq_ignore_ascii_case(&b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        MacAddress.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn six_pairs_are_an_address() {
        assert_eq!(found("eth0 00:1B:44:11:3A:B7 up"), ["00:1B:44:11:3A:B7"]);
        assert_eq!(found("设备MAC是3c-22-fb-1a-2b-3c。"), ["3c-22-fb-1a-2b-3c"]);
    }

    #[test]
    fn three_groups_of_four_are_an_address() {
        assert_eq!(found("DHCPACK to 001a.2b3c.4d5e via eth0"), ["001a.2b3c.4d5e"]);
        assert_eq!(found("It was 00E0.4c68.0001."), ["00E0.4c68.0001"]);
        for text in
            ["1234.5678.9012", "dead.beef.cafe", "001a.2b3c.4d5e.6f70", "x001a.2b3c.4d5e", "001a.2b3c.4d5"]
        {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn other_runs_of_pairs_are_none() {
        for text in [
            "00:1B:44:11:3A",
            "ff:ff:ff:ff:ff:ff",
            "00:00:00:00:00:00",
            "00:1B:44:11:3A:B7:00:11",
            "10:30:15",
            "00:1B-44:11:3A:B7",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
