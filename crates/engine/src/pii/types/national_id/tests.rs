use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::pii::{
    find_all,
    test_support::{any_like, checked, need_context, none_is, stand_alone},
};
use crate::text::Text;

fn form_of(country: &str) -> Form {
    let line = lines().find(|line| line.starts_with(country)).expect("the country is in the table");
    Form::read(line).expect("the line is read")
}

fn found(text: &str) -> Vec<String> {
    let all = find_all(&Text::new(text)).into_iter();
    all.filter(|found| found.kind == "national_id").map(|found| found.value).collect()
}

// The digits of a number, weighted and summed by the definition.
fn sum(digits: &str, weight: impl Fn(usize) -> u64) -> u64 {
    digits.bytes().enumerate().map(|(place, digit)| u64::from(digit - b'0') * weight(place)).sum()
}

#[test]
fn every_line_is_read_and_at_least_sixty_countries_are_in_the_table() {
    for line in lines() {
        let form = Form::read(line).unwrap_or_else(|| panic!("{line}"));
        assert!(LENGTHS.contains(&form.letters.len()), "{line}");
        assert!(form.alone.is_none() || !form.checks.is_empty() || form.letters.starts_with("GHA"), "{line}");
    }
    let countries: BTreeSet<&str> = lines().filter_map(|line| line.split('\t').next()).collect();
    assert!(countries.len() > 60, "{}", countries.len());
}

#[test]
fn a_form_without_strong_check_needs_a_label() {
    for (label, number) in [
        ("N° CNIC", "35202-4417093-6"),
        ("NIK saya", "3174052209870006"),
        ("Kenyan ID", "27519408"),
        ("CCCD của tôi là", "079085012664"),
    ] {
        assert_eq!(found(&format!("{label}: {number} ok")), [number]);
        assert_eq!(found(&format!("value: {number} ok")), Vec::<String>::new());
    }
}

#[test]
fn ordinary_numbers_stay() {
    none_is(&NationalId, &["00000000", "1234567"]);
    for text in [
        "build 240115-1032",
        "RFC 7230/9110, 2016-2022",
        "libs/glx 20-20240506-3",
        "sum 1.234.567,89",
        "at 1700000000000 ms",
    ] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

proptest! {
    #[test]
    fn turkish_numbers_hold_by_their_definition(body in "[1-9][0-9]{8}") {
        let (odd, even) = (sum(&body, |place| (place as u64 + 1) % 2), sum(&body, |place| place as u64 % 2));
        let tenth = (7 * odd + 10 * even - even) % 10;
        let eleventh = (odd + even + tenth) % 10;
        let form = form_of("TR");
        for last in 0..10 {
            prop_assert_eq!(form.holds(&format!("{body}{tenth}{last}")), last == eleventh);
        }
    }

    #[test]
    fn czech_numbers_are_divisible_by_eleven(year in 0u32..100, month in 1u32..13, day in 1u32..29, order in 0u32..10_000) {
        let number = format!("{year:02}{month:02}{day:02}{order:04}");
        let value: u64 = number.parse().expect("digits");
        prop_assert_eq!(form_of("CZ").holds(&number), value.is_multiple_of(11));
    }

    #[test]
    fn finnish_codes_end_in_the_remainder_by_thirty_one(day in 1u32..29, month in 1u32..13, year in 0u32..100, order in 2u32..900) {
        let digits = format!("{day:02}{month:02}{year:02}{order:03}");
        let rest = digits.parse::<u64>().expect("digits") % 31;
        let letter = "0123456789ABCDEFHJKLMNPRSTUVWXY".as_bytes()[rest as usize] as char;
        let number = format!("{digits}{letter}");
        prop_assert!(form_of("FI").holds(&number));
        stand_alone(&NationalId, &[&format!("{}-{}{letter}", &digits[..6], &digits[6..])]);
        let with_sign = format!("{}A{}{letter}", &digits[..6], &digits[6..]);
        stand_alone(&NationalId, &[&with_sign]);
    }

    #[test]
    fn chinese_numbers_hold_by_iso_7064(area in 110_000u32..660_000, year in 1930u32..2020, month in 1u32..13, day in 1u32..29, order in 0u32..1000) {
        let body = format!("{area}{year}{month:02}{day:02}{order:03}");
        // The pure system with modulus 11 and radix 2.
        let product = body.bytes().fold(0, |product, digit| (product + u32::from(digit - b'0')) * 2 % 11);
        let check = (12 - product) % 11;
        let last = char::from_digit(check, 10).unwrap_or('X');
        stand_alone(&NationalId, &[&format!("{body}{last}")]);
    }

    #[test]
    fn belgian_and_russian_numbers_hold_by_their_remainders(body in "[0-9]{9}") {
        let value: u64 = body.parse().expect("digits");
        let belgian = format!("{body}{:02}", 97 - value % 97);
        prop_assert!(form_of("BE").holds(&belgian));
        let check = sum(&body, |place| 9 - place as u64) % 101 % 100;
        let snils = format!("{}-{}-{} {check:02}", &body[..3], &body[3..6], &body[6..]);
        prop_assume!(!is_placeholder(&body));
        stand_alone(&NationalId, &[&snils]);
    }

    #[test]
    fn estonian_numbers_take_the_second_weights_after_a_ten(body in "[1-6][0-9]{9}") {
        let first = sum(&body, |place| place as u64 % 9 + 1) % 11;
        let second = sum(&body, |place| (place as u64 + 2) % 9 + 1) % 11;
        let check = if first < 10 { first } else { second % 10 };
        let (right, wrong) = (format!("{body}{check}"), format!("{body}{}", (check + 1) % 10));
        prop_assert!(form_of("EE").holds(&right));
        prop_assert!(!form_of("EE").holds(&wrong));
    }

    #[test]
    fn thai_numbers_hold_behind_their_label(body in "[1-8][0-9]{11}") {
        let check = (11 - sum(&body, |place| 13 - place as u64) % 11) % 10;
        let number = format!("{body}{check}");
        prop_assert!(form_of("TH").holds(&number));
        prop_assert_eq!(found(&format!("เลขประจำตัวประชาชน: {number} ครับ")), [number]);
    }

    #[test]
    fn norwegian_numbers_are_divisible_by_both_sums(number in "[0-9]{11}") {
        let first = sum(&number[..10], |place| [3, 7, 6, 1, 8, 9, 4, 5, 2, 1][place]);
        let second = sum(&number, |place| [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1][place]);
        prop_assert_eq!(form_of("NO").holds(&number), first.is_multiple_of(11) && second.is_multiple_of(11));
    }

    #[test]
    fn chilean_numbers_hold_by_weights_from_the_right(body in "[1-9][0-9]{7}") {
        let reversed: String = body.chars().rev().collect();
        let check = match 11 - sum(&reversed, |place| place as u64 % 6 + 2) % 11 {
            11 => "0".to_owned(),
            10 => "K".to_owned(),
            digit => digit.to_string(),
        };
        prop_assume!(!is_placeholder(&body));
        stand_alone(&NationalId, &[&format!("{}.{}.{}-{check}", &body[..2], &body[2..5], &body[5..])]);
        need_context(&NationalId, &[&format!("{body}{check}")]);
    }

    #[test]
    fn a_replacement_keeps_its_form(value in any_like("99.999.999-9")) {
        let replaced = NationalId.with_checksum(value.clone());
        prop_assert_eq!(replaced.len(), value.len());
        prop_assert!(checked(&NationalId, &replaced).is_some() || is_placeholder(&value));
    }
}
