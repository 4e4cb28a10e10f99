//! The words of a text, as the dictionaries spell them.

/// What kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word of a script that puts blanks between them.
    Word,
    /// Characters of a script whose words do not show.
    Unspaced,
    /// One sign of punctuation.
    Mark,
}

/// A run of characters of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Run<'t> {
    /// Its characters.
    pub text: &'t str,
    /// Its first byte in the text.
    pub start: usize,
    /// What it is.
    pub kind: Kind,
}

/// In small letters; Arabic without vowel signs and with the letters alike that people write for one another.
pub fn folded(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.filter(|letter| !is_silent(*letter)).map(alike).collect()
}

/// Vowel signs and the stretching of Arabic, the joiners of zero width, and the dot that a lower-cased İ leaves.
const fn is_silent(letter: char) -> bool {
    matches!(letter, '\u{64b}'..='\u{652}' | '\u{640}' | '\u{200b}'..='\u{200d}' | '\u{ad}' | '\u{307}')
}

const fn alike(letter: char) -> char {
    match letter {
        'أ' | 'إ' | 'آ' => 'ا',
        'ى' => 'ي',
        'ة' => 'ه',
        '’' => '\'',
        _ => letter,
    }
}

/// The runs of a folded text, without blanks and signs that say nothing.
pub fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        let before = runs.last_mut().filter(|last| last.start + last.text.len() == start);
        match (before, kind(letter)) {
            (Some(last), Some(kind)) if last.kind == kind && kind != Kind::Mark => {
                last.text = &text[last.start..end];
            }
            (Some(last), None) if last.kind == Kind::Word && is_joint(letter) => {
                last.text = &text[last.start..end];
            }
            (_, Some(kind)) => runs.push(Run { text: &text[start..end], start, kind }),
            _ => {}
        }
    }
    runs
}

/// Letters of a word.
pub fn letters(word: &str) -> usize {
    word.chars().filter(|letter| letter.is_alphabetic()).count()
}

/// The share of the letters in words for which it holds, 0 to 1.
pub fn share(runs: &[Run<'_>], holds: impl Fn(&str) -> bool) -> f32 {
    let (mut all, mut those) = (0, 0);
    for word in runs {
        let letters = letters(word.text);
        all += letters;
        those += if holds(word.text) { letters } else { 0 };
    }
    if all == 0 { 1.0 } else { those as f32 / all as f32 }
}

fn kind(letter: char) -> Option<Kind> {
    match letter {
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '々' => Some(Kind::Unspaced),
        '.' | ',' | '?' | '!' | ':' | ';' | '"' | '。' | '，' | '、' | '？' | '！' | '：' | '؟' | '،'
        | '।' => Some(Kind::Mark),
        _ if letter.is_alphanumeric() || is_sign(letter) => Some(Kind::Word),
        _ => None,
    }
}

/// What stands inside words.
const fn is_joint(letter: char) -> bool {
    matches!(letter, '\'' | '-')
}

/// Signs of the scripts that need them to spell a word (Unicode blocks), without Devanagari's full stops.
const fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{963}' | '\u{966}'..='\u{97f}')
}
