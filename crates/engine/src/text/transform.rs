//! The names of the ways in which one view comes from another.

/// How a view came from the view before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transform {
    /// NFKC and removal of invisible characters without meaning of their own.
    Normalized,
    /// Zero-width characters within words removed.
    ZeroWidth,
    /// Directional controls removed, or the text they turn around put in reading order.
    Bidi,
    /// Text spelled out in tag characters (U+E0020 to U+E007E).
    TagCharacters,
    /// Bytes spelled out in variation selectors.
    VariationSelectors,
    /// Letters of other scripts that look Latin made Latin.
    Confusables,
    /// Digits and signs in the place of letters made letters.
    Leetspeak,
    /// Letters that stand apart put together.
    Spacing,
    /// Text written backwards, by line or by word.
    Reversed,
    /// The alphabet turned by 13.
    Rot13,
    /// The alphabet turned by another number of letters.
    Caesar,
    /// The alphabet read from its end.
    Atbash,
    /// Base64, standard and URL-safe (RFC 4648).
    Base64,
    /// Base32 (RFC 4648).
    Base32,
    /// Hexadecimal bytes.
    Hex,
    /// Bytes in zeros and ones.
    Binary,
    /// Character codes in decimal.
    Decimal,
    /// International Morse code (ITU-R M.1677).
    Morse,
    /// Percent-encoding (RFC 3986).
    Url,
    /// Character references of HTML.
    HtmlEntities,
    /// Escape sequences of programming languages.
    Escapes,
}

impl Transform {
    /// Whether it may be found upon itself: an encoding of an encoding hides more, letters turned twice do not.
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
