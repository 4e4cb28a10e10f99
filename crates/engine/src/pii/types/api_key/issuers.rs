//! Secrets with a prefix of their issuer, by a table of shapes.

use std::{ops::RangeInclusive, sync::LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};

use super::{alphabet::Alphabet, crc, entropy::is_placeholder};
use crate::{pii::Match, span::Span};

/// Shapes of secrets. Its head describes the fields.
const TABLE: &str = include_str!("issuers.tsv");

/// Longest secret that is followed, in bytes.
const LONGEST: usize = 4096;
/// Characters of a token whose issuer adds a checksum.
const CHECKED: usize = 36;

/// Confidence of a secret in its issuer's form.
const IN_FORM: f32 = 0.98;
/// Confidence of one whose checksum holds.
const CONFIRMED: f32 = 0.99;
/// Confidence of one whose checksum fails: mistyped, or made up.
const REFUTED: f32 = 0.7;

/// One line of the table.
#[derive(Debug)]
struct Form {
    marker: &'static str,
    /// Characters before the marker.
    lead: RangeInclusive<usize>,
    /// Characters after it.
    length: RangeInclusive<usize>,
    alphabet: &'static Alphabet,
    has_checksum: bool,
}

struct Table {
    forms: Vec<Form>,
    markers: Option<AhoCorasick>,
}

static FORMS: LazyLock<Table> = LazyLock::new(|| {
    let forms: Vec<Form> = lines().filter_map(Form::read).collect();
    let markers = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(forms.iter().map(|form| form.marker))
        .ok();
    Table { forms, markers }
});

fn lines() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.starts_with('#'))
}

/// Adds the secrets in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    let Some(markers) = &FORMS.markers else { return };
    let mut done = 0;
    for hit in markers.find_iter(text) {
        if hit.start() < done {
            continue;
        }
        let form = &FORMS.forms[hit.pattern().as_usize()];
        let Some(secret) = form.secret(text, Span::new(hit.start(), hit.end())) else { continue };
        done = secret.span.end;
        found.push(secret);
    }
}

impl Form {
    /// Reads a line of the table.
    fn read(line: &'static str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [marker, lead, length, alphabet, check, _issuer, _source] = fields[..] else { return None };
        let has_checksum = check == "crc32";
        (has_checksum || check == "-").then_some(())?;
        let alphabet = Alphabet::named(alphabet)?;
        Some(Self { marker, lead: range(lead)?, length: range(length)?, alphabet, has_checksum })
    }

    /// Returns the secret whose marker is at `marker`.
    fn secret(&self, text: &str, marker: Span) -> Option<Match> {
        let start = marker.start - self.lead(&text[..marker.start])?;
        let rest = self.rest(&text[marker.end..])?;
        let span = Span::new(start, marker.end + rest.len());
        let random = if start == marker.start { rest } else { span.of(text) };
        let confidence = match self.has_checksum && rest.len() == CHECKED {
            true if crc::holds(rest) => CONFIRMED,
            true => REFUTED,
            false => IN_FORM,
        };
        (confidence == CONFIRMED || self.is_random(random)).then_some(Match { span, confidence })
    }

    /// Returns the length of what belongs to the secret before its marker.
    fn lead(&self, before: &str) -> Option<usize> {
        let most = *self.lead.end();
        if most == 0 {
            return (!before.ends_with(|c: char| c.is_ascii_alphanumeric())).then_some(0);
        }
        let part = |byte: &u8| *byte != b'=' && self.alphabet.has(*byte);
        let length = before.bytes().rev().take(most + 1).take_while(part).count();
        self.lead.contains(&length).then_some(length)
    }

    /// Returns what follows the marker, without the signs of the sentence around it.
    fn rest<'t>(&self, after: &'t str) -> Option<&'t str> {
        let length = after.bytes().take(LONGEST).take_while(|byte| self.alphabet.has(*byte)).count();
        let whole = after[..length].trim_end_matches(['.', ':', '!', '~']);
        let shorter = whole.trim_end_matches(['-', '_', '/', '@']);
        [whole, shorter].into_iter().find(|rest| self.length.contains(&rest.len()))
    }

    /// Returns whether `value` looks drawn from the alphabet, not like a word or a name in code.
    fn is_random(&self, value: &str) -> bool {
        let any = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
        let has_both = any(u8::is_ascii_digit) && any(u8::is_ascii_alphabetic);
        let is_drawn =
            !self.alphabet.has_small_letters() || (has_both && has_long_part(value)) || is_mixed_case(value);
        is_drawn && !is_placeholder(value)
    }
}

// Some issuers draw from letters alone: then half of them are capitals, and in names of code few.
fn is_mixed_case(value: &str) -> bool {
    let capitals = value.bytes().filter(u8::is_ascii_uppercase).count();
    let is_word = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word && value.len() >= 30 && (3 * value.len()..=7 * value.len()).contains(&(10 * capitals))
}

// Secrets have a long random part; names in code are short words.
fn has_long_part(value: &str) -> bool {
    value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part.len() >= 10 && part.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Reads `36`, `30-45` or `36+`.
fn range(text: &str) -> Option<RangeInclusive<usize>> {
    if let Some(least) = text.strip_suffix('+') {
        return Some(least.parse().ok()?..=LONGEST);
    }
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    Some(least.parse().ok()?..=most.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Characters of `alphabet`, in an order that looks random and is the same each time.
    fn drawn(alphabet: &Alphabet, length: usize) -> String {
        let all: Vec<u8> =
            (b'!'..=b'z').filter(|byte| alphabet.has(*byte) && byte.is_ascii_alphanumeric()).collect();
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            all[(state % all.len() as u64) as usize]
        };
        (0..length).map(|_| char::from(next())).collect()
    }

    fn found(text: &str) -> Vec<(&str, f32)> {
        let mut found = Vec::new();
        find(text, &mut found);
        found.iter().map(|found| (found.span.of(text), found.confidence)).collect()
    }

    fn example(form: &Form) -> String {
        let random = drawn(form.alphabet, form.lead.end() + form.length.start());
        let (lead, rest) = random.split_at(*form.lead.end());
        format!("{lead}{}{rest}", form.marker)
    }

    #[test]
    fn every_line_of_the_table_is_read() {
        for line in lines() {
            assert!(Form::read(line).is_some(), "{line}");
        }
        assert!(FORMS.forms.len() >= 180);
    }

    #[test]
    fn every_form_is_found_in_a_sentence() {
        for form in &FORMS.forms {
            let secret = example(form);
            let text = format!("we use \"{secret}\", here.");
            let found: Vec<&str> = found(&text).into_iter().map(|(secret, _)| secret).collect();
            assert_eq!(found, [secret.as_str()], "{}", form.marker);
        }
    }

    #[test]
    fn a_secret_that_is_too_short_or_goes_on_is_none() {
        for form in FORMS.forms.iter().filter(|form| form.lead.end() == &0) {
            let secret = example(form);
            let short = &secret[..secret.len() - 1];
            assert!(found(&format!("({short})")).iter().all(|(found, _)| *found != short), "{short}");
            if form.length.end() < &LONGEST {
                let long =
                    format!("{secret}{}", drawn(form.alphabet, 1 + form.length.end() - form.length.start()));
                assert!(found(&format!("({long})")).iter().all(|(found, _)| *found != secret), "{long}");
            }
        }
    }

    #[test]
    fn a_marker_inside_a_word_begins_nothing() {
        for form in FORMS.forms.iter().filter(|form| form.lead.end() == &0) {
            let secret = example(form);
            assert!(found(&format!("x{secret}")).iter().all(|(found, _)| *found != secret), "{secret}");
        }
    }

    #[test]
    fn a_checksum_confirms_or_refutes() {
        let body = drawn(Alphabet::named("alnum").expect("it is in the table"), 30);
        let checks: Vec<f32> = ["000000", "zzzzzz"]
            .into_iter()
            .flat_map(|check| {
                found(&format!("ghp_{body}{check}")).into_iter().map(|(_, sure)| sure).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(checks, [REFUTED, REFUTED]);
    }

    #[test]
    fn names_in_code_are_no_secrets() {
        for name in [
            "sk_live_mode_enabled_for_customers",
            "hf_thisIsAVeryLongNameOfAFunctionInCode",
            "hf_transformers_pipeline_factory_name",
            "sk-learn-contrib-package-version-2",
            "re_compiled_pattern_for_email_check_v2",
            "fc-layer-output-dimension-128-256-512",
            "hooks.slack.com/services/your/webhook/here/please/now",
            "api-10f2c3d4-0000-1111-2222-333344445555",
        ] {
            assert_eq!(found(name), [], "{name}");
        }
    }
}
