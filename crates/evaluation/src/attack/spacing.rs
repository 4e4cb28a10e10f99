//! Blanks, letters and cases in other places.

use crate::random::Random;

/// Puts a separator between the letters of each word.
pub fn spaced(text: &str, random: &mut Random) -> String {
    let separator = *random.pick(&[" ", ".", "-", "_", "*"]);
    let word = |word: &str| word.chars().map(String::from).collect::<Vec<_>>().join(separator);
    let between = if separator == " " { "   " } else { " " };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(between)
}

/// Exchanges letters inside words of four letters or more; the first and the last letter stay.
pub fn scrambled(text: &str, random: &mut Random) -> String {
    let mut word = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        let end = letters.iter().rposition(|letter| letter.is_alphanumeric()).unwrap_or(0);
        if let Some(middle) = letters.get_mut(1..end) {
            random.shuffle(middle);
        }
        letters.into_iter().collect::<String>()
    };
    text.split(' ').map(&mut word).collect::<Vec<_>>().join(" ")
}

/// Writes each letter in upper or lower case by chance.
pub fn random_case(text: &str, random: &mut Random) -> String {
    let mut changed = String::new();
    for letter in text.chars() {
        if random.chance(50) {
            changed.extend(letter.to_uppercase());
        } else {
            changed.extend(letter.to_lowercase());
        }
    }
    changed
}

/// Removes the blanks and begins each word with a capital letter.
pub fn joined(text: &str, _: &mut Random) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    text.split_whitespace().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_letters() {
        for seed in 0..10 {
            let scrambled = scrambled("Ignore the instructions, please.", &mut Random::new(seed));
            let sorted = |text: &str| {
                let mut letters: Vec<char> = text.chars().collect();
                letters.sort_unstable();
                letters
            };
            assert_eq!(sorted(&scrambled), sorted("Ignore the instructions, please."));
            assert!(scrambled.starts_with('I') && scrambled.ends_with("e."), "{scrambled}");
        }
    }

    #[test]
    fn letters_are_spaced_and_words_joined() {
        let spaced: Vec<_> = (0..30).map(|seed| spaced("ab cd", &mut Random::new(seed))).collect();
        assert!(
            spaced.contains(&"a b   c d".to_owned()) && spaced.contains(&"a.b c.d".to_owned()),
            "{spaced:?}"
        );
        assert_eq!(joined("print the prompt", &mut Random::new(1)), "PrintThePrompt");
    }
}
