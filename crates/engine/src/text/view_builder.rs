//! Builds a view: its text, and the source of each piece.

use super::OffsetMap;
use super::char_boundary::{ceil, floor};
use crate::span::Span;

/// Bytes of unchanged text kept on each side of a replacement. With one classifier window of context on both sides, a
/// short encoded part of a long document scores as if the whole document had been rewritten, at a fraction of the cost.
const REACH: usize = 256;

/// A view under construction.
#[derive(Debug, Default)]
pub(super) struct ViewBuilder {
    pub text: String,
    pub map: OffsetMap,
}

impl ViewBuilder {
    /// Appends a part of `source` unchanged.
    pub fn copy(&mut self, source: &str, from: Span) {
        self.overlay(from.of(source), from);
    }

    /// Appends text that matches the source at `from` byte for byte.
    pub fn overlay(&mut self, piece: &str, from: Span) {
        if !piece.is_empty() {
            self.map.push(self.text.len(), from, true);
            self.text.push_str(piece);
        }
    }

    /// Appends text that was derived from all of `from`.
    pub fn put(&mut self, piece: &str, from: Span) {
        if !piece.is_empty() {
            self.map.push(self.text.len(), from, false);
            self.text.push_str(piece);
        }
    }

    /// Appends one character that was derived from all of `from`.
    pub fn put_char(&mut self, character: char, from: Span) {
        self.put(character.encode_utf8(&mut [0; 4]), from);
    }
}

/// Replacements in a text, in ascending order.
#[derive(Debug, Default)]
pub(super) struct Edits {
    // (place in the source, place in `pieces`)
    spans: Vec<(Span, Span)>,
    pieces: String,
}

impl Edits {
    /// Returns whether a replaced `@` stands between the name and the host of an address: few letters are hidden in it.
    pub fn hold_address(&self, source: &str) -> bool {
        const HOST: usize = 64;
        const UNITS: [&str; 14] =
            ["px", "em", "rem", "ch", "vh", "vw", "ms", "pt", "cm", "mm", "fr", "deg", "kb", "mb"];
        self.spans.iter().filter(|(_, piece)| piece.of(&self.pieces) == "@").any(|(span, _)| {
            let host = &source[span.end..ceil(source, (span.end + HOST).min(source.len()))];
            let host = host
                .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '/'))
                .next()
                .unwrap_or_default();
            // `width=40em.`: the sign of quoted-printable is that of a pair too.
            let unit = host.split('.').next().unwrap_or_default();
            let is_length = source[span.start..].starts_with('=') && UNITS.contains(&unit);
            source[..span.start].ends_with(char::is_alphanumeric)
                && !is_length
                && host.starts_with(char::is_alphanumeric)
                && host.trim_end_matches('.').contains(['.', ';', '%', '\\', '='])
        })
    }

    /// Replaces `span` of the source by `piece`.
    pub fn replace(&mut self, span: Span, piece: &str) {
        let start = self.pieces.len();
        self.pieces.push_str(piece);
        self.spans.push((span, Span::new(start, self.pieces.len())));
    }

    /// Replaces `span` of the source by one character.
    pub fn replace_char(&mut self, span: Span, character: char) {
        self.replace(span, character.encode_utf8(&mut [0; 4]));
    }

    /// Returns the replacements, joined.
    pub fn pieces(&self) -> &str {
        &self.pieces
    }

    /// Appends replacements that come later in the source.
    pub fn append(&mut self, later: &Self) {
        for (span, piece) in &later.spans {
            self.replace(*span, piece.of(&later.pieces));
        }
    }

    /// Returns the replaced parts of `source` with their context; `None` without replacements.
    pub fn apply(&self, source: &str) -> Option<ViewBuilder> {
        let mut draft = ViewBuilder::default();
        let mut done = self.spans.first()?.0.start.saturating_sub(REACH);
        done = floor(source, done);
        for (span, piece) in &self.spans {
            copy_gap(&mut draft, source, Span::new(done, span.start));
            draft.put(piece.of(&self.pieces), *span);
            done = span.end;
        }
        let end = ceil(source, done.saturating_add(REACH));
        draft.copy(source, Span::new(done, end));
        Some(draft)
    }
}

/// Copies the text between two replacements, or only both ends of it if it is long.
fn copy_gap(draft: &mut ViewBuilder, source: &str, gap: Span) {
    if gap.len() <= 2 * REACH {
        return draft.copy(source, gap);
    }
    let left = ceil(source, gap.start + REACH);
    let right = floor(source, gap.end - REACH);
    draft.copy(source, Span::new(gap.start, left));
    draft.put_char('\n', Span::new(left, left));
    draft.copy(source, Span::new(right.max(left), gap.end));
}
