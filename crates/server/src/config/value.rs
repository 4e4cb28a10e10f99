//! Value types of the configuration: secrets and sizes.

use std::fmt;

use zeroize::ZeroizeOnDrop;

/// A secret value. Its `Debug` output hides it, and it is overwritten in memory when it is dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct Secret(String);

impl Secret {
    /// Wraps `value`.
    pub const fn new(value: String) -> Self {
        Self(value)
    }

    /// Returns the secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Error text for a value that is not a rate limit.
pub const LIMIT: &str = "must be COUNT/WINDOW, such as 100/60s, or off";

/// Parses a size such as `2MiB`, `500 kB` or `1000` into bytes. Returns `None` for zero and for anything else.
pub fn size(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: usize = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "kib" => 1 << 10,
        "mb" => 1_000_000,
        "mib" => 1 << 20,
        "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_sizes_with_units() {
        assert_eq!(
            ["2MiB", "500 kB", "1000", "0", "2 apples"].map(size),
            [Some(2 << 20), Some(500_000), Some(1000), None, None]
        );
    }
}
