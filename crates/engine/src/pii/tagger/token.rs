//! Words with the attributes that are known without the weights.

use crate::{pii::types::names::Class, span::Span};

/// What a word looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Shape {
    /// No word: the text begins or ends here.
    Nothing,
    /// Small letters.
    Small,
    /// A capital and small letters.
    Capitalised,
    /// Capitals alone.
    Capitals,
    /// One capital.
    Initial,
    /// Capitals amid small letters.
    Mixed,
    /// Up to three digits.
    Number,
    /// Four or five digits.
    Long,
    /// More digits.
    Longest,
    /// Letters and digits.
    Alphanumeric,
    /// Letters of other scripts, which have no capitals.
    Caseless,
    /// An underscore is in it.
    Identifier,
}

/// What stands between two words: the weightiest of the signs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Gap {
    /// One blank, or nothing.
    Blank,
    /// An apostrophe, a hyphen, a slash.
    Joint,
    /// A point.
    Point,
    /// A comma.
    Comma,
    /// A semicolon, a bar, a tabulator.
    Field,
    /// A bracket.
    Bracket,
    /// A quotation mark.
    Quote,
    /// Anything else.
    Sign,
    /// A colon.
    Colon,
    /// An equals sign.
    Equals,
    /// The end of a line.
    Line,
    /// `@`.
    At,
}

impl Gap {
    /// What `c` makes of a gap.
    pub(super) const fn of(c: char) -> Self {
        match c {
            ' ' => Self::Blank,
            '\'' | '’' | '-' | '/' | '–' => Self::Joint,
            '.' | '!' | '?' => Self::Point,
            ',' => Self::Comma,
            ';' | '|' | '\t' => Self::Field,
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => Self::Bracket,
            '"' | '“' | '”' | '„' | '«' | '»' | '`' => Self::Quote,
            ':' => Self::Colon,
            '=' => Self::Equals,
            '\n' | '\r' => Self::Line,
            '@' => Self::At,
            _ => Self::Sign,
        }
    }
}

/// A word and the gap before it.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// As written.
    pub(super) text: &'t str,
    /// Where.
    pub span: Span,
    /// Hash of the word in small letters.
    pub(super) word: u32,
    /// Hash of its first three bytes.
    pub(super) prefix: u32,
    /// Hash of its last three bytes.
    pub(super) suffix: u32,
    /// What it looks like.
    pub(super) shape: Shape,
    /// What stands before it.
    pub(super) gap: Gap,
    /// What the lists of names know it as.
    pub(super) class: Class,
}

impl Token<'_> {
    /// The place before the first word and behind the last.
    pub(super) const NOTHING: Self = Self {
        text: "",
        span: Span::new(0, 0),
        word: 0,
        prefix: 0,
        suffix: 0,
        shape: Shape::Nothing,
        gap: Gap::Line,
        class: Class::UNKNOWN,
    };

    /// Forgets what the lists know, so that what is learnt does not lean on them alone.
    pub fn forget_lists(&mut self) {
        self.class = Class::UNKNOWN;
    }

    /// Whether the lists know it as a name or as what stands before one.
    pub fn may_name(&self) -> bool {
        self.class.is_given() || self.class.is_surname() || self.class.is_title()
    }

    /// Whether it begins with a digit.
    pub fn is_number(&self) -> bool {
        self.text.as_bytes().first().is_some_and(u8::is_ascii_digit)
    }

    /// Whether it begins with a capital letter.
    pub(super) fn is_capitalised(&self) -> bool {
        matches!(self.shape, Shape::Capitalised | Shape::Capitals | Shape::Initial | Shape::Mixed)
    }
}
