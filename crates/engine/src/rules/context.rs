//! Context of a rule match that changes its meaning.

use super::Placement;
use crate::{span::Span, text::char_boundary::floor};

/// Number of bytes before and after a match that are examined.
const NEAR: usize = 96;
/// Share of the precision left to a match that is quoted or asked about.
const MENTIONED: f32 = 0.4;
/// Share of the precision left to a match that reports what somebody does.
const REPORTED: f32 = 0.5;
/// Share of the precision left to an order for documents that a user typed, who may give orders.
const TYPED: f32 = 0.6;

/// Words that mention a wording instead of using it.
const ABOUT: &[&str] = &[
    "what does",
    "if a message",
    "if the user",
    "if a user",
    "if someone",
    "if anyone",
    "asks you to",
    "tells you to",
    "tries to",
    "attempts to",
    "what is the",
    "what is a ",
    "what are ",
    "what do ",
    "what is meant",
    "what happens",
    "mean?",
    " means",
    "meaning of",
    "the phrase",
    "phrases like",
    "the sentence",
    "sentences like",
    "such as",
    "e.g.",
    "for example",
    "for instance",
    "attack",
    "injection",
    "jailbreak",
    "detect",
    "defend",
    "protect",
    "prevent",
    "explain why",
    "why do",
    "why does",
    "how do i",
    "how can i",
    "how to",
    "was bedeutet",
    "was heißt",
    "angriff",
    "zum beispiel",
    "que signifie",
    "attaque",
    "par exemple",
    "qué significa",
    "ataque",
    "por ejemplo",
    "cosa significa",
    "attacco",
    "o que significa",
    "por exemplo",
    "wat betekent",
    "aanval",
    "co oznacza",
    "atak",
    "ne demek",
    "saldırı",
    "что значит",
    "что означает",
    "атак",
    "ماذا يعني",
    "هجوم",
    "क्या मतलब",
    "हमल",
    "是什么意思",
    "攻击",
    "どういう意味",
    "攻撃",
    "무슨 뜻",
    "공격",
];

/// Words before a verb that make it an order.
const ORDERING: &[&str] = &[
    "please",
    "now",
    "and",
    "then",
    "just",
    "so",
    "also",
    "to",
    "instead",
    "simply",
    "kindly",
    "immediately",
    "first",
    "you",
    "completely",
    "totally",
    "fully",
    "entirely",
    "let's",
    "system",
    "assistant",
    "ai",
    "but",
    "or",
    "hey",
    "hello",
    "hi",
    "ok",
    "okay",
    "bitte",
    "und",
    "jetzt",
    "et",
    "maintenant",
    "plaît",
    "favor",
    "y",
    "ahora",
    "favore",
    "e",
    "ora",
    "agora",
    "alsjeblieft",
    "en",
    "nu",
    "proszę",
    "i",
    "teraz",
    "lütfen",
    "şimdi",
    "пожалуйста",
    "и",
    "теперь",
    "сейчас",
    "فضلك",
    "الآن",
    "कृपया",
    "अब",
];

/// The same in the second person only.
const ORDERING_YOU: &[&str] =
    &["you must", "you should", "you will", "you can", "you could", "you shall", "you have to"];

/// Negations before a match.
const NEGATING: &[&str] = &[
    "not", "don't", "dont", "never", "didn't", "won't", "can't", "cannot", "nicht", "nie", "ne", "jamais",
    "nunca", "no", "non", "não", "niet", "не",
];

/// Returns the share of a rule's precision that is left to a match at `span`. `is_untrusted` is true for untrusted content.
pub fn weight(text: &str, span: Span, placement: Placement, is_untrusted: bool) -> f32 {
    let start = floor(text, span.start.saturating_sub(NEAR));
    let before = text[start..span.start].to_lowercase();
    if NEGATING.contains(&last_word(&before)) {
        return 0.0;
    }
    let reported = match placement {
        Placement::Order if !is_ordering(&before) => REPORTED,
        Placement::Planted if !is_untrusted => TYPED,
        _ => 1.0,
    };
    if is_quoted(text, span) || is_spoken_about(text, span) { reported * MENTIONED } else { reported }
}

/// Returns whether a verb after `before` is an order. Scripts without blanks have no single last word, so there every verb
/// is one.
fn is_ordering(before: &str) -> bool {
    let last_word = last_word(before);
    last_word.chars().next_back().is_none_or(|c| c > '\u{2e80}')
        || ORDERING.contains(&last_word)
        || ORDERING_YOU.iter().any(|words| before.trim_end().ends_with(words))
}

/// Returns whether no sentence ends in `between`.
pub fn is_one_sentence(between: &str) -> bool {
    !["? ", "! ", ". ", "\n\n", "。", "！", "？"].iter().any(|end| between.contains(end))
}

/// Returns the last word of `before`; empty at the start of a sentence, line or quotation.
fn last_word(before: &str) -> &str {
    let before = before.strip_suffix(' ').unwrap_or(before);
    let start = before.char_indices().rev().find(|(_, c)| !c.is_alphanumeric() && *c != '\'' && *c != '’');
    &before[start.map_or(0, |(at, c)| at + c.len_utf8())..]
}

fn is_quoted(text: &str, span: Span) -> bool {
    let opens = |c: char| matches!(c, '"' | '\'' | '“' | '„' | '«' | '‘' | '`' | '「' | '”');
    let closes = |c: char| matches!(c, '"' | '\'' | '”' | '“' | '»' | '’' | '`' | '」');
    let after = &text[span.end..floor(text, span.end + NEAR)];
    text[..span.start].trim_end().ends_with(opens) && after.contains(closes)
}

fn is_spoken_about(text: &str, span: Span) -> bool {
    let start = floor(text, span.start.saturating_sub(NEAR));
    let end = floor(text, span.end + NEAR / 2);
    let before = text[start..span.start].rsplit('\n').next().unwrap_or_default().to_lowercase();
    let after = text[span.end..end].split('\n').next().unwrap_or_default().to_lowercase();
    ABOUT.iter().any(|word| before.contains(word) || after.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, placement: Placement) -> f32 {
        let start = text.find("go").unwrap();
        weight(text, Span::new(start, start + 2), placement, false)
    }

    #[test]
    fn an_order_counts_in_full_and_a_report_half() {
        assert_eq!(of("Please go", Placement::Order), 1.0);
        assert_eq!(of("Fine, go", Placement::Order), 1.0);
        assert_eq!(of("people go", Placement::Order), REPORTED);
        assert_eq!(of("people go", Placement::Phrase), 1.0);
    }

    #[test]
    fn what_is_quoted_or_asked_about_counts_less_and_the_opposite_nothing() {
        assert_eq!(of("He wrote \"go on\" to me", Placement::Order), MENTIONED);
        assert_eq!(of("what does go mean?", Placement::Phrase), MENTIONED);
        assert_eq!(of("Do not go", Placement::Order), 0.0);
    }

    #[test]
    fn what_belongs_in_no_document_counts_less_where_it_was_typed() {
        let planted = |is_untrusted| weight("go", Span::new(0, 2), Placement::Planted, is_untrusted);
        assert_eq!((planted(true), planted(false)), (1.0, TYPED));
    }
}
