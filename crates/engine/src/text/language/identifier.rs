//! A linear model over hashed n-grams of letters, read in place from the embedded file, which
//! `training/language/train.py` writes.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GRDLNG01`: the format and its version |
//! | 12 | length of the names, number of languages, number of rows: little-endian `u32` |
//! | … | the names, separated by blanks |
//! | 4 each | what one unit of a weight is worth, for each language: little-endian `f32` |
//! | 4 each | a bias for each language: little-endian `f32` |
//! | … | the weights, row by row: one signed byte for each language |
//!
//! A word is what stands between characters that [`is_apart`] names, in lower case and marked as `^word$`. Its n-grams are
//! all stretches of 1 to 4 letters but the marks alone, and the whole. Each stands for the row of its hash. What the model
//! says of a language is the mean of its weights in these rows, times its unit, and its bias.

use std::sync::LazyLock;

const MAGIC: &[u8; 8] = b"GRDLNG01";
static FILE: &[u8] = include_bytes!("../../../../../models/language.bin");
static EMBEDDED: LazyLock<Identifier> =
    LazyLock::new(|| Identifier::read(FILE).expect("the file that is compiled in is read by a test"));

/// Letters of the longest n-gram.
const LONGEST: usize = 4;
/// Words that are read.
const WORDS: usize = 60;
/// Letters below which a text is too short to tell.
const LEAST: usize = 5;
/// Letters of a word that are read.
const LETTERS: usize = 40;
/// Least share of the odds of all languages that the answer has.
const CERTAIN: f32 = 0.5;

/// The languages that the model knows, and its weights.
#[derive(Debug)]
pub struct Identifier {
    languages: Vec<Language>,
    rows: u32,
    weights: &'static [u8],
}

#[derive(Debug)]
struct Language {
    code: &'static str,
    unit: f32,
    bias: f32,
}

impl Identifier {
    /// The model that is compiled in.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// The model in a file; `None` if it is none of this version.
    fn read(file: &'static [u8]) -> Option<Self> {
        let ([names, count, rows], rest) = numbers::<3>(file.strip_prefix(MAGIC)?)?;
        let [names, count, rows] = [names, count, rows].map(u32::from_le_bytes);
        let (names, rest) = rest.split_at_checked(names as usize)?;
        let (units, rest) = rest.split_at_checked(4 * count as usize)?;
        let (biases, weights) = rest.split_at_checked(4 * count as usize)?;
        let floats = |bytes: &'static [u8]| bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four));
        let languages: Vec<_> = std::str::from_utf8(names)
            .ok()?
            .split(' ')
            .zip(floats(units).zip(floats(biases)))
            .map(|(code, (unit, bias))| Language { code, unit, bias })
            .collect();
        let fits = languages.len() == count as usize && weights.len() == languages.len() * rows as usize;
        (fits && rows > 0).then_some(Self { languages, rows, weights })
    }

    /// The language of a text among those that `may_be` names; `None` if the model is not certain.
    pub fn language(&self, text: &str, may_be: impl Fn(&str) -> bool) -> Option<&'static str> {
        let (sums, grams, letters) = self.sums(text);
        if letters < LEAST {
            return None;
        }
        let said = self.languages.iter().zip(sums).filter(|(language, _)| may_be(language.code));
        let said: Vec<_> = said
            .map(|(language, sum)| (language, sum as f32 / grams as f32 * language.unit + language.bias))
            .collect();
        let (best, highest) = said.iter().copied().max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let odds: f32 = said.iter().map(|(_, value)| (value - highest).exp()).sum();
        (odds.recip() >= CERTAIN).then_some(best.code)
    }

    /// The sums of each language's weights over the n-grams of a text, and the numbers of n-grams and letters.
    fn sums(&self, text: &str) -> (Vec<i32>, usize, usize) {
        let (mut sums, mut grams, mut letters) = (vec![0; self.languages.len()], 0, 0);
        let lower = text.replace('’', "'").to_lowercase();
        let words = lower.split(is_apart).map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty());
        let mut marked = Vec::with_capacity(LETTERS + 2);
        for word in words.take(WORDS) {
            marked.clear();
            marked.push('^');
            marked.extend(word.chars().take(LETTERS));
            letters += marked.len() - 1;
            marked.push('$');
            each_gram(&marked, |hash| {
                self.add(hash, &mut sums);
                grams += 1;
            });
        }
        (sums, grams, letters)
    }

    fn add(&self, hash: u32, sums: &mut [i32]) {
        let row = ((hash ^ (hash >> 15)) % self.rows) as usize * sums.len();
        for (sum, weight) in sums.iter_mut().zip(&self.weights[row..]) {
            *sum += i32::from(weight.cast_signed());
        }
    }
}

/// Passes on the hash of each n-gram of a marked word, and of the whole.
fn each_gram(marked: &[char], mut found: impl FnMut(u32)) {
    for start in 0..marked.len() {
        let mut hash = Fnv::default();
        for (count, letter) in marked[start..].iter().take(LONGEST).enumerate() {
            hash.add(*letter);
            if count > 0 || !matches!(letter, '^' | '$') {
                found(hash.0);
            }
        }
    }
    let mut whole = Fnv::default();
    for letter in marked {
        whole.add(*letter);
    }
    found(whole.0);
}

/// FNV-1a, 32 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
struct Fnv(u32);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x811C_9DC5)
    }
}

impl Fnv {
    fn add(&mut self, letter: char) {
        for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}

/// Returns whether a character stands between words: blanks, numbers and punctuation.
fn is_apart(letter: char) -> bool {
    match letter {
        '\'' => false,
        '\0'..='\x7F' => !letter.is_ascii_alphabetic(),
        '\u{80}'..='\u{BF}' | '\u{2000}'..='\u{2BFF}' | '\u{3000}'..='\u{303F}' => true,
        _ if "×÷،؛؟۔।॥".contains(letter) => true,
        _ => letter.is_whitespace() || letter.is_numeric(),
    }
}

/// The first little-endian numbers of a file, and the rest.
fn numbers<const COUNT: usize>(file: &'static [u8]) -> Option<([[u8; 4]; COUNT], &'static [u8])> {
    let (chunks, _) = file.as_chunks::<4>();
    Some((*chunks.first_chunk()?, file.get(4 * COUNT..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_compiled_in_is_read() {
        assert!(Identifier::read(FILE).is_some_and(|model| model.languages.len() > 40));
        assert!(Identifier::read(&FILE[..FILE.len() - 1]).is_none());
        assert!(Identifier::read(&FILE[1..]).is_none());
    }

    #[test]
    fn the_grams_of_a_word_are_its_stretches_and_the_whole() {
        let mut count = 0;
        each_gram(&['^', 'o', 'n', '$'], |_| count += 1);
        // `o n ^o on n$ ^on on$ ^on$`, and the whole.
        assert_eq!(count, 9);
    }

    #[test]
    fn letters_of_one_script_are_no_language_of_another() {
        let model = Identifier::embedded();
        assert_eq!(model.language("Wo ist der Bahnhof?", |code| code == "ru"), Some("ru"));
        assert_eq!(model.language("12 + 12 = 24", |_| true), None);
    }
}
