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
use syntax::{Shape, Written};

/// A telephone number that can exist by its country's numbering plan (ITU-T E.164, libphonenumber's metadata).
///
/// Numbers with `+` and a calling code, and North American ones in full dress (`(212) 555-0187`, `212-555-0187`), are
/// found alone. All others need a word such as `call` or `mobile` near them: dates, orders and ids look the same.
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
    let confidence = planned(scan, written, shape).or_else(|| off_plan::confidence(scan, written, shape))?;
    Some(Match { span: Span::new(written.span.start, written.end), confidence })
}

/// How sure a numbering plan makes us.
fn planned(scan: &Scanner<'_>, written: &Written, shape: Shape) -> Option<f32> {
    let in_context = || {
        scan.has_context("phone_number", written.span)
            || stands_in_signature(scan.text, written)
            || labelled::is_told(scan.text, written.span.start)
    };
    let digits = written.digits.as_str();
    Some(match shape {
        Shape::International if plans::is_international(digits) => 0.97,
        Shape::International if digits.starts_with("1555") || in_context() => 0.8,
        Shape::NorthAmerican
            if plans::is_national(digits.trim_start_matches("00")) || written.is_fictional() =>
        {
            0.9
        }
        Shape::NorthAmerican | Shape::Local if in_context() => 0.8,
        Shape::Prefixed if in_context() && plans::is_international(&digits[2..]) => 0.93,
        Shape::Plain | Shape::Prefixed if in_context() && plans::is_national(digits) => 0.85,
        _ => return None,
    })
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
