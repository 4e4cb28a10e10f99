//! The pieces of a vocabulary as a tree of bytes, in which all pieces that a text begins with lie on one path.

use std::{collections::VecDeque, ops::Range};

/// No piece ends here.
const NONE: u32 = u32::MAX;

/// A tree whose nodes lie in the order of their depth, the children of a node beside each other.
#[derive(Debug)]
pub struct Trie {
    nodes: Vec<Node>,
    /// The children of the root by their byte; 0 where there is none.
    first: Box<[u32; 256]>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    children: u32,
    count: u16,
    byte: u8,
    piece: u32,
}

/// Pieces that a node stands for: a range of the sorted ones, and how many of their bytes lead to it.
struct Open {
    node: usize,
    pieces: Range<usize>,
    depth: usize,
}

impl Trie {
    /// The tree of these pieces, each with its id. Returns the id of a piece that occurs twice as an error.
    pub fn new(mut pieces: Vec<(&[u8], u32)>) -> Result<Self, u32> {
        pieces.sort_unstable();
        if let Some(twice) = pieces.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(twice[1].1);
        }
        let mut nodes = vec![Node { children: 0, count: 0, byte: 0, piece: NONE }];
        let mut open = VecDeque::from([Open { node: 0, pieces: 0..pieces.len(), depth: 0 }]);
        while let Some(Open { node, pieces: mut range, depth }) = open.pop_front() {
            if let Some((text, id)) = pieces[range.clone()].first()
                && text.len() == depth
            {
                nodes[node].piece = *id;
                range.start += 1;
            }
            nodes[node].children = nodes.len() as u32;
            for child in pieces[range.clone()].chunk_by(|one, other| one.0[depth] == other.0[depth]) {
                let end = range.start + child.len();
                open.push_back(Open { node: nodes.len(), pieces: range.start..end, depth: depth + 1 });
                nodes.push(Node { children: 0, count: 0, byte: child[0].0[depth], piece: NONE });
                nodes[node].count += 1;
                range.start = end;
            }
        }
        let mut first = Box::new([0; 256]);
        for child in 1..=usize::from(nodes[0].count) {
            first[usize::from(nodes[child].byte)] = child as u32;
        }
        Ok(Self { nodes, first })
    }

    /// Calls `visit` with length and id of each piece that `text` begins with, the shortest first.
    #[inline]
    pub fn prefixes(&self, text: &[u8], mut visit: impl FnMut(usize, u32)) {
        let Some((byte, rest)) = text.split_first() else { return };
        let mut node = self.first[usize::from(*byte)] as usize;
        if node == 0 {
            return;
        }
        for (length, byte) in (1..).zip(rest.iter().map(Some).chain([None])) {
            let Node { children, count, piece, .. } = self.nodes[node];
            if piece != NONE {
                visit(length, piece);
            }
            let children = children as usize..children as usize + usize::from(count);
            let Some(byte) = byte else { return };
            match self.nodes[children.clone()].binary_search_by_key(byte, |child| child.byte) {
                Ok(place) => node = children.start + place,
                Err(_) => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(pieces: &[&str], text: &str) -> Vec<(usize, u32)> {
        let numbered = pieces.iter().map(|piece| piece.as_bytes()).zip(10..).collect();
        let mut found = Vec::new();
        Trie::new(numbered).unwrap().prefixes(text.as_bytes(), |length, id| found.push((length, id)));
        found
    }

    #[test]
    fn every_piece_that_a_text_begins_with_is_found() {
        let pieces = ["to", "t", "tomb", "a", "é", "tone"];
        assert_eq!(prefixes(&pieces, "tomb"), [(1, 11), (2, 10), (4, 12)]);
        assert_eq!(prefixes(&pieces, "tom"), [(1, 11), (2, 10)]);
        assert_eq!(prefixes(&pieces, "été"), [(2, 14)]);
        assert_eq!(prefixes(&pieces, "x"), []);
        assert_eq!(prefixes(&pieces, ""), []);
        assert_eq!(prefixes(&[], "x"), []);
    }

    #[test]
    fn a_piece_that_occurs_twice_is_refused() {
        assert_eq!(Trie::new(vec![(b"a", 4), (b"b", 5), (b"a", 6)]).unwrap_err(), 6);
    }
}
