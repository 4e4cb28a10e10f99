//! Image areas to redact for a range of text.

use std::ops::Range;

use super::{LocatedText, Rect, readings::is_near};

/// Margin around an area as a share of its shorter side, because letters extend beyond their boxes.
const MARGIN: f32 = 0.12;

impl LocatedText<Rect> {
    /// Returns the areas of the words that overlap `range`, one for each line. Includes adjacent words without a gap,
    /// because OCR may have split a word.
    pub fn areas(&self, range: Range<usize>) -> Vec<Rect> {
        let mut areas: Vec<Rect> = Vec::new();
        for (_, area) in &self.words[self.without_gap(self.overlapping_words(&range))] {
            match areas.last_mut().filter(|last| continues(**last, *area)) {
                Some(last) => *last = last.cover(*area),
                None => areas.push(*area),
            }
        }
        areas.into_iter().map(with_margin).collect()
    }

    /// Extends a range of words to the neighbours that follow without a gap.
    fn without_gap(&self, Range { mut start, mut end }: Range<usize>) -> Range<usize> {
        let is_joined = |left: usize| {
            let (before, after) = (&self.words[left], &self.words[left + 1]);
            self.text[before.0.end..after.0.start] == *" " && is_near(before.1, after.1)
        };
        while start < end && start > 0 && is_joined(start - 1) {
            start -= 1;
        }
        while start < end && end < self.words.len() && is_joined(end - 1) {
            end += 1;
        }
        start..end
    }
}

/// Returns whether `area` continues `last` on the same line and a box around both contains little else. Words on a
/// sloping line fail this test and are redacted one by one.
fn continues(last: Rect, area: Rect) -> bool {
    let shared = last.bottom().min(area.bottom()).saturating_sub(last.y.max(area.y));
    let is_level = last.cover(area).height * 4 <= area.height * 5;
    area.x + area.width / 2 >= last.x && shared * 2 >= last.height.min(area.height) && is_level
}

fn with_margin(area: Rect) -> Rect {
    let margin = (area.width.min(area.height) as f32 * MARGIN).ceil() as u32 + 1;
    let (x, y) = (area.x.saturating_sub(margin), area.y.saturating_sub(margin));
    Rect { x, y, width: area.right() + margin - x, height: area.bottom() + margin - y }
}

#[cfg(test)]
mod tests {
    use crate::located_text::{LocatedText, Rect, Word};

    fn word(text: &str, x: u32, y: u32) -> Word<Rect> {
        let width = text.len() as u32 * 10;
        Word { text: text.to_owned(), position: Rect { x, y, width, height: 20 } }
    }

    #[test]
    fn returns_one_area_for_each_line() {
        let lines = [[word("card", 0, 0), word("4111", 60, 0)], [word("1111", 0, 30), word("end", 60, 30)]];
        let located = LocatedText::of_lines(lines.iter().map(<[Word<Rect>; 2]>::as_slice));
        let areas = located.areas(0..14);
        assert_eq!(areas.len(), 2);
        assert_eq!(areas[0], Rect { x: 0, y: 0, width: 104, height: 24 });
        assert_eq!((areas[1].y, areas[1].right()), (26, 44));
    }

    #[test]
    fn words_of_a_line_on_its_side_have_gaps_too() {
        let word = |text: &str, y: u32| Word {
            text: text.to_owned(),
            position: Rect { x: 50, y, width: 20, height: text.len() as u32 * 10 },
        };
        let line = [word("call", 0), word("4111", 50), word("11", 91), word("thanks", 120)];
        let located = LocatedText::of_lines([&line[..]]);
        let areas = located.areas(5..9);
        assert_eq!((areas[0].y, areas[areas.len() - 1].bottom()), (46, 115));
    }

    #[test]
    fn includes_words_without_a_gap() {
        let line = [word("is", 0, 0), word("4111", 40, 0), word("11", 82, 0), word("thanks", 140, 0)];
        let located = LocatedText::of_lines([&line[..]]);
        let areas = located.areas(3..7);
        assert_eq!((areas.len(), areas[0].x, areas[0].right()), (1, 36, 106));
    }
}
