//! What has to be painted over so that a stretch of a text cannot be read.

use std::ops::Range;

use super::{LocatedText, Rect, readings::is_near};

/// Share of a line's height by which an area is made larger to every side: letters reach out of their boxes.
const MARGIN: f32 = 0.12;

impl LocatedText<Rect> {
    /// The areas of the words that `range` touches, one for each line, to the end of what stands without a gap: a
    /// recogniser that cut a word apart may have read only a part of what is personal.
    pub fn areas(&self, range: Range<usize>) -> Vec<Rect> {
        let mut areas: Vec<Rect> = Vec::new();
        for (_, area) in &self.words[self.run(self.touched(&range))] {
            match areas.last_mut().filter(|last| is_beside(**last, *area)) {
                Some(last) => *last = last.cover(*area),
                None => areas.push(*area),
            }
        }
        areas.into_iter().map(widened).collect()
    }

    fn run(&self, Range { mut start, mut end }: Range<usize>) -> Range<usize> {
        let holds_together = |left: usize| {
            let (before, after) = (&self.words[left], &self.words[left + 1]);
            self.text[before.0.end..after.0.start] == *" " && is_near(before.1, after.1)
        };
        while start < end && start > 0 && holds_together(start - 1) {
            start -= 1;
        }
        while start < end && end < self.words.len() && holds_together(end - 1) {
            end += 1;
        }
        start..end
    }
}

/// Whether `area` goes on right of `last`, on the same line, and a box around both holds little else: on a line that
/// slopes, words are painted over one by one.
fn is_beside(last: Rect, area: Rect) -> bool {
    let shared = last.bottom().min(area.bottom()).saturating_sub(last.y.max(area.y));
    let is_level = last.cover(area).height * 4 <= area.height * 5;
    area.x + area.width / 2 >= last.x && shared * 2 >= last.height.min(area.height) && is_level
}

fn widened(area: Rect) -> Rect {
    let by = (area.width.min(area.height) as f32 * MARGIN).ceil() as u32 + 1;
    let (x, y) = (area.x.saturating_sub(by), area.y.saturating_sub(by));
    Rect { x, y, width: area.right() + by - x, height: area.bottom() + by - y }
}

#[cfg(test)]
mod tests {
    use crate::located_text::{LocatedText, Rect, Word};

    fn word(text: &str, x: u32, y: u32) -> Word<Rect> {
        let width = text.len() as u32 * 10;
        Word { text: text.to_owned(), place: Rect { x, y, width, height: 20 } }
    }

    #[test]
    fn a_line_is_painted_over_at_once_and_lines_apart() {
        let lines = [[word("card", 0, 0), word("4111", 60, 0)], [word("1111", 0, 30), word("end", 60, 30)]];
        let passage = LocatedText::of_lines(lines.iter().map(<[Word<Rect>; 2]>::as_slice));
        let areas = passage.areas(0..14);
        assert_eq!(areas.len(), 2);
        assert_eq!(areas[0], Rect { x: 0, y: 0, width: 104, height: 24 });
        assert_eq!((areas[1].y, areas[1].right()), (26, 44));
    }

    #[test]
    fn what_stands_without_a_gap_goes_with_it() {
        let line = [word("is", 0, 0), word("4111", 40, 0), word("11", 82, 0), word("thanks", 140, 0)];
        let passage = LocatedText::of_lines([&line[..]]);
        let areas = passage.areas(3..7);
        assert_eq!((areas.len(), areas[0].x, areas[0].right()), (1, 36, 106));
    }
}
