//! Harmless text beside an attack.

use crate::{
    dilution::carriers::{built_in, halves},
    random::Random,
};

/// Lengths of the harmless text, in characters.
const LENGTHS: [usize; 5] = [150, 500, 1500, 4000, 12_000];

fn harmless(random: &mut Random) -> String {
    let length = *random.pick(&LENGTHS);
    built_in(length, random)
}

/// Adds harmless text before the attack.
pub fn before(text: &str, random: &mut Random) -> String {
    format!("{}\n\n{text}", harmless(random))
}

/// Adds harmless text after the attack.
pub fn after(text: &str, random: &mut Random) -> String {
    format!("{text}\n\n{}", harmless(random))
}

/// Adds harmless text on both sides of the attack, in the same paragraph.
pub fn around(text: &str, random: &mut Random) -> String {
    let harmless = harmless(random);
    let (first, second) = halves(&harmless);
    format!("{first} {text} {second}")
}
