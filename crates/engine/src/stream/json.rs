//! Places in a JSON document that arrives in parts (RFC 8259).

use crate::span::Span;

/// Nested arrays and objects at most; a deeper text counts as prose.
const DEPTH: usize = 128;

/// The syntax that may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Value,
    Key,
    Colon,
    /// A comma, or the end of the array or object.
    After,
    Scalar,
    Text {
        is_key: bool,
        escape: Escape,
    },
    /// The text is no JSON document.
    Broken,
}

/// An escape sequence inside a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    None,
    Opened,
    /// Hexadecimal digits that are missing.
    Digits(u8),
}

/// A place in a document: the state there, and the arrays and objects around it.
#[derive(Clone, Debug)]
pub(super) struct JsonPlace {
    state: State,
    // True for an object.
    around: Vec<bool>,
}

/// A part of a document that can be masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Location in bytes.
    pub span: Span,
    /// True for a number or literal, in place of which a marker needs quotes.
    pub is_scalar: bool,
}

impl JsonPlace {
    /// The beginning of a document.
    pub const fn start() -> Self {
        Self { state: State::Value, around: Vec::new() }
    }

    /// Returns whether the text so far is the beginning of a document or all of it.
    pub fn is_json(&self) -> bool {
        self.state != State::Broken
    }

    /// Moves on over `text`.
    pub fn advance(&mut self, text: &str) {
        for c in text.chars() {
            if self.state == State::Broken {
                return;
            }
            self.state = self.after(c);
        }
    }

    /// Returns the parts of `span` that can be masked: insides of strings that are no keys, and whole scalars. `self` is
    /// the place at byte `from` of `text`.
    pub fn segments(&self, text: &str, from: usize, span: Span) -> Vec<Segment> {
        let mut place = self.clone();
        let mut segments: Vec<Segment> = Vec::new();
        let mut scalar = from;
        for (at, c) in text[from..].char_indices().map(|(at, c)| (from + at, c)) {
            let before = place.state;
            place.state = place.after(c);
            if place.state == State::Scalar && before != State::Scalar {
                scalar = at;
            }
            let end = at + c.len_utf8();
            if at >= span.end && !is_inside(before) {
                break;
            }
            match (before, place.state) {
                (_, State::Scalar) if end > span.start && scalar < span.end => {
                    extend(&mut segments, Segment { span: Span::new(scalar, end), is_scalar: true });
                }
                (State::Text { is_key: false, escape }, State::Text { .. }) => {
                    let is_covered = at >= span.start && at < span.end;
                    let goes_on = segments.last().is_some_and(|last| last.span.end == at);
                    if (is_covered && escape == Escape::None) || (escape != Escape::None && goes_on) {
                        extend(&mut segments, Segment { span: Span::new(at, end), is_scalar: false });
                    }
                }
                _ => {}
            }
        }
        segments
    }

    fn after(&mut self, c: char) -> State {
        let is_blank = matches!(c, ' ' | '\t' | '\n' | '\r');
        match self.state {
            State::Text { is_key, escape } => text(is_key, escape, c),
            State::Scalar if matches!(c, '0'..='9' | '+' | '-' | '.' | 'a'..='z' | 'E') => State::Scalar,
            State::Scalar | State::After => self.after_value(c, is_blank),
            state if is_blank => state,
            State::Colon if c == ':' => State::Value,
            State::Key | State::Value if c == '"' && !self.around.is_empty() => {
                State::Text { is_key: self.state == State::Key, escape: Escape::None }
            }
            State::Key | State::Value if matches!(c, '}' | ']') => self.close(c),
            State::Value => self.value(c),
            State::Key | State::Colon | State::Broken => State::Broken,
        }
    }

    fn value(&mut self, c: char) -> State {
        match c {
            '{' | '[' if self.around.len() < DEPTH => {
                self.around.push(c == '{');
                if c == '{' { State::Key } else { State::Value }
            }
            '0'..='9' | '-' | 't' | 'f' | 'n' if !self.around.is_empty() => State::Scalar,
            _ => State::Broken,
        }
    }

    fn after_value(&mut self, c: char, is_blank: bool) -> State {
        match (c, self.around.last()) {
            _ if is_blank => State::After,
            (',', Some(true)) => State::Key,
            (',', Some(false)) => State::Value,
            _ => self.close(c),
        }
    }

    fn close(&mut self, c: char) -> State {
        let is_end = matches!((c, self.around.pop()), ('}', Some(true)) | (']', Some(false)));
        if is_end { State::After } else { State::Broken }
    }
}

const fn is_inside(state: State) -> bool {
    matches!(state, State::Scalar | State::Text { escape: Escape::Opened | Escape::Digits(_), .. })
}

fn text(is_key: bool, escape: Escape, c: char) -> State {
    let next = |escape| State::Text { is_key, escape };
    match escape {
        Escape::Opened if c == 'u' => next(Escape::Digits(4)),
        Escape::Opened if matches!(c, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => next(Escape::None),
        Escape::Digits(1) if c.is_ascii_hexdigit() => next(Escape::None),
        Escape::Digits(missing) if c.is_ascii_hexdigit() => next(Escape::Digits(missing - 1)),
        Escape::Opened | Escape::Digits(_) => State::Broken,
        Escape::None if c == '\\' => next(Escape::Opened),
        Escape::None if c == '"' => {
            if is_key {
                State::Colon
            } else {
                State::After
            }
        }
        Escape::None if c < ' ' => State::Broken,
        Escape::None => next(Escape::None),
    }
}

/// Adds `segment`, or extends the last one that it touches.
fn extend(segments: &mut Vec<Segment>, segment: Segment) {
    match segments
        .last_mut()
        .filter(|last| last.span.end >= segment.span.start && last.is_scalar == segment.is_scalar)
    {
        Some(last) => last.span.end = segment.span.end,
        None => segments.push(segment),
    }
}
