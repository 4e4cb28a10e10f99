//! Particles inside names and addresses.

const JOINERS: [&str; 52] = [
    "van", "von", "vom", "der", "den", "de", "del", "della", "di", "da", "do", "dos", "das", "du", "des",
    "la", "le", "les", "los", "las", "el", "al", "bin", "ibn", "bint", "ben", "ter", "ten", "te", "zu",
    "zum", "y", "e", "rue", "via", "calle", "rua", "ul", "street", "st", "road", "rd", "ave", "avenue",
    "apt", "flat", "unit", "suite", "bis", "no", "nr", "km",
];

/// Whether a name or an address may go on behind `word`.
pub(super) fn joins(word: &str) -> bool {
    word.len() < 7 && JOINERS.contains(&word)
}
