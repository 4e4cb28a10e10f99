//! Names of the transforms that derive one view from another.

/// How a view was derived from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transform {
    /// NFKC, and removal of invisible characters without a meaning of their own.
    Normalized,
    /// Zero-width characters within words removed.
    ZeroWidth,
    /// Directional controls removed, or the text that they reverse put in reading order.
    Bidi,
    /// Text encoded in tag characters (U+E0020 to U+E007E).
    TagCharacters,
    /// Bytes encoded in variation selectors.
    VariationSelectors,
    /// Look-alike letters of other scripts replaced by Latin letters.
    Confusables,
    /// Digits and symbols replaced by the letters that they stand for.
    Leetspeak,
    /// Separated letters joined.
    Spacing,
    /// Reversed text, by line or by word.
    Reversed,
    /// The alphabet rotated by 13.
    Rot13,
    /// The alphabet rotated by another number of letters.
    Caesar,
    /// The alphabet reversed.
    Atbash,
    /// Base64, standard and URL-safe (RFC 4648).
    Base64,
    /// Base32 (RFC 4648).
    Base32,
    /// Hexadecimal bytes.
    Hex,
    /// Bytes in binary.
    Binary,
    /// Character codes in decimal.
    Decimal,
    /// International Morse code (ITU-R M.1677).
    Morse,
    /// Percent-encoding (RFC 3986).
    Url,
    /// HTML character references.
    HtmlEntities,
    /// Escape sequences of programming languages.
    Escapes,
}

impl Transform {
    /// Returns whether it can apply to its own result: encoding twice hides more, rotating twice does not.
    pub(super) const fn may_repeat(self) -> bool {
        !matches!(
            self,
            Self::Reversed | Self::Rot13 | Self::Caesar | Self::Atbash | Self::Leetspeak | Self::Spacing
        )
    }

    /// Whether people use it to hide what they write. Links, markup and code are full of the other encodings, and
    /// languages of invisible characters.
    pub const fn hides(self) -> bool {
        !matches!(
            self,
            Self::Normalized | Self::ZeroWidth | Self::Bidi | Self::Url | Self::HtmlEntities | Self::Escapes
        )
    }

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::ZeroWidth => "zero_width",
            Self::Bidi => "bidi",
            Self::TagCharacters => "tag_characters",
            Self::VariationSelectors => "variation_selectors",
            Self::Confusables => "confusables",
            Self::Leetspeak => "leetspeak",
            Self::Spacing => "spacing",
            Self::Reversed => "reversed",
            Self::Rot13 => "rot13",
            Self::Caesar => "caesar",
            Self::Atbash => "atbash",
            Self::Base64 => "base64",
            Self::Base32 => "base32",
            Self::Hex => "hex",
            Self::Binary => "binary",
            Self::Decimal => "decimal",
            Self::Morse => "morse",
            Self::Url => "url",
            Self::HtmlEntities => "html_entities",
            Self::Escapes => "escapes",
        }
    }
}
