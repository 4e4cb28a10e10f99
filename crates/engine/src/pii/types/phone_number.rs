//! Telephone numbers.

mod labelled;
mod off_plan;
mod plans;
mod syntax;
mod words;

use crate::{
    pii::{
        Match, PiiType, Scanner,
        nearby::{self, next_digit},
        shape::{fits, is_placeholder},
        tables::Column,
    },
    span::Span,
};
use labelled::Label;
use syntax::{Shape, Written};

/// A telephone number that can exist by its country's numbering plan (ITU-T E.164, libphonenumber's metadata).
///
/// Numbers with `+` and a calling code, and North American ones in full dress (`(212) 555-0187`, `212-555-0187`), are
/// found alone. Those with a trunk prefix need a word such as `call` or `mobile` near them, and all others right beside
/// them: dates, orders and ids look the same. The nearest label wins: `phone order 4155550132` is an order.
///
/// What is written as a telephone number and named as one counts, less surely, even when no plan has it: people mistype, and mask their data with
/// invented numbers.
pub struct PhoneNumber;

impl PiiType for PhoneNumber {
    fn name(&self) -> &'static str {
        "phone_number"
    }

    fn context(&self) -> &'static [&'static str] {
        &words::CONTEXT
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let mut at = 0;
        while let Some(digit) = next_digit(scan.text.as_bytes(), at) {
            let written = Written::read(scan.text, digit, at);
            at = written.span.end.max(digit + 1);
            let readings = written.readings(scan.text);
            found.extend(readings.into_iter().find_map(|reading| judge(scan, &reading)));
        }
        let listed = scan.cells_of(Column::Phone).filter(|span| may_be_one(span.of(scan.text)));
        found.extend(listed.map(|span| Match { span, confidence: 0.8 }));
    }
}

fn judge(scan: &Scanner<'_>, written: &Written) -> Option<Match> {
    if is_postcode(scan.text, Span::new(written.span.start, written.end)) {
        return None;
    }
    let shape = written.shape(scan.text)?;
    let label = label(scan.text, written);
    let is_count = || {
        label == Label::Other
            || is_amount(scan.text, written.end)
            || (shape == Shape::Plain && off_plan::is_measured(scan.text, written))
    };
    if shape != Shape::International && is_count() {
        return None;
    }
    let confidence =
        planned(scan, written, shape, label).or_else(|| off_plan::confidence(scan, written, shape, label))?;
    Some(Match { span: Span::new(written.span.start, written.end), confidence })
}

/// What the words right beside the number say.
fn label(text: &str, written: &Written) -> Label {
    let start = written.span.start;
    let is_named = || {
        labelled::is_told(text, start)
            || labelled::is_named_after(text, written.end)
            || stands_in_signature(text, written)
    };
    match labelled::nearest(text, start) {
        Label::Missing if is_named() => Label::Phone,
        label => label,
    }
}

/// How sure a numbering plan makes us.
fn planned(scan: &Scanner<'_>, written: &Written, shape: Shape, label: Label) -> Option<f32> {
    let is_named = label == Label::Phone;
    let in_context = || is_named || scan.has_context("phone_number", written.span);
    let digits = written.digits.as_str();
    Some(match shape {
        Shape::International if plans::is_international(digits) => 0.97,
        Shape::International if digits.starts_with("1555") || in_context() => 0.8,
        Shape::NorthAmerican
            if plans::is_north_american(digits.trim_start_matches("00")) || written.is_fictional() =>
        {
            0.9
        }
        Shape::NorthAmerican if in_context() => 0.8,
        Shape::Local if is_named => 0.8,
        Shape::Local if in_context() => WEAK,
        Shape::Prefixed if in_context() && plans::is_international(&digits[2..]) => 0.93,
        Shape::Plain | Shape::Prefixed if !plans::is_national(digits) => return None,
        Shape::Plain | Shape::Prefixed if is_named || (written.is_dialed(scan.text) && in_context()) => 0.85,
        Shape::Plain if is_grouped(scan.text, written) && in_context() => WEAK,
        _ => return None,
    })
}

/// Returns whether it is grouped as in North America, with blanks.
fn is_grouped(text: &str, written: &Written) -> bool {
    written.groups(text).map(str::len).eq([3, 3, 4]) && plans::is_north_american(&written.digits)
}

/// Returns whether a unit or a currency follows `end`.
fn is_amount(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(' ');
    let unit = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    !unit.is_empty() && words::UNITS.split_ascii_whitespace().any(|other| other == unit)
}

/// What a column of telephone numbers may hold.
fn may_be_one(written: &str) -> bool {
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | '-' | '.' | '/' | ' ' | 'x');
    (SHORTEST..=LONGEST).contains(&digits.len()) && written.chars().all(is_part) && !is_placeholder(&digits)
}

/// Five digits, a dash, three digits and a city: a Brazilian postcode.
fn is_postcode(text: &str, span: Span) -> bool {
    let is_city =
        |rest: &str| rest.strip_prefix(' ').is_some_and(|city| city.starts_with(char::is_uppercase));
    fits(span.of(text), "99999-999") && is_city(&text[span.end..])
}

/// Whether it is a line of its own, next to one with an e-mail address.
fn stands_in_signature(text: &str, written: &Written) -> bool {
    let (before, after) =
        (nearby::before(text, written.span.start, 80), nearby::after(text, written.end, 80));
    let is_line =
        (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'));
    let above = before.trim_end_matches('\n').rsplit('\n').next();
    let below = after.trim_start_matches('\n').split('\n').next();
    is_line && [above, below].into_iter().flatten().any(|line| line.contains('@'))
}

/// Longest and shortest run of digits that is read as a number (E.164 allows 15).
const LONGEST: usize = 15;
const SHORTEST: usize = 7;
/// Confidence of a form that other numbers have too, with a label that is not right beside it. It does not block.
const WEAK: f32 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        PhoneNumber.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn international_and_north_american_numbers_stand_alone() {
        for number in [
            "+1 212-555-0187",
            "+44 20 7946 0958",
            "+49 (0)30 901820",
            "+33 6 12 34 56 78",
            "+91 98765 43210",
            "+81 3-1234-5678",
            "+86 138 0013 8000",
            "+4915112345678",
            "+971 50 123 4567",
            "(+44) 20 7946 0958",
            "(212) 555-0187",
            "212-555-0187",
            "212.555.0187",
            "1-800-555-0199",
            "+1 (555) 123-4567",
            "(555) 123-4567",
            "555-123-4567",
            "+55 11 91234-5678",
            "(212) 555-0187 ext. 12",
            "212.555.0187x4673",
            "001-212-555-0187",
        ] {
            assert_eq!(found(&format!("it was {number}, yes")), [number]);
        }
    }

    #[test]
    fn national_numbers_are_found_beside_a_word_that_says_so() {
        for (text, number) in [
            ("Call me: 2125550187", "2125550187"),
            ("Ruf mich an: 030 901820", "030 901820"),
            ("appelle-moi au 06 12 34 56 78", "06 12 34 56 78"),
            ("merci de le rappeler au 06 12 34 56 78", "06 12 34 56 78"),
            ("Phone 020 7946 0958 please", "020 7946 0958"),
            ("mobile 98765 43210", "98765 43210"),
            ("teléfono 612 345 678", "612 345 678"),
            ("我的手机号是13800138000", "13800138000"),
            ("電話は090-1234-5678です", "090-1234-5678"),
            ("телефон 8 (912) 345-67-89", "8 (912) 345-67-89"),
            ("전화 010-1234-5678", "010-1234-5678"),
            ("tel. 0049 30 901820", "0049 30 901820"),
            ("phone: 555-0123", "555-0123"),
            ("Tel.:0151 23456789", "0151 23456789"),
            ("celular (11) 91234-5678", "(11) 91234-5678"),
            ("Buyer\nT 030 901820 | jane", "030 901820"),
            ("send it to him, number is 07911 123456 thx", "07911 123456"),
            ("slt, g changé de num c le 0612345678", "0612345678"),
            ("Per disdire: 0123299652.", "0123299652"),
        ] {
            assert_eq!(found(text), [number], "{text}");
        }
    }

    #[test]
    fn numbers_that_no_plan_has_are_found_where_they_are_named_so() {
        for (text, number) in [
            ("Contact: 063.781 4402", "063.781 4402"),
            ("<p>Contact: <b>0048-71.220-4419</b></p>", "0048-71.220-4419"),
            ("call me at 0930 551.77-4021 please", "0930 551.77-4021"),
            ("All questions can be directed to +0834.5517-220 (day)", "+0834.5517-220"),
            ("the support line (0731 552.8801) is open", "0731 552.8801"),
            ("\"mobile_no\": \"091-7733.20148\"", "091-7733.20148"),
            ("PHONENUMBER 00771 662-418.3305", "00771 662-418.3305"),
            ("Fax number is (0551).7783204", "(0551).7783204"),
            ("Sie erreichen mich unter 0991-7766.5544-1", "0991-7766.5544-1"),
            ("contacter au 09-87.62 43-21", "09-87.62 43-21"),
            ("llámeme al 0914.77-6612", "0914.77-6612"),
            ("Telefon: 0445.19283746", "0445.19283746"),
            ("Reach our customer service team at 8867251406.", "8867251406"),
            ("our man +09 772-66.4011 knows", "+09 772-66.4011"),
            ("it was +871.55-430 2296, yes", "+871.55-430 2296"),
        ] {
            assert_eq!(found(text), [number], "{text}");
        }
    }

    #[test]
    fn a_label_joined_to_the_number_or_inflected_counts() {
        for (text, number) in [
            ("desk phone415-555-0172 is free", "415-555-0172"),
            ("fax#415-555-0172", "415-555-0172"),
            ("Ο αριθμός, τηλ. 6912 340172", "6912 340172"),
            ("Puhelinnumeroni on 040 123 4172", "040 123 4172"),
            ("핸드폰은 010-4172-5530이에요", "010-4172-5530"),
            ("Telefonuma yaz: 0533 417 25 30", "0533 417 25 30"),
            ("ring Ann at 415 555 0172", "415 555 0172"),
            ("4155550172 is my mobile", "4155550172"),
            ("homePhone=4155550172", "4155550172"),
        ] {
            assert_eq!(found(text), [number], "{text}");
        }
    }

    #[test]
    fn numbers_that_count_something_near_a_word_for_phones_are_none() {
        for text in [
            "mobile traffic 2021 2022 2023",
            "the fax machine printed 400 600 8000 pages",
            "cell voltage 3600 3700 4200 mV",
            "phone: 3000 4500 6000 mAh",
            "last_dial_epoch=1731000472",
            "the hotline cache is 1073741824 bytes",
            "call the build 4155550172",
            "mobile invoice number 415-555-0172",
            "moved claim 512-117-4410 to 512-117-4411",
            "ringtone exported at 44100 48000 96000 Hz",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_number_without_plan_prefix_or_near_label_stays_below_what_blocks() {
        let text = "ring me, or ask anybody else here: 415 555 0172";
        let mut found = Vec::new();
        PhoneNumber.find(&Scanner::new(text), &mut found);
        assert!(matches!(found[..], [Match { confidence: ..0.65, .. }]), "{found:?}");
    }

    #[test]
    fn a_line_beside_an_address_of_mail_needs_no_word() {
        assert_eq!(found("Jane Doe\n0430374924\njane@example.com"), ["0430374924"]);
        assert_eq!(found("Jane Doe\n0430374924\nParis"), Vec::<&str>::new());
        assert_eq!(found("in 0430374924 of\njane@example.com"), Vec::<&str>::new());
    }

    #[test]
    fn a_column_of_telephone_numbers_needs_no_plan() {
        assert!(found("tel;sum\n99 447 16 0;12\n-;13").contains(&"99 447 16 0"));
    }

    #[test]
    fn other_numbers_are_no_telephone_numbers() {
        for text in [
            "2125550187",
            "06 12 34 56 78",
            "call at 2024-01-15",
            "call me 10:30",
            "phone model 1.2.3.4567",
            "order 123-456-7890",
            "phone order #123456789",
            "call ticket 123456789",
            "+5",
            "a + 1234567",
            "978-3-16-148410-0",
            "call 2019-2024",
            "I call it 3.14159265",
            "phone costs $1234567",
            "1234567890123456 phone",
            "contact us before 12.03.2024-15.03.2024",
            "call between 08.00-12.00 14.00-18.00",
            "we gained +11.200.300 votes",
            "contact person 4711 0815",
            "version +2.10.3-20240512",
            "Support case 0118-33-360.8204",
            "open 01.02.2024 15.30",
            "a change of +12345678",
            "phone bill for card 4111 1111 1111 1111",
            "+0 000 000 0000",
            "12345-6789",
            "client=138.91.4.148 called",
            "Meu telefone mudou, moro na Rua Sol, 45, 67177-292 Vasconcelos",
            "phone 10.20.130.140",
            "The lucky number is 0612345678",
            "Model T 030 901820",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
