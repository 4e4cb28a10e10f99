//! The language of a text.

use whatlang::{Detector, Lang};

use super::char_boundary::floor;

/// Characters that are looked at.
const SAMPLE: usize = 1000;
/// Words that are looked up.
const WORDS: usize = 60;
/// Bytes of a text in Latin script that trigrams are counted on: their cost grows with the text, their answer hardly.
const TRIGRAMS: usize = 240;

/// The most frequent short words of languages in Latin script that no other of them has among its own.
const FREQUENT: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "the", "and", "of", "to", "is", "that", "it", "you", "for", "with", "are", "this", "what", "how",
            "my", "your", "can", "i", "be", "have",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "ist", "nicht", "das", "ich", "ein", "eine", "zu", "mit", "den", "wie",
            "auf", "sie", "für", "im", "dem",
        ],
    ),
    (
        "fr",
        &[
            "le", "les", "et", "est", "des", "une", "je", "vous", "dans", "pour", "qui", "du", "pas", "sur",
            "au", "ce", "il",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "y", "las", "una", "por", "para", "está", "cómo", "del", "mi", "es", "qué", "lo",
            "con",
        ],
    ),
    (
        "it",
        &["il", "di", "che", "è", "per", "sono", "della", "gli", "non", "un", "come", "mi", "nel", "questo"],
    ),
    ("pt", &["o", "os", "não", "uma", "você", "em", "com", "para", "do", "da", "é", "um", "como", "ao"]),
    ("nl", &["het", "een", "van", "en", "ik", "niet", "dat", "voor", "op", "te", "zijn", "wat", "je"]),
    ("tr", &["ve", "bir", "bu", "için", "ne", "mi", "ile", "çok", "nasıl", "da", "de"]),
    ("pl", &["się", "nie", "jest", "na", "że", "do", "jak", "to", "w", "z", "co"]),
];

/// The ISO 639-1 code of the language of `text`, judged by its first 1,000 characters; `None` if it cannot be told.
pub fn language(text: &str) -> Option<&'static str> {
    let sample = first(text, SAMPLE);
    match dominant_script(sample)? {
        Script::Latin => latin(sample),
        Script::Cyrillic => Some(cyrillic(sample)),
        Script::Only(code) => Some(code),
        Script::Shared => Detector::new().detect(sample).map(|info| code(info.lang())),
    }
}

/// The first `characters` of `text`, or fewer.
fn first(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

#[derive(Clone, Copy, PartialEq)]
enum Script {
    Latin,
    Cyrillic,
    /// Of one language only.
    Only(&'static str),
    /// Of several languages.
    Shared,
}

/// The script of most letters. Kana tells Japanese from Chinese even where there are few.
fn dominant_script(sample: &str) -> Option<Script> {
    let mut counts: Vec<(Script, usize)> = Vec::new();
    for script in sample.chars().filter_map(script) {
        match counts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let kana = counts.iter().find(|(script, _)| *script == Script::Only("ja"));
    if kana.is_some_and(|(_, count)| count * 8 > total) {
        return Some(Script::Only("ja"));
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(script, _)| script)
}

const fn script(letter: char) -> Option<Script> {
    Some(match letter {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{3040}'..='\u{30FF}' => Script::Only("ja"),
        '\u{3400}'..='\u{9FFF}' => Script::Only("zh"),
        '\u{AC00}'..='\u{D7A3}' => Script::Only("ko"),
        '\u{370}'..='\u{3FF}' => Script::Only("el"),
        '\u{E00}'..='\u{E7F}' => Script::Only("th"),
        '\u{980}'..='\u{9FF}' => Script::Only("bn"),
        '\u{B80}'..='\u{BFF}' => Script::Only("ta"),
        '\u{C00}'..='\u{C7F}' => Script::Only("te"),
        '\u{10A0}'..='\u{10FF}' => Script::Only("ka"),
        '\u{530}'..='\u{58F}' => Script::Only("hy"),
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        '\u{590}'..='\u{6FF}' | '\u{900}'..='\u{10FFFF}' => Script::Shared,
        _ => return None,
    })
}

/// By frequent words, which costs a tenth of trigrams; by trigrams where they do not tell.
fn latin(sample: &str) -> Option<&'static str> {
    let mut counts = [0usize; FREQUENT.len()];
    let mut words = 0;
    for word in sample.split(|it: char| !it.is_alphabetic()).filter(|word| !word.is_empty()).take(WORDS) {
        let word = word.to_lowercase();
        for (count, (_, frequent)) in counts.iter_mut().zip(FREQUENT) {
            *count += usize::from(frequent.contains(&word.as_str()));
        }
        words += 1;
    }
    let mut ranked: Vec<(usize, &str)> =
        counts.into_iter().zip(FREQUENT.iter().map(|(code, _)| *code)).collect();
    ranked.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (best, second) = (ranked[0], ranked[1]);
    if best.0 >= 2 && best.0 * 8 >= words && best.0 >= 2 * second.0 {
        return Some(best.1);
    }
    detect(&sample[..floor(sample, TRIGRAMS)])
}

/// By letters that only some of the languages have: trigrams take short Russian for Bulgarian.
fn cyrillic(sample: &str) -> &'static str {
    let letters: &[(&str, &[char])] = &[
        ("sr", &['ј', 'љ', 'њ', 'ћ', 'ђ', 'џ']),
        ("be", &['ў']),
        ("uk", &['і', 'ї', 'є', 'ґ']),
        ("kk", &['ә', 'ғ', 'қ', 'ң', 'ұ', 'һ']),
        ("ru", &['ы', 'э', 'ё']),
        ("bg", &['ъ']),
    ];
    letters.iter().find(|(_, own)| sample.contains(*own)).map_or("ru", |(code, _)| *code)
}

fn detect(sample: &str) -> Option<&'static str> {
    let info = Detector::new().detect(sample)?;
    info.is_reliable().then(|| code(info.lang()))
}

/// ISO 639-1 of a language that the trigrams tell.
const fn code(language: Lang) -> &'static str {
    match language {
        Lang::Eng => "en",
        Lang::Deu => "de",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Ita => "it",
        Lang::Por => "pt",
        Lang::Nld => "nl",
        Lang::Tur => "tr",
        Lang::Pol => "pl",
        Lang::Rus => "ru",
        Lang::Ukr => "uk",
        Lang::Bul => "bg",
        Lang::Bel => "be",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Ara => "ar",
        Lang::Pes => "fa",
        Lang::Urd => "ur",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Hin => "hi",
        Lang::Mar => "mr",
        Lang::Nep => "ne",
        Lang::Ben => "bn",
        Lang::Guj => "gu",
        Lang::Pan => "pa",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Kan => "kn",
        Lang::Mal => "ml",
        Lang::Ori => "or",
        Lang::Sin => "si",
        Lang::Tha => "th",
        Lang::Mya => "my",
        Lang::Khm => "km",
        Lang::Kat => "ka",
        Lang::Hye => "hy",
        Lang::Ell => "el",
        Lang::Cmn => "zh",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Vie => "vi",
        Lang::Ind => "id",
        Lang::Tgl => "tl",
        Lang::Jav => "jv",
        Lang::Swe => "sv",
        Lang::Dan => "da",
        Lang::Nob => "nb",
        Lang::Fin => "fi",
        Lang::Est => "et",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Ces => "cs",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Ron => "ro",
        Lang::Cat => "ca",
        Lang::Afr => "af",
        Lang::Aze => "az",
        Lang::Uzb => "uz",
        Lang::Tuk => "tk",
        Lang::Epo => "eo",
        Lang::Lat => "la",
        Lang::Aka => "ak",
        Lang::Zul => "zu",
        Lang::Sna => "sn",
        Lang::Amh => "am",
        Lang::Cym => "cy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_languages_are_told_apart() {
        let texts = [
            ("en", "How can I change the battery of my phone without tools?"),
            ("de", "Wie kann ich den Akku meines Telefons ohne Werkzeug wechseln?"),
            ("fr", "Comment est-ce que je peux changer la batterie dans le téléphone ?"),
            ("es", "¿Cómo puedo cambiar la batería del teléfono para que dure más los fines de semana?"),
            ("tr", "Telefonumun bataryasını nasıl değiştirebilirim ve bu ne kadar sürer?"),
            ("ru", "Как мне поменять батарею телефона без инструментов?"),
            ("zh", "我怎样才能更换手机电池？"),
            ("ja", "電池を交換するにはどうすればいいですか"),
            ("ko", "휴대폰 배터리를 어떻게 교체하나요?"),
            ("ar", "كيف يمكنني تغيير بطارية هاتفي بدون أدوات؟"),
        ];
        for (code, text) in texts {
            assert_eq!(language(text), Some(code), "{text}");
        }
    }

    #[test]
    fn what_is_no_language_has_none() {
        for text in ["", "12345 67890", "👍👍", "a1f9", "??!"] {
            assert_eq!(language(text), None, "{text}");
        }
    }
}
