//! Invisible characters.

use super::Transform;

/// Why a character is not to be read, or `None` for one that is.
///
/// Source: `Default_Ignorable_Code_Point` of the Unicode Character Database (`DerivedCoreProperties.txt`, version 16),
/// its controls of general category `Cc` but tab, line feed, carriage return, form feeds and NEL, and the interlinear annotation signs.
pub(super) const fn invisible(character: char) -> Option<Transform> {
    match character {
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Some(Transform::Bidi)
        }
        '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{AD}' => {
            Some(Transform::ZeroWidth)
        }
        '\0'..='\u{8}'
        | '\u{E}'..='\u{1F}'
        | '\u{7F}'..='\u{84}'
        | '\u{86}'..='\u{9F}'
        | '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => Some(Transform::Normalized),
        _ => None,
    }
}

/// Whether a reader does not see a character; of tabs and ends of lines one sees that they are there.
pub const fn is_invisible(character: char) -> bool {
    invisible(character).is_some()
}

/// Whether a character stays as it is whatever stands beside it, unless a mark follows: the common letters of the
/// large scripts, in NFKC already.
pub(super) const fn is_plain(character: char) -> bool {
    matches!(character,
        ' '..='~' | '\t' | '\n' | '\r' | '\u{C0}'..='\u{131}' | '\u{400}'..='\u{482}' | '\u{5D0}'..='\u{5EA}'
        | '\u{620}'..='\u{64A}' | '\u{3041}'..='\u{3094}' | '\u{30A1}'..='\u{30FA}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{2018}'..='\u{201D}' | '\u{3001}' | '\u{3002}')
}
