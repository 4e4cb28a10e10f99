//! Letters of other scripts, and rare Latin ones, that look like plain Latin letters.
//!
//! A selection from the confusables of UTS #39 (`confusables.txt`, version 16), restricted to letters that NFKC does not make Latin already.

use std::sync::LazyLock;

/// A Latin letter and what looks like it.
const GROUPS: &[(char, &str)] = &[
    ('a', "аαɑᴀꭺӓǎ"),
    ('b', "ЬьƄʙɓƀᖯꮟ"),
    ('c', "сϲᴄꮯⅽȼƈ"),
    ('d', "ԁɗᴅꓒȡ"),
    ('e', "еєҽᴇɇεё"),
    ('f', "ꜰƒքϝ"),
    ('g', "ɡցɢԍǥɠ"),
    ('h', "һհʜнɦ"),
    ('i', "іιɪɩӏꭵїɨ"),
    ('j', "јϳյᴊɉ"),
    ('k', "кκᴋƙ"),
    ('l', "ʟƚɭ"),
    ('m', "мᴍɱ"),
    ('n', "ոηɴռɲп"),
    ('o', "оοօᴏσଠ๐०ჿɵө"),
    ('p', "рρᴘƥҏ"),
    ('q', "ԛզգɋǫ"),
    ('r', "гʀᴦɍɼ"),
    ('s', "ѕꜱʂտ"),
    ('t', "тτᴛƭ"),
    ('u', "υսᴜʉʋ"),
    ('v', "ѵνᴠ"),
    ('w', "ԝωѡᴡա"),
    ('x', "хχҳ"),
    ('y', "уүγʏƴɏў"),
    ('z', "ᴢƶʐ"),
    ('A', "АΑᎪꓮ"),
    ('B', "ВΒᏴꓐ"),
    ('C', "СϹᏟꓚ"),
    ('D', "ᎠꓓÐ"),
    ('E', "ЕΕᎬꓰ"),
    ('F', "ϜꓝҒ"),
    ('G', "ԌᏀꓖ"),
    ('H', "НΗᎻꓧ"),
    ('I', "ІΙӀꓲ"),
    ('J', "ЈᎫꓙͿ"),
    ('K', "КΚᏦꓗ"),
    ('L', "ᏞꓡԼ"),
    ('M', "МΜᎷꓟ"),
    ('N', "ΝꓠИ"),
    ('O', "ОΟՕꓳ"),
    ('P', "РΡᏢꓑ"),
    ('Q', "Ԛ"),
    ('R', "ᎡᏒꓣЯ"),
    ('S', "ЅՏᏚꓢ"),
    ('T', "ТΤᎢꓔ"),
    ('U', "Սꓴ"),
    ('V', "ѴᏙꓦ"),
    ('W', "ԜᎳꓪ"),
    ('X', "ХΧꓫ"),
    ('Y', "УΥҮꓬ"),
    ('Z', "ΖᏃꓜ"),
];

static TABLE: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let of_group = |(latin, alikes): &(char, &'static str)| {
        let latin = *latin;
        alikes.chars().map(move |alike| (alike, latin))
    };
    let mut table: Vec<(char, char)> = GROUPS.iter().flat_map(of_group).collect();
    table.sort_unstable();
    table
});

/// The plain Latin letter that `character` looks like.
pub fn look_alike(character: char) -> Option<char> {
    match character {
        '\0'..='~' => None,
        '\u{1F1E6}'..='\u{1F1FF}' => char::from_u32(character as u32 - 0x1F1E6 + 'a' as u32),
        '\u{1F150}'..='\u{1F169}' => char::from_u32(character as u32 - 0x1F150 + 'a' as u32),
        '\u{1F170}'..='\u{1F189}' => char::from_u32(character as u32 - 0x1F170 + 'a' as u32),
        _ => {
            let index = TABLE.binary_search_by_key(&character, |(alike, _)| *alike).ok()?;
            Some(TABLE[index].1)
        }
    }
}
