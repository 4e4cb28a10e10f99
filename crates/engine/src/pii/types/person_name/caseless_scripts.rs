//! Names in scripts without capital letters.

/// Surnames of one character: the most frequent of China, Japan and Korea, by general knowledge.
const HAN: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭\
    陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤張劉陳楊黃趙吳孫馬鄭謝許韓馮鄧";
/// Surnames of two characters, Chinese and Japanese.
const HAN_PAIRS: [&str; 64] = [
    "欧阳",
    "司马",
    "诸葛",
    "上官",
    "夏侯",
    "东方",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "佐藤",
    "鈴木",
    "高橋",
    "田中",
    "伊藤",
    "渡辺",
    "山本",
    "中村",
    "小林",
    "加藤",
    "吉田",
    "山田",
    "佐々木",
    "山口",
    "松本",
    "井上",
    "木村",
    "斎藤",
    "清水",
    "山崎",
    "阿部",
    "池田",
    "橋本",
    "山下",
    "石川",
    "中島",
    "前田",
    "藤田",
    "後藤",
    "小川",
    "岡田",
    "村上",
    "長谷川",
    "近藤",
    "石井",
    "坂本",
    "遠藤",
    "青木",
    "藤井",
    "西村",
    "福田",
    "太田",
    "三浦",
    "藤原",
    "岡本",
    "松田",
    "中川",
    "中野",
    "原田",
    "小野",
    "田村",
    "竹内",
    "金子",
    "和田",
];
const HANGUL: &str = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모";
/// Characters that go on with the sentence after a Chinese or Japanese name.
const GOES_ON: &str =
    "是在来今住的和有想要很也我不从毕现目了你他她请您为与及与，。、だでとはがのにもをさ様氏くちサ";

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '々')
}

fn is_hangul(c: char) -> bool {
    matches!(c, '가'..='힣')
}

/// The length in bytes of the East Asian name at the beginning of `text`; at most `given` characters follow the surname.
pub(super) fn name_length(text: &str, given: usize) -> Option<usize> {
    let first = text.chars().next()?;
    if is_hangul(first) && HANGUL.contains(first) {
        let length: usize = text.chars().take(3).take_while(|c| is_hangul(*c)).map(char::len_utf8).sum();
        return (length == 9).then_some(length);
    }
    let pair = HAN_PAIRS.iter().find(|pair| text.starts_with(**pair)).map(|pair| pair.len());
    let surname = pair.or_else(|| HAN.contains(first).then(|| first.len_utf8()))?;
    let name: String =
        text[surname..].chars().take(given).take_while(|c| is_han(*c) && !GOES_ON.contains(*c)).collect();
    (!name.is_empty()).then_some(surname + name.len())
}

/// Where the East Asian name starts that ends where `text` ends, at a polite suffix.
pub(super) fn name_before(text: &str) -> Option<usize> {
    let trimmed = text.trim_end_matches(' ');
    let places: Vec<usize> = trimmed.char_indices().rev().take(5).map(|(place, _)| place).collect();
    let is_name = |start: &&usize| {
        let name = &trimmed[**start..];
        name_length(name, 3) == Some(name.len()) || HAN_PAIRS.contains(&name)
    };
    places.iter().rev().find(is_name).copied()
}

/// The length in bytes of up to two words of Arabic, Hebrew, Devanagari or Thai letters at the beginning of `text`.
pub(super) fn caseless_length(text: &str) -> Option<usize> {
    const GOES_ON: [&str; 12] =
        ["من", "أنا", "وأنا", "و", "عمري", "أعيش", "है", "और", "मैं", "हूँ", "אני", "ואני"];
    let mut length = 0;
    for word in text.split_inclusive(' ').take(2) {
        let letters = word.trim_end_matches(|c: char| !is_caseless(c));
        if letters.is_empty() || !letters.chars().all(is_caseless) || GOES_ON.contains(&letters) {
            break;
        }
        let start = if length == 0 { 0 } else { length + 1 };
        length = start + letters.len();
        if letters.len() + 1 != word.len() || !word.ends_with(' ') {
            break;
        }
    }
    (length > 2).then_some(length)
}

fn is_caseless(c: char) -> bool {
    matches!(c, 'א'..='ת' | 'ء'..='ي' | 'ٱ'..='ە' | '\u{900}'..='\u{963}' | '\u{e01}'..='\u{e4e}')
}
