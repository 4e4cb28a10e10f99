//! Scripts, and the languages that are written in them.

/// A script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    /// One that hardly any language but this is written in.
    Of(&'static str),
}

const CYRILLIC: [&str; 7] = ["be", "bg", "kk", "mk", "ru", "sr", "uk"];
const ARABIC: [&str; 3] = ["ar", "fa", "ur"];
const DEVANAGARI: [&str; 3] = ["hi", "mr", "ne"];

impl Script {
    /// Returns whether this language is written in it, of those that the identifier knows.
    pub fn has(self, code: &str) -> bool {
        match self {
            Self::Cyrillic => CYRILLIC.contains(&code),
            Self::Arabic => ARABIC.contains(&code),
            Self::Devanagari => DEVANAGARI.contains(&code),
            Self::Latin => ![&CYRILLIC[..], &ARABIC, &DEVANAGARI].iter().any(|other| other.contains(&code)),
            Self::Of(own) => own == code,
        }
    }
}

/// The script of most letters. Kana mean Japanese even where there are few.
pub fn dominant(sample: &str) -> Option<Script> {
    let mut counts: Vec<(Script, usize)> = Vec::new();
    for script in sample.chars().filter_map(script) {
        match counts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let kana = counts.iter().find(|(script, _)| *script == Script::Of("ja"));
    if kana.is_some_and(|(_, count)| count * 8 > total) {
        return Some(Script::Of("ja"));
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(script, _)| script)
}

/// The script of a letter, by the blocks of Unicode.
const fn script(letter: char) -> Option<Script> {
    Some(match letter {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Of("el"),
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        '\u{530}'..='\u{58F}' => Script::Of("hy"),
        '\u{590}'..='\u{5FF}' => Script::Of("he"),
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => Script::Arabic,
        '\u{900}'..='\u{97F}' => Script::Devanagari,
        '\u{980}'..='\u{9FF}' => Script::Of("bn"),
        '\u{A00}'..='\u{A7F}' => Script::Of("pa"),
        '\u{A80}'..='\u{AFF}' => Script::Of("gu"),
        '\u{B00}'..='\u{B7F}' => Script::Of("or"),
        '\u{B80}'..='\u{BFF}' => Script::Of("ta"),
        '\u{C00}'..='\u{C7F}' => Script::Of("te"),
        '\u{C80}'..='\u{CFF}' => Script::Of("kn"),
        '\u{D00}'..='\u{D7F}' => Script::Of("ml"),
        '\u{D80}'..='\u{DFF}' => Script::Of("si"),
        '\u{E00}'..='\u{E7F}' => Script::Of("th"),
        '\u{E80}'..='\u{EFF}' => Script::Of("lo"),
        '\u{F00}'..='\u{FFF}' => Script::Of("bo"),
        '\u{1000}'..='\u{109F}' => Script::Of("my"),
        '\u{10A0}'..='\u{10FF}' => Script::Of("ka"),
        '\u{1200}'..='\u{137F}' => Script::Of("am"),
        '\u{1780}'..='\u{17FF}' => Script::Of("km"),
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7A3}' => Script::Of("ko"),
        '\u{3040}'..='\u{30FF}' => Script::Of("ja"),
        '\u{3400}'..='\u{9FFF}' => Script::Of("zh"),
        _ => return None,
    })
}
