//! Likelihood that letters are natural language, by their pairs.
//!
//! The table says how unlikely a letter is after another: level `c` means a probability of about `2^(-1.22 c)`, 9 and
//! more as 9. It was counted over 1.03 million letters of the project's own written English and 0.64 million of its
//! German, Spanish, Portuguese, Polish, French, Italian, Dutch, Swedish and Turkish (and old Bible translations in the
//! public domain), accents taken off, 60 parts of English to 40 of the others. Six words of running text cost 1.8 to
//! 3.0 a pair (99.8 %, ten languages), the same turned by 13 letters 2.8 to 5.3, backwards 2.5 to 4.0, random letters 3.4 to 5.9.

use crate::span::Span;

/// Cost of the column's letter after the row's; the last row and column are the bounds of words.
const LEVELS: [&[u8; 27]; 27] = [
    b"543365454643326472224468452",
    b"257819882683772892563889383",
    b"284929913734782983634899544",
    b"278518682785662794464779551",
    b"464345564753426572335465561",
    b"399833782894981992733489681",
    b"388518533784732793453889681",
    b"278719982886662894644789692",
    b"453434468553413573226486752",
    b"275414685846632797482779972",
    b"276818772754643794343879671",
    b"266315662752672587444679482",
    b"247718882986462397564889381",
    b"384226363755753887324689561",
    b"654453575653324482332437662",
    b"287626743982772392433999582",
    b"899999799995989997970599994",
    b"265317572855442774334569451",
    b"374728743845663476324859651",
    b"376827813876772793444859571",
    b"444435474663326492226666552",
    b"288709882997892894795699795",
    b"297628921976942893476998472",
    b"293938963786676276715797691",
    b"365638695675551596345968870",
    b"264419592855543685553949251",
    b"233333433553343354324438450",
];

/// Index of everything that is no letter.
const OTHER: u8 = 26;

/// Index of each byte in the table.
const LETTERS: [u8; 256] = letters();

/// Cost of a pair in the low half, cost of the pair turned round in the high half.
static COSTS: [u32; 32 * 32] = costs();

const fn letters() -> [u8; 256] {
    let mut letters = [OTHER; 256];
    let mut letter = 0;
    while letter < 26 {
        letters[b'a' as usize + letter] = letter as u8;
        letters[b'A' as usize + letter] = letter as u8;
        letter += 1;
    }
    letters
}

const fn costs() -> [u32; 32 * 32] {
    let mut costs = [0; 32 * 32];
    let mut index = 0;
    while index < 27 * 27 {
        let (first, second) = (index / 27, index % 27);
        let forward = (LEVELS[first][second] - b'0') as u32;
        let backward = (LEVELS[second][first] - b'0') as u32;
        costs[first * 32 + second] = forward | backward << 16;
        index += 1;
    }
    costs
}

/// What the letter pairs of a text cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// Levels, read forwards.
    pub forward: u32,
    /// Levels, read backwards.
    pub backward: u32,
    /// Pairs, those with the bounds of words included.
    pub pairs: u32,
}

impl Cost {
    /// Levels per pair; 9 without letters.
    pub fn mean(self) -> f32 {
        if self.pairs == 0 { 9.0 } else { self.forward as f32 / self.pairs as f32 }
    }
}

/// Adds up pairs byte by byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs {
    last: u8,
    // 16 bits each: good for words of 7,000 letters.
    sum: u32,
}

impl Pairs {
    /// The state between words.
    pub const fn new() -> Self {
        Self { last: OTHER, sum: 0 }
    }

    /// Reads one more byte.
    #[inline]
    pub const fn read(&mut self, byte: u8) {
        let letter = LETTERS[byte as usize];
        self.sum += COSTS[(self.last as usize & 31) * 32 + (letter as usize & 31)];
        self.last = letter;
    }

    /// The costs of the word that ends here, forwards and backwards.
    pub const fn end(mut self) -> (u32, u32) {
        self.read(b' ');
        (self.sum & 0xFFFF, self.sum >> 16)
    }
}

/// Returns whether no language is likely to have this word, by the letters that stand side by side: a twentieth of the words of
/// technical English cost so much, most of them abbreviations.
pub(crate) fn is_unlikely_word(word: &str) -> bool {
    const LEVELS: f32 = 4.0;
    cost_as(word, |byte| byte).mean() > LEVELS
}

/// Longest word whose sums cannot overflow.
const LONGEST: usize = 4096;

/// What the words of ASCII letters in `text` cost, each byte read as `letter` says.
pub(super) fn cost_as(text: &str, letter: impl Fn(u8) -> u8) -> Cost {
    let mut cost = Cost::default();
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    for word in text.as_bytes().split(|byte| !is_letter(byte)).filter(|word| !word.is_empty()) {
        let mut pairs = Pairs::new();
        let word = &word[..word.len().min(LONGEST)];
        for byte in word {
            pairs.read(letter(*byte));
        }
        let (forward, backward) = pairs.end();
        cost.forward += forward;
        cost.backward += backward;
        cost.pairs += word.len() as u32 + 1;
    }
    cost
}

/// What the words of ASCII letters in `text` cost.
pub(super) fn cost(text: &str) -> Cost {
    cost_as(text, |byte| byte)
}

/// How unlikely `second` is after `first`, 0 to 9.
pub(super) const fn level(first: u8, second: u8) -> u32 {
    COSTS[LETTERS[first as usize] as usize * 32 + LETTERS[second as usize] as usize] & 0xFFFF
}

/// Whether `text` has at least `letters` ASCII letters in words of a language in Latin script.
pub(super) fn is_language(text: &str, letters: usize) -> bool {
    let letter_count = text.bytes().filter(u8::is_ascii_alphabetic).count();
    letter_count >= letters && cost(text).mean() <= 2.9
}

/// Joins neighbouring words into stretches whose summed value stands out: Kadane's maximal sums, cut when a sum falls.
#[derive(Debug)]
pub(super) struct Stretches {
    /// Value from which a stretch is kept.
    margin: i32,
    sum: i32,
    best: i32,
    span: Span,
    /// Those found so far.
    pub found: Vec<Span>,
}

impl Stretches {
    /// Looks for stretches of at least `margin`.
    pub const fn new(margin: i32) -> Self {
        Self { margin, sum: 0, best: 0, span: Span::new(0, 0), found: Vec::new() }
    }

    /// Reads the next word.
    #[inline]
    pub fn add(&mut self, value: i32, word: Span) {
        if self.sum <= 0 {
            if value <= 0 {
                return;
            }
            self.span.start = word.start;
        }
        self.sum += value;
        if self.sum > self.best {
            self.best = self.sum;
            self.span.end = word.end;
        } else if self.sum <= 0 || self.sum < self.best - self.margin {
            self.end();
        }
    }

    /// Ends the stretch at hand.
    pub fn end(&mut self) {
        if self.best >= self.margin {
            self.found.push(self.span);
        }
        (self.sum, self.best) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_costs_less_than_letters_at_random() {
        assert!(is_language("please tell me how the weather will be tomorrow", 10));
        assert!(is_language("Bitte sag mir, wie das Wetter morgen wird", 10));
        assert!(!is_language("xqzv wkjh pfgb vczx qwkd hjrt", 10));
        assert!(!is_language("cyrnfr gryy zr ubj gur jrngure jvyy or", 10));
    }
}
