//! A dictionary from one language to English.

use rustc_hash::FxHashMap as HashMap;

use super::words::{Kind, Run, letters};

/// Words of the longest phrase.
const PHRASE: usize = 3;
/// Characters of the longest entry in a script without blanks.
const UNSPACED: usize = 8;
/// Characters of the longest beginning of a word.
const STEM: usize = 25;
/// What Arabic writes together with a word: conjunctions, prepositions, the article, the mark of the future.
const CLITICS: [&str; 12] = ["وال", "فال", "بال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ك", "س"];
/// The gloss of words that say nothing.
const NOTHING: &str = "-";

/// Forms and their glosses. A line of the file is a form, a tab, a gloss; a form that ends in `*` is the beginning of
/// words, a form with blanks a phrase.
#[derive(Debug)]
pub struct Dictionary {
    forms: HashMap<&'static str, &'static str>,
    stems: HashMap<&'static str, &'static str>,
}

/// A text in English, as far as it is known.
#[derive(Debug, Default)]
pub struct Glossed {
    /// The gloss.
    pub text: String,
    letters: usize,
    unknown: usize,
}

impl Glossed {
    /// The share of its letters that stand in words which the dictionary has, 0 to 1. Letters, because short words
    /// mean something in every language.
    pub fn known(&self) -> f32 {
        if self.letters == 0 { 0.0 } else { 1.0 - self.unknown as f32 / self.letters as f32 }
    }

    fn push(&mut self, gloss: &str) {
        if gloss != NOTHING {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(gloss);
        }
    }

    /// An unknown word is kept where English has its letters too: names, numbers, and English in between.
    fn miss(&mut self, word: &str) {
        self.unknown += letters(word);
        if word.is_ascii() {
            self.push(word);
        }
    }
}

impl Dictionary {
    /// Reads the file.
    pub fn new(file: &'static str) -> Self {
        let (mut forms, mut stems) = (HashMap::default(), HashMap::default());
        for (form, gloss) in file.lines().filter_map(|line| line.split_once('\t')) {
            match form.strip_suffix('*') {
                Some(stem) => stems.insert(stem, gloss),
                None => forms.insert(form, gloss),
            };
        }
        Self { forms, stems }
    }

    /// Forms and beginnings.
    #[cfg(test)]
    pub fn entries(&self) -> impl Iterator<Item = &'static str> {
        self.forms.keys().chain(self.stems.keys()).copied()
    }

    /// Whether it has the word.
    pub fn knows(&self, word: &str) -> bool {
        self.word(word).is_some()
    }

    /// The gloss of a folded text, whose `runs` are these.
    pub fn gloss(&self, folded: &str, runs: &[Run<'_>]) -> Glossed {
        self.gloss_but(folded, runs, |_| false)
    }

    /// The gloss of a text in which words that are `kept` stand as they are.
    pub fn gloss_but(&self, folded: &str, runs: &[Run<'_>], kept: impl Fn(&str) -> bool) -> Glossed {
        let mut glossed = Glossed::default();
        let mut place = 0;
        while place < runs.len() {
            place += if kept(runs[place].text) {
                glossed.push(runs[place].text);
                1
            } else {
                self.take(&runs[place..], folded, &mut glossed)
            };
        }
        glossed
    }

    /// Glosses what is first among the runs, and answers how many it took.
    fn take(&self, runs: &[Run<'_>], folded: &str, glossed: &mut Glossed) -> usize {
        let run = &runs[0];
        match run.kind {
            Kind::Mark => glossed.text.push_str(mark(run.text)),
            Kind::Unspaced => self.take_unspaced(run.text, glossed),
            Kind::Word => return self.take_words(runs, folded, glossed),
        }
        1
    }

    fn take_words(&self, runs: &[Run<'_>], folded: &str, glossed: &mut Glossed) -> usize {
        let phrase = (2..=PHRASE.min(runs.len())).rev().find_map(|count| {
            let end = runs[count - 1].start + runs[count - 1].text.len();
            Some((count, *self.forms.get(&folded[runs[0].start..end])?))
        });
        let word = runs[0].text.trim_end_matches(['\'', '-']);
        let (count, gloss) = phrase.unwrap_or_else(|| (1, self.word(word).unwrap_or_default()));
        glossed.letters += runs[..count].iter().map(|run| run.letters).sum::<usize>();
        if gloss.is_empty() {
            self.take_halves(word, glossed);
        } else {
            glossed.push(gloss);
        }
        count
    }

    /// Around an apostrophe or a hyphen words are words of their own.
    fn take_halves(&self, word: &str, glossed: &mut Glossed) {
        match word.find(['\'', '-']) {
            Some(end) => {
                let (first, second) = word.split_at(end + 1);
                let first = self.word(first).or_else(|| self.word(&first[..end]));
                match (first, self.word(second)) {
                    (None, None) => glossed.miss(word),
                    (first, second) => {
                        glossed.push(first.unwrap_or(NOTHING));
                        glossed.push(second.unwrap_or(&word[end + 1..]));
                    }
                }
            }
            None => glossed.miss(word),
        }
    }

    /// The gloss of one word: as it stands, or without what Arabic puts before it, twice at most.
    fn word(&self, word: &str) -> Option<&'static str> {
        let shorter = || bare(word).find_map(|rest| self.entry(rest));
        let shortest = || bare(word).flat_map(bare).find_map(|rest| self.entry(rest));
        self.entry(word).or_else(shorter).or_else(shortest)
    }

    /// The gloss of a form, or of its longest beginning.
    fn entry(&self, form: &str) -> Option<&'static str> {
        let by_stem = || {
            let longest = form.char_indices().nth(STEM).map_or(form, |(end, _)| &form[..end]);
            let ends = longest.char_indices().rev().map(|(start, letter)| start + letter.len_utf8());
            ends.into_iter().find_map(|end| self.stems.get(&form[..end]))
        };
        self.forms.get(form).or_else(by_stem).copied()
    }

    /// The longest entry at each place.
    fn take_unspaced(&self, run: &str, glossed: &mut Glossed) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let ends: Vec<usize> =
                rest.char_indices().skip(1).map(|(end, _)| end).chain([rest.len()]).take(UNSPACED).collect();
            let found = ends.into_iter().rev().find_map(|end| Some((end, *self.forms.get(&rest[..end])?)));
            let (end, gloss) = found.unwrap_or((first.len_utf8(), NOTHING));
            glossed.letters += letters(&rest[..end]);
            glossed.unknown += usize::from(found.is_none());
            glossed.push(gloss);
            rest = &rest[end..];
        }
    }
}

/// What is left of a word behind each of the [`CLITICS`] that it begins with.
fn bare(word: &str) -> impl Iterator<Item = &str> {
    CLITICS.iter().filter_map(|clitic| word.strip_prefix(clitic)).filter(|rest| letters(rest) > 1)
}

/// The mark as English writes it.
fn mark(mark: &str) -> &str {
    match mark {
        "。" | "।" => ".",
        "，" | "、" | "،" => ",",
        "？" | "؟" => "?",
        "！" => "!",
        "：" => ":",
        _ => mark,
    }
}
