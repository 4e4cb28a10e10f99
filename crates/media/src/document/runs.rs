//! A text that lies in several pieces of a source, as a paragraph does whose words are formatted differently.

use std::ops::Range;

use super::{
    markup::{Patches, encode},
    visitor::apply,
};
use crate::Edit;

/// Pieces of one text.
#[derive(Debug, Default)]
pub struct Runs {
    /// The whole text.
    pub text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    text: Range<usize>,
    source: Range<usize>,
}

impl Runs {
    pub const fn new() -> Self {
        Self { text: String::new(), pieces: Vec::new() }
    }

    /// Adds a piece from a place of the source.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { text: start..self.text.len(), source });
    }

    /// Adds a separator that stands for an element.
    pub fn push_separator(&mut self, separator: &str) {
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
    }

    /// Writes replacements of the whole text into the pieces: the first piece that one covers gets the new text, the others
    /// lose theirs.
    pub fn rewrite(&self, edits: &[Edit], patches: &mut Patches) {
        for (piece, text) in self.changed(edits) {
            patches.replace(piece, encode(&text));
        }
    }

    /// Returns the new text of each piece that changes.
    fn changed(&self, edits: &[Edit]) -> Vec<(Range<usize>, String)> {
        let mut changed = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let own = |edit: &Edit| {
                let start = edit.span.start.max(piece.text.start);
                let end = edit.span.end.min(piece.text.end);
                if start >= end {
                    return None;
                }
                let is_first = self.pieces[..at].iter().all(|before| before.text.end <= edit.span.start);
                let text = if is_first { edit.text.clone() } else { String::new() };
                Some(Edit { span: start - piece.text.start..end - piece.text.start, text })
            };
            let own: Vec<Edit> = edits.iter().filter_map(own).collect();
            if !own.is_empty() {
                changed.push((piece.source.clone(), apply(&self.text[piece.text.clone()], &own)));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_over_several_pieces_is_replaced_once() {
        let source = "card 4111 11<b>11 1111</b> 1111 end";
        let mut runs = Runs::default();
        for place in [0..12, 15..22, 26..35] {
            runs.push(&source[place.clone()], place);
        }
        assert_eq!(runs.text, "card 4111 1111 1111 1111 end");
        let mut patches = Patches::new();
        runs.rewrite(&[Edit { span: 5..24, text: "[CARD]".to_owned() }], &mut patches);
        assert_eq!(patches.apply(source), "card [CARD]<b></b> end");
    }
}
