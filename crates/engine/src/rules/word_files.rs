//! Word classes from text files, one language a file.
//!
//! A file has a section for each class, `[name]`, followed by its words, one a line. Blank lines separate sections. The
//! files are read at compile time, so an unknown class is a compile error.

/// Returns the words of a class in all files, as a [`WordClass`](super::WordClass).
macro_rules! word_class {
    ($files:expr, $class:literal) => {{
        const COUNT: usize = $crate::rules::word_files::count($files, $class);
        const WORDS: [&str; COUNT] = $crate::rules::word_files::words($files, $class);
        const { assert!(COUNT > 0, "no words of this class") };
        &WORDS
    }};
}

/// Returns the files of the folder `words` beside the caller, one for each language that rules are written in.
macro_rules! word_files {
    () => {
        word_files!(en de fr es it pt nl pl tr ru ar hi zh ja ko)
    };
    ($($language:ident)*) => {
        &[$(include_str!(concat!("words/", stringify!($language), ".txt"))),*]
    };
}

pub(crate) use {word_class, word_files};

/// Reader of the words of one class in one file.
struct Section<'t> {
    rest: &'t [u8],
    class: &'static str,
    is_inside: bool,
}

impl<'t> Section<'t> {
    const fn new(file: &'t str, class: &'static str) -> Self {
        Self { rest: file.as_bytes(), class, is_inside: false }
    }

    /// Returns the next word of the class.
    const fn next(&mut self) -> Option<&'t str> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_at(line_length(self.rest));
            self.rest = match rest {
                [_, rest @ ..] => rest,
                [] => rest,
            };
            match line {
                [] => {}
                [b'[', name @ .., b']'] => self.is_inside = equal(name, self.class.as_bytes()),
                word if self.is_inside => {
                    return match str::from_utf8(word) {
                        Ok(word) => Some(word),
                        Err(_) => panic!("lines end on character boundaries"),
                    };
                }
                _ => {}
            }
        }
        None
    }
}

/// Returns the length of the first line, without its end.
const fn line_length(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'\n' {
        at += 1;
    }
    at
}

/// Compares bytes at compile time.
pub const fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Counts the words of a class.
pub const fn count(files: &[&str], class: &'static str) -> usize {
    let (mut file, mut count) = (0, 0);
    while file < files.len() {
        let mut section = Section::new(files[file], class);
        while section.next().is_some() {
            count += 1;
        }
        file += 1;
    }
    count
}

/// Returns the words of a class, which are `COUNT`.
pub const fn words<const COUNT: usize>(files: &[&'static str], class: &'static str) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let (mut file, mut at) = (0, 0);
    while file < files.len() {
        let mut section = Section::new(files[file], class);
        while let Some(word) = section.next() {
            words[at] = word;
            at += 1;
        }
        file += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use crate::rules::WordClass;

    const FILES: &[&str] = &["[birds]\nowl\nkey wester*\n\n[trees]\noak\n", "[trees]\nEiche\n[birds]\n鳥"];

    #[test]
    fn a_class_has_the_words_of_its_sections_in_all_files() {
        const BIRDS: WordClass = word_class!(FILES, "birds");
        const TREES: WordClass = word_class!(FILES, "trees");
        assert_eq!(BIRDS, ["owl", "key wester*", "鳥"]);
        assert_eq!(TREES, ["oak", "Eiche"]);
    }
}
