//! Masking: five ways to take a private value out of a text.

/// The value with every letter and digit but the last four replaced by `*`, separators kept.
pub fn keep_last_four(value: &str) -> String {
    let total = value.chars().filter(|c| c.is_alphanumeric()).count();
    let mut seen = 0;
    value
        .chars()
        .map(|c| {
            if !c.is_alphanumeric() {
                return c;
            }
            seen += 1;
            if seen + 4 > total && total > 4 { c } else { '*' }
        })
        .collect()
}
