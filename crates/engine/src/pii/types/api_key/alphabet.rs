//! Alphabets of secrets.

/// The characters that secrets of one form consist of.
#[derive(Debug, PartialEq, Eq)]
pub struct Alphabet {
    name: &'static str,
    /// First and last letters or digits of its ranges, in pairs.
    ranges: &'static [u8],
    signs: &'static [u8],
}

const fn of(name: &'static str, ranges: &'static [u8], signs: &'static [u8]) -> Alphabet {
    Alphabet { name, ranges, signs }
}

static ALPHABETS: [Alphabet; 16] = [
    of("alnum", b"azAZ09", b""),
    of("upper", b"AZ09", b""),
    of("upperdash", b"AZ09", b"-"),
    of("hex", b"09afAF", b""),
    of("hexdash", b"09afAF", b"-"),
    of("uuid", b"09afAF", b"-"),
    of("base32", b"az27", b""),
    of("base64", b"azAZ09", b"+/="),
    of("base64url", b"azAZ09", b"_-="),
    of("word", b"azAZ09", b"_-"),
    of("dots", b"azAZ09", b"_-."),
    of("colon", b"azAZ09", b"_-:"),
    of("bang", b"azAZ09", b"_-.!"),
    of("tilde", b"azAZ09", b"_-.~"),
    of("percent", b"azAZ09", b"_-%+/="),
    of("path", b"azAZ09", b"_-.~/@+="),
];

impl Alphabet {
    /// Returns the alphabet that the table of issuers names so.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALPHABETS.iter().find(|alphabet| alphabet.name == name)
    }

    /// Returns whether `byte` is a letter, digit or sign of it.
    pub fn has(&self, byte: u8) -> bool {
        self.ranges.chunks_exact(2).any(|range| (range[0]..=range[1]).contains(&byte))
            || self.signs.contains(&byte)
    }

    /// Returns whether it has small letters. Without them names in code are not mistaken for secrets.
    pub fn has_small_letters(&self) -> bool {
        self.has(b'b')
    }
}
