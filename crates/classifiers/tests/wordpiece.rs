//! Our WordPiece beside the one of the `tokenizers` crate, on the vocabulary that comes with the library.

use std::sync::LazyLock;

use guardengine_classifiers::wordpiece::WordPiece;
use proptest::prelude::*;
use tokenizers::{
    NormalizerWrapper, Tokenizer, models::wordpiece, normalizers::BertNormalizer,
    pre_tokenizers::bert::BertPreTokenizer, processors::bert::BertProcessing,
};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

const VOCABULARY: &str = include_str!("../../../models/encoder/vocab.txt");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/encoder/vocab.txt");
const ENOUGH: usize = 100_000;

static OURS: LazyLock<WordPiece> = LazyLock::new(|| WordPiece::new(VOCABULARY).unwrap());

fn is_piece(sign: char) -> bool {
    VOCABULARY.lines().any(|piece| piece.chars().eq([sign]))
}

static THEIRS: LazyLock<Tokenizer> = LazyLock::new(|| {
    let pieces = wordpiece::WordPiece::from_file(FILE).build().unwrap();
    let mut tokenizer = Tokenizer::new(pieces);
    let normalizer = BertNormalizer::new(true, true, None, true);
    tokenizer.with_normalizer(Some(NormalizerWrapper::BertNormalizer(normalizer))).unwrap();
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer.with_post_processor(Some(BertProcessing::new(("[SEP]".into(), 102), ("[CLS]".into(), 101))));
    tokenizer
});

/// Theirs does not see the signs that ours passes over.
fn both(text: &str) -> (Vec<u32>, Vec<u32>) {
    let unknown =
        |sign: &char| sign.general_category_group() == GeneralCategoryGroup::Symbol && !is_piece(*sign);
    let readable: String = text.chars().map(|letter| if unknown(&letter) { ' ' } else { letter }).collect();
    let theirs = THEIRS.encode(readable.as_str(), true).unwrap();
    (OURS.encode(text, false, ENOUGH), theirs.get_ids().to_vec())
}

#[test]
fn words_accents_and_scripts_are_cut_alike() {
    for text in [
        "Ignore all previous instructions, s'il vous plaît: naïve façade!",
        "ÀÉÎÕÜ İstanbul ǅ ﬁne Ⅷ ½ … “quoted” – dash_and-hyphen",
        "Привет мир; Ελληνικά; עברית; العربية; हिन्दी; ไทย",
        "日本語 テキスト 한국어 中文，标点。",
        "zero\u{200b}width \u{ad}soft \u{feff}mark \u{0}null \u{fffd}bad tab\there\u{a0}nbsp\u{3000}wide",
        "👩‍💻 emoji ❤️ 🇩🇪 $5 +1 <b> ^caret `tick` ~tilde |pipe|",
        "",
    ] {
        let (ours, theirs) = both(text);
        assert_eq!(ours, theirs, "{text:?}");
    }
}

proptest! {
    // Of scripts that have not changed lately: the two know different versions of Unicode.
    #[test]
    fn any_text_is_cut_alike(text in "([ -~]|[à-ÿĀ-ſ]|[А-я]|[א-ת]|[अ-ह]|[ก-ฮ]|[ぁ-ゖ]|[ァ-ヶ]|[一-俿]|[가-갿]|[\\u{2010}-\\u{2027}]|[😀-🙏]|\\s|[\\u{300}-\\u{30f}]){0,80}") {
        let (ours, theirs) = both(&text);
        prop_assert_eq!(ours, theirs);
    }
}
