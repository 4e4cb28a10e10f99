//! Randomness of values, and placeholders in place of secrets.

/// Bits a character of `value` carries on average (Shannon entropy of its bytes).
fn bits(value: &str) -> f32 {
    let mut counts = [0_u16; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] = counts[usize::from(byte)].saturating_add(1);
    }
    let total = value.len() as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f32::from(*count) / total)
        .map(|share| -share * share.log2())
        .sum()
}

/// Whether `value` looks drawn at random: digits among letters, few repeats, no words joined by separators.
pub fn is_random(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    // Forty characters of base64 may hold a single digit.
    let enough_digits = digits >= 2 || (digits == 1 && value.len() >= 32);
    enough_digits && letters >= 2 && bits(value) >= 3.0 && !is_placeholder(value) && !is_words(value)
}

// Names in code are words of letters and short numbers between separators.
pub fn is_words(value: &str) -> bool {
    let mut parts = value.split(['_', '-', '.', '/']).filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        (letters.is_empty() && part.len() <= 4)
            || (!letters.is_empty()
                && part.len() - letters.len() <= 4
                && letters.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    value.contains(['_', '-', '.', '/']) && parts.all(is_word)
}

/// Whether `value` says that a secret belongs here.
pub fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let says_so = [
        "your",
        "xxxx",
        "...",
        "placeholder",
        "replace",
        "changeme",
        "insert",
        "dummy",
        "****",
        "redacted",
        "00000000",
    ];
    says_so.iter().any(|word| lower.contains(word)) || lower.starts_with(['<', '$', '{', '%'])
}
