//! Postal addresses.

mod bare_postcode;
mod box_number;
mod city_postcode;
mod cjk;
mod number_street;
mod segments;
mod street_city;
mod street_number;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::{
    pii::{
        Match, PiiType, Scanner, mask, nearby,
        tables::Column,
        tagger::{MOST, tag::EntityClass},
    },
    span::Span,
};

/// A street with a house number, with the unit, city, region and postcode that stand beside it; or a post-office box.
///
/// Why: it says where a person lives. Streets without a number, and addresses everybody knows, are no private data.
///
/// Found: `123 Main Street, Springfield, IL 62701`. Not found: `Wall Street crashed in 1929`.
pub struct Address;

impl PiiType for Address {
    fn name(&self) -> &'static str {
        "address"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        found.extend(addresses(scan.text));
        found.extend(learned(scan));
        found.extend(listed(scan));
    }

    fn partial(&self, value: &str) -> String {
        mask::keep_nothing(value)
    }
}

/// Confidence from which the tagger is believed.
const BELIEVED: f32 = 0.6;

/// Addresses whose words and their order the tagger knows: with a number, as all that are private.
fn learned<'s>(scan: &'s Scanner<'_>) -> impl Iterator<Item = Match> + 's {
    let is_one = |one: &Match| {
        let written = one.span.of(scan.text);
        one.confidence >= BELIEVED
            && written.contains(|c: char| c.is_ascii_digit())
            && written.contains(' ')
            && !is_famous(written)
            && !bare_postcode::is_other(scan.text, one.span)
    };
    let found = scan.tagged(EntityClass::Address).filter(is_one);
    found.map(|one| Match { confidence: one.confidence.min(MOST), ..one })
}

/// What stands in a column of streets, with a number and a name.
fn listed<'s>(scan: &'s Scanner<'_>) -> impl Iterator<Item = Match> + 's {
    let is_one = |span: &Span| {
        let written = span.of(scan.text);
        let letters = written.chars().filter(|c| c.is_alphabetic()).count();
        letters > 3 && written.contains(|c: char| c.is_ascii_digit()) && !written.contains(['@', '=', '_'])
    };
    scan.cells_of(Column::Street).filter(is_one).map(|span| Match { span, confidence: 0.8 })
}

/// How the words of a street type stand to name and number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Number, name, type: `12 Main Street`.
    NumberFirst,
    /// The same with a word that seldom ends a street's name; only with a postcode or a region.
    NumberFirstRare,
    /// Type, name, number (or the number first): `via Roma 12`, `12 rue de la Paix`.
    TypeFirst,
    /// The same with a word that also begins other names; only where an address is announced, or with a postcode.
    TypeFirstRare,
    /// Name with the type at its end, number: `Hauptstraße 12`.
    TypeLast,
    /// The same with an ending that other words have too: `Elifhof 9`, `keypad 2`.
    TypeLastRare,
    /// Chinese, Japanese and Korean, from large to small.
    East,
    /// Post-office boxes.
    Box,
}

/// The words of street types; the rare English ones follow USPS Publication 28, appendix C1, and AS/NZS 4819.
const TYPES: [(Form, &str); 8] = [
    (
        Form::NumberFirst,
        "street|st|avenue|ave|road|rd|lane|ln|drive|dr|court|ct|boulevard|blvd|way|place|pl|square|sq|terrace|ter|\
         crescent|cres|close|highway|hwy|parkway|pkwy|circle|cir|trail|trl|grove|gardens|mews|alley|marg|nagar|parade",
    ),
    (
        Form::NumberFirstRare,
        "annex|arcade|bayou|beach|bend|bluff|bluffs|branch|bridge|brook|brooks|bypass|camp|canyon|cape|causeway|center|\
         centers|circles|cliff|cliffs|club|common|commons|corner|corners|course|cove|coves|creek|crest|crossing|\
         crossroad|curve|dale|dam|divide|drives|estate|estates|expressway|extension|extensions|fall|falls|ferry|field|\
         fields|flat|flats|ford|fords|forest|forge|fork|forks|fort|freeway|garden|gateway|glen|glens|green|greens|\
         groves|harbor|harbors|haven|heights|hill|hills|hollow|inlet|island|islands|isle|junction|junctions|key|keys|\
         knoll|knolls|lake|lakes|land|landing|light|lights|loaf|lock|locks|lodge|loop|mall|manor|manors|meadow|meadows|\
         mill|mills|mission|motorway|mount|mountain|mountains|neck|orchard|oval|overpass|park|parks|parkways|pass|\
         passage|path|pike|pine|pines|plain|plains|plaza|plazas|point|points|port|ports|prairie|radial|ramp|ranch|rapid|\
         rapids|rest|ridge|ridges|river|route|row|run|shoal|shoals|shore|shores|skyway|spring|springs|spur|spurs|\
         squares|station|stravenue|stream|streets|summit|throughway|trace|track|trafficway|tunnel|turnpike|underpass|\
         union|unions|valley|valleys|via|viaduct|view|views|village|villages|ville|vista|walk|walks|wall|ways|well|wells|\
         chowk|ganj|colony|circuit|crossroads|walkway|amble|approach|artery|basin|brow|byway|concourse|copse|courtyard|\
         cutting|dell|elbow|esplanade|fairway|foreshore|gate|glade|grange|gully|interchange|laneway|meander|mew|nook|outlook|\
         pocket|promenade|quad|quadrangle|quay|quays|ramble|retreat|ridgeway|riverway|roadway|rotary|siding|strand|strip|\
         tarn|thoroughfare|tollway|towers|trunkway|vale|waters|waterway|wharf|wynd|yard",
    ),
    (
        Form::TypeFirst,
        "rue|avenue|boulevard|bd|allée|impasse|chemin|quai|place|cours|calle|c/|avenida|avda|av|plaza|paseo|carrera|\
         via|viale|piazza|corso|vicolo|largo|rua|travessa|praça|alameda|estrada|ul|ulica|al|aleja|plac|os|osiedle|\
         laan|улица|улице|ул|проспект|пр-т|просп|переулок|пер|бульвар|шоссе|вулиця|вул|jalan|jl|rruga|lorong|đường|phố|\
         רחוב|רח'|שדרות|שד'|شارع|طريق|خیابان|ถนน",
    ),
    (
        Form::TypeFirstRare,
        "borgo|contrada|strada|rotonda|incrocio|stretto|canale|salita|lungomare|piazzale|traversa|frazione|località|\
         callejón|vial|cuesta|rambla|pasadizo|camino|acceso|pasaje|urbanización|ronda|glorieta|travesía|carretera|cañada|\
         poligono|polígono|passage|sentier|cours|esplanade|ruelle|faubourg|ladeira|rodovia|jardim",
    ),
    (Form::TypeLastRare, "hof|pad|park|kamp|hoek|hoeve|baan|markt|wall|graben|stieg|bogen|chaussee"),
    (
        Form::TypeLast,
        "straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein|gracht|kade|dijk|singel|steeg|\
         boulevard|caddesi|cad|sokak|sokağı|sok|bulvarı|utca|út|gatan|vägen|gata|vej|gade|veien|katu",
    ),
    (Form::East, "号|號|丁目|番地|区|區|市|로|길"),
    (
        Form::Box,
        "p.o. box|po box|p. o. box|postfach|apartado de correos|boîte postale|casella postale|caixa postal|postbus|а/я",
    ),
];

static FORMS: LazyLock<Vec<Form>> =
    LazyLock::new(|| TYPES.iter().flat_map(|(form, words)| words.split('|').map(|_| *form)).collect());

static AUTOMATON: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(TYPES.iter().flat_map(|(_, words)| words.split('|')))
        .expect("some hundred short words make an automaton")
});

/// Bytes between a house number and a street type at most.
const REACH: usize = 72;

/// Every address in `text`, apart from each other, in order of appearance.
fn addresses(text: &str) -> Vec<Match> {
    let mut found: Vec<Match> = nearby::digits(text, REACH)
        .into_iter()
        .flat_map(|(offset, stretch)| {
            AUTOMATON.find_overlapping_iter(stretch).map(move |word| (offset, word))
        })
        .map(|(offset, word)| {
            (Span::new(offset + word.start(), offset + word.end()), FORMS[word.pattern().as_usize()])
        })
        .filter(|(word, form)| stands_alone(text, word.start, word.end, *form))
        .filter_map(|(word, form)| address(text, word, form))
        .chain(street_city::all(text))
        .chain(segments::all(text))
        .filter(|one| !is_famous(one.span.of(text)))
        .collect();
    found.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    found.dedup_by(|next, kept| next.span.overlaps(kept.span));
    found
}

fn address(text: &str, street_type: Span, form: Form) -> Option<Match> {
    match form {
        Form::NumberFirst => number_street::address(text, street_type),
        Form::NumberFirstRare => {
            number_street::address(text, street_type).filter(|one| one.confidence >= 0.9)
        }
        Form::TypeFirst => street_number::type_first(text, street_type),
        Form::TypeFirstRare => {
            street_number::type_first(text, street_type).filter(|one| one.confidence > 0.6)
        }
        Form::TypeLast => street_number::type_last(text, street_type),
        Form::TypeLastRare => street_number::type_last(text, street_type).filter(|one| one.confidence > 0.6),
        Form::East => cjk::address(text, street_type),
        Form::Box => box_number::address(text, street_type),
    }
}

/// Whether a street type is a word of its own, or the end of one where that is its form.
fn stands_alone(text: &str, start: usize, end: usize, form: Form) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
    match form {
        Form::East => true,
        Form::TypeLast | Form::TypeLastRare => !letter(after),
        _ => !letter(before) && !letter(after),
    }
}

/// Streets that everybody knows, and those of stories; with a city they are addresses.
const FAMOUS: [&str; 10] = [
    "10 downing street",
    "1600 pennsylvania av",
    "221b baker street",
    "221b baker st",
    "742 evergreen terrace",
    "4 privet drive",
    "1 infinite loop",
    "350 fifth avenue",
    "42 wallaby way",
    "11 wall street",
];

fn is_famous(address: &str) -> bool {
    let lower = address.to_lowercase();
    !lower.contains([',', '\n']) && FAMOUS.iter().any(|famous| lower.starts_with(famous))
}

#[cfg(test)]
mod tests;
