//! Letters and digits of any script.

/// What [`char::is_alphanumeric`] says, without its tables for most letters of most texts.
pub(super) fn is_alphanumeric(character: char) -> bool {
    match character {
        '\0'..='\x7F' => character.is_ascii_alphanumeric(),
        '\u{410}'..='\u{44F}'
        | '\u{5D0}'..='\u{5EA}'
        | '\u{620}'..='\u{64A}'
        | '\u{3041}'..='\u{3094}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => true,
        _ => character.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_short_way_says_what_the_tables_say() {
        for character in '\0'..=char::MAX {
            assert_eq!(super::is_alphanumeric(character), character.is_alphanumeric(), "{character:?}");
        }
    }
}
