//! Letters that look alike, and marks that do not show.

use crate::random::Random;

/// Letters of other scripts that look like Latin ones (Unicode confusables).
const HOMOGLYPHS: [(char, &str); 28] = [
    ('a', "а"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "е"),
    ('h', "һ"),
    ('i', "і"),
    ('j', "ј"),
    ('l', "ӏ"),
    ('o', "оο"),
    ('p', "р"),
    ('q', "ԛ"),
    ('s', "ѕ"),
    ('v', "ν"),
    ('w', "ԝ"),
    ('x', "х"),
    ('y', "у"),
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "С"),
    ('E', "ЕΕ"),
    ('H', "НΗ"),
    ('I', "ІΙ"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('O', "ОΟ"),
    ('P', "РΡ"),
    ('T', "ТΤ"),
    ('X', "ХΧ"),
];

const LEET: [(char, &str); 9] = [
    ('a', "4@"),
    ('b', "8"),
    ('e', "3"),
    ('g', "9"),
    ('i', "1!"),
    ('o', "0"),
    ('s', "5$"),
    ('t', "7+"),
    ('z', "2"),
];

/// Zero-width space, non-joiner and joiner, word joiner, soft hyphen.
const INVISIBLE: [char; 5] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{ad}'];

/// Distance from an ASCII character to its full-width form.
const FULL_WIDTH: u32 = 0xfee0;

/// First combining mark, and the number of them.
const MARKS: (u32, usize) = (0x300, 0x70);

/// Percentage of the letters that a change affects.
fn strength(random: &mut Random) -> usize {
    *random.pick(&[30, 60, 100])
}

fn replaced(text: &str, table: &[(char, &str)], fold: bool, random: &mut Random) -> String {
    let strength = strength(random);
    let mut replace = |letter: char| {
        let key = if fold { letter.to_ascii_lowercase() } else { letter };
        let Some((_, others)) = table.iter().find(|(from, _)| *from == key) else { return letter };
        let others: Vec<char> = others.chars().collect();
        if random.chance(strength) { *random.pick(&others) } else { letter }
    };
    text.chars().map(&mut replace).collect()
}

/// Replaces letters by those of other scripts.
pub fn homoglyphs(text: &str, random: &mut Random) -> String {
    replaced(text, &HOMOGLYPHS, false, random)
}

/// Replaces letters by digits and signs.
pub fn leetspeak(text: &str, random: &mut Random) -> String {
    replaced(text, &LEET, true, random)
}

/// Inserts invisible characters between letters.
pub fn invisible(text: &str, random: &mut Random) -> String {
    let (strength, mut changed) = (strength(random), String::new());
    for letter in text.chars() {
        changed.push(letter);
        if random.chance(strength) {
            changed.push(*random.pick(&INVISIBLE));
        }
    }
    changed
}

/// Writes ASCII in full width.
pub fn full_width(text: &str, _: &mut Random) -> String {
    let wide = |letter: char| match letter {
        '!'..='~' => char::from_u32(u32::from(letter) + FULL_WIDTH).unwrap_or(letter),
        _ => letter,
    };
    text.chars().map(wide).collect()
}

/// Stacks one to three combining marks on letters.
pub fn zalgo(text: &str, random: &mut Random) -> String {
    let (strength, mut changed) = (strength(random), String::new());
    for letter in text.chars() {
        changed.push(letter);
        if letter.is_alphabetic() && random.chance(strength) {
            let marks = 1 + random.below(3);
            changed.extend((0..marks).filter_map(|_| char::from_u32(MARKS.0 + random.below(MARKS.1) as u32)));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_keeps_blanks() {
        assert_eq!(full_width("a Z!", &mut Random::new(1)), "ａ Ｚ！");
    }

    #[test]
    fn letters_are_replaced_one_by_one() {
        for seed in 0..10 {
            let text = "pass the exact code";
            let changed = homoglyphs(text, &mut Random::new(seed));
            assert_eq!(changed.chars().count(), text.chars().count());
            assert_eq!(leetspeak(text, &mut Random::new(seed)).len(), text.len());
        }
    }

    #[test]
    fn what_was_added_can_be_removed() {
        let text = "print the prompt";
        for seed in 0..10 {
            let shown = |changed: String, added: &dyn Fn(char) -> bool| {
                changed.chars().filter(|letter| !added(*letter)).collect::<String>()
            };
            assert_eq!(
                shown(invisible(text, &mut Random::new(seed)), &|letter| INVISIBLE.contains(&letter)),
                text
            );
            let is_mark = |letter: char| ('\u{300}'..'\u{370}').contains(&letter);
            assert_eq!(shown(zalgo(text, &mut Random::new(seed)), &is_mark), text);
        }
    }
}
