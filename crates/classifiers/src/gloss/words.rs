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
    /// How many of its characters are letters.
    pub letters: usize,
    /// What it is.
    pub kind: Kind,
}

impl<'t> Run<'t> {
    fn new(text: &'t str, start: usize, end: usize, kind: Kind) -> Self {
        let text = &text[start..end];
        Self { text, start, letters: letters(text), kind }
    }
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
    let mut open: Option<(usize, Kind)> = None;
    for (at, letter) in text.char_indices() {
        let kind = kind(letter);
        let goes_on = match (open, kind) {
            (Some((_, before)), Some(kind)) => before == kind && kind != Kind::Mark,
            (Some((_, before)), None) => before == Kind::Word && is_joint(letter),
            (None, _) => false,
        };
        if !goes_on {
            runs.extend(open.map(|(start, kind)| Run::new(text, start, at, kind)));
            open = kind.map(|kind| (at, kind));
        }
    }
    runs.extend(open.map(|(start, kind)| Run::new(text, start, text.len(), kind)));
    runs
}

/// Letters of a word.
pub fn letters(word: &str) -> usize {
    word.chars().filter(|letter| is_letter(*letter)).count()
}

/// The share of the letters in words for which it holds, 0 to 1.
pub fn share(runs: &[Run<'_>], holds: impl Fn(&str) -> bool) -> f32 {
    let (mut all, mut those) = (0, 0);
    for word in runs {
        all += word.letters;
        those += if holds(word.text) { word.letters } else { 0 };
    }
    if all == 0 { 1.0 } else { those as f32 / all as f32 }
}

fn kind(letter: char) -> Option<Kind> {
    match letter {
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '々' => Some(Kind::Unspaced),
        '.' | ',' | '?' | '!' | ':' | ';' | '"' | '。' | '，' | '、' | '？' | '！' | '：' | '؟' | '،'
        | '।' => Some(Kind::Mark),
        _ if is_letter(letter) || is_sign(letter) || letter.is_numeric() => Some(Kind::Word),
        _ => None,
    }
}

/// Whether it is a letter (Unicode's Alphabetic), of the languages with dictionaries in no time: blocks of nothing but
/// letters, small ones as texts are folded.
fn is_letter(letter: char) -> bool {
    match letter {
        'a'..='z' | 'à'..='ö' | 'ø'..='ž' | 'а'..='я' | 'ا'..='ي' | 'अ'..='ह' | '가'..='힣' | '一'..='鿿' => {
            true
        }
        _ => letter.is_alphabetic(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_unicode() {
        for letter in char::MIN..=char::MAX {
            assert_eq!(is_letter(letter), letter.is_alphabetic(), "{letter:?}");
        }
    }

    #[test]
    fn words_marks_and_stretches_without_blanks_are_runs() {
        let text = "l'eau, wi-fi - 忘记this 7";
        let runs: Vec<_> = runs(text).into_iter().map(|run| (run.text, run.start, run.letters)).collect();
        assert_eq!(
            runs,
            [("l'eau", 0, 4), (",", 5, 0), ("wi-fi", 7, 4), ("忘记", 15, 2), ("this", 21, 4), ("7", 26, 0)]
        );
    }
}
