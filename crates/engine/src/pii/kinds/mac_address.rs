//! Addresses of network cards.

use crate::{
    pii::{Kind, Match, Scan},
    span::Span,
};

/// An EUI-48 as IEEE 802 writes it: six pairs of hexadecimal digits joined by `:` or by `-`.
///
/// The broadcast address and the address of zeros belong to nobody.
pub struct MacAddress;

const LENGTH: usize = 17;

impl Kind for MacAddress {
    fn name(&self) -> &'static str {
        "mac_address"
    }

    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Match>) {
        let joints = memchr::memchr2_iter(b':', b'-', scan.text.as_bytes());
        let starts = joints.filter_map(|joint| joint.checked_sub(2));
        let spans = starts.filter(|start| is_address(scan.text.as_bytes(), *start));
        found.extend(spans.map(|start| Match { span: Span::new(start, start + LENGTH), confidence: 0.97 }));
    }
}

fn is_address(bytes: &[u8], start: usize) -> bool {
    let Some(written) = bytes.get(start..start + LENGTH) else { return false };
    let joint = written[2];
    let joins = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == joint || *byte == b'_')
    };
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
        MacAddress.find(&Scan::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn six_pairs_are_an_address() {
        assert_eq!(found("eth0 00:1B:44:11:3A:B7 up"), ["00:1B:44:11:3A:B7"]);
        assert_eq!(found("设备MAC是3c-22-fb-1a-2b-3c。"), ["3c-22-fb-1a-2b-3c"]);
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
