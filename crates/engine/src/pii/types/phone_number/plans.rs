//! Numbering plans: national numbers that exist under a calling code (libphonenumber's metadata).
//!
//! The metadata's patterns are compiled here, anchored and once for a calling code, instead of going through its own
//! parser: that one takes a lock for each pattern and accepts odd input.

use std::sync::{LazyLock, OnceLock};

use phonenumber::{Metadata, metadata::DATABASE};
use regex::{Regex, RegexBuilder};

/// Calling codes whose numbers are recognized when written nationally, with a pattern of the prefix dialed before them
/// at home.
const AT_HOME: [(u16, &str); 84] = [
    (1, "1"),
    (7, "8"),
    (20, "0"),
    (27, "0"),
    (30, ""),
    (31, "0"),
    (32, "0"),
    (33, "0"),
    (34, ""),
    (36, "06"),
    (39, ""),
    (40, "0"),
    (41, "0"),
    (43, "0"),
    (44, "0"),
    (45, ""),
    (46, "0"),
    (47, ""),
    (48, ""),
    (49, "0"),
    (51, "0"),
    (52, ""),
    (54, "0"),
    (55, "0"),
    (56, ""),
    (57, ""),
    (60, "0"),
    (61, "0"),
    (62, "0"),
    (63, "0"),
    (64, "0"),
    (65, ""),
    (66, "0"),
    (81, "0"),
    (82, "0"),
    (84, "0"),
    (86, "0"),
    (90, "0"),
    (91, "0"),
    (92, "0"),
    (94, "0"),
    (98, "0"),
    (212, "0"),
    (213, "0"),
    (233, "0"),
    (234, "0"),
    (251, "0"),
    (254, "0"),
    (255, "0"),
    (256, "0"),
    (351, ""),
    (352, ""),
    (353, "0"),
    (354, ""),
    (358, "0"),
    (359, "0"),
    (370, "[08]"),
    (371, ""),
    (372, ""),
    (375, "80?"),
    (380, "0"),
    (381, "0"),
    (385, "0"),
    (386, "0"),
    (389, "0"),
    (420, ""),
    (421, "0"),
    (506, ""),
    (593, "0"),
    (595, "0"),
    (598, "0"),
    (852, ""),
    (880, "0"),
    (886, "0"),
    (961, "0"),
    (962, "0"),
    (964, "0"),
    (966, "0"),
    (971, "0"),
    (972, "0"),
    (977, "0"),
    (994, "0"),
    (995, "0"),
    (998, ""),
];

/// Bytes a compiled pattern may take; all countries together take about a tenth.
const SIZE_LIMIT: usize = 50_000_000;

static PLANS: [OnceLock<Option<Regex>>; 1000] = [const { OnceLock::new() }; 1000];

// One pattern for all: a check costs the same however many countries there are.
static NATIONAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let at_home = |(code, prefix): &(u16, &str)| plan(*code).map(|plan| format!("(?:{prefix})?(?:{plan})"));
    compile(&AT_HOME.iter().filter_map(at_home).collect::<Vec<_>>().join("|"))
});

/// Whether `digits`, calling code first, are a number that can exist.
pub fn is_international(digits: &str) -> bool {
    (1..=3).filter_map(|length| digits.split_at_checked(length)).any(|(code, national)| {
        code.parse().ok().and_then(compiled).is_some_and(|plan: &Regex| plan.is_match(national))
    })
}

/// Whether `digits`, with or without the prefix dialled at home, are a number that can exist in a known country.
pub fn is_national(digits: &str) -> bool {
    NATIONAL.as_ref().is_some_and(|plans| plans.is_match(digits))
}

/// Returns whether `digits`, with or without the calling code 1, are a number of the North American Numbering Plan.
pub fn is_north_american(digits: &str) -> bool {
    let national = digits.strip_prefix('1').filter(|rest| rest.len() == 10).unwrap_or(digits);
    compiled(1).is_some_and(|plan| plan.is_match(national))
}

fn compiled(code: u16) -> Option<&'static Regex> {
    PLANS.get(usize::from(code))?.get_or_init(|| compile(&plan(code)?)).as_ref()
}

fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&format!("^(?:{pattern})$")).unicode(false).size_limit(SIZE_LIMIT).build().ok()
}

// All numbers under a calling code, in whichever of its regions and of whichever use.
fn plan(code: u16) -> Option<String> {
    let regions = DATABASE.by_code(&code)?;
    let patterns: Vec<String> = regions.into_iter().flat_map(uses).collect();
    (!patterns.is_empty()).then(|| patterns.join("|"))
}

fn uses(region: &Metadata) -> Vec<String> {
    let all = region.descriptors();
    let uses = [
        all.fixed_line(),
        all.mobile(),
        all.toll_free(),
        all.premium_rate(),
        all.shared_cost(),
        all.voip(),
        all.personal_number(),
        all.uan(),
    ];
    // The metadata is written with blanks for readers.
    let without_blanks = |written: &str| written.chars().filter(|c| !c.is_whitespace()).collect();
    uses.into_iter().flatten().map(|numbers| without_blanks(numbers.national_number().as_str())).collect()
}
