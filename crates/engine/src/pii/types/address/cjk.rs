//! Chinese, Japanese and Korean addresses, written from large to small.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

static HAN_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[\p{Han}]{2,8}[省市县區区都道府県町村][\p{Han}\p{Hiragana}\p{Katakana}ー々]{0,16}(?:[路街道巷里弄町]|\p{Han}) ?[0-9０-９一二三四五六七八九十-]{1,6}$",
    )
});
static HAN_AFTER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[之 ]?[0-9-]{1,6}(?:号院?|號|楼|栋|幢|单元|室|层|番地?|階)?){0,5}"));
static JAPANESE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[\p{Han}\p{Hiragana}\p{Katakana}ー々]{1,12} ?\d{1,4}[-－ー]\d{1,4}(?:[-－ー]\d{1,4}){0,2}")
});
static PREFECTURE: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{Han}]{2,4}[都道府県][\p{Han}]{0,8}$"));
static KOREAN_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[가-힣]{2,8}(?:시|도|구|군)(?: [가-힣]{1,8}){0,3}$"));
static KOREAN_AFTER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^ ?\d{1,4}(?:-\d{1,4})?(?:번길 \d{1,4})?(?:,? ?\d{1,4}동)?(?: ?\d{1,5}호)?"));

/// The address around the word `unit`.
pub(super) fn address(text: &str, unit: Span) -> Option<Match> {
    let before = nearby::before(text, unit.start, 96);
    let after = nearby::after(text, unit.end, 96);
    let (start, end) = match unit.of(text) {
        "로" | "길" => (KOREAN_BEFORE.find(before)?, KOREAN_AFTER.find(after)?),
        "区" | "區" | "市" => (PREFECTURE.find(before)?, JAPANESE.find(after)?),
        _ => (HAN_BEFORE.find(before)?, HAN_AFTER.find(after)?),
    };
    let span = Span::new(unit.start - before.len() + start.start(), unit.end + end.end());
    Some(Match { span, confidence: 0.9 })
}
