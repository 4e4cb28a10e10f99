use super::{Scanner, names};

/// Texts with one name each, between brackets; languages of every family the lists cover.
const NAMED: &str = include_str!("named.txt");
/// Texts that name nobody private, one a line.
const HARMLESS: &str = include_str!("harmless.txt");

/// Finds that a default policy acts on.
fn sure(text: &str) -> Vec<&str> {
    names(&Scanner::new(text))
        .into_iter()
        .filter(|one| one.confidence >= 0.5)
        .map(|one| one.span.of(text))
        .collect()
}

#[test]
fn names_are_found_whole() {
    let is_found_whole = |line: &&str| {
        let text = line.replace("\\n", "\n").replace(['⟦', '⟧'], "");
        let name = line.split(['⟦', '⟧']).nth(1).expect("a name stands between brackets");
        sure(&text) == [name]
    };
    let missed: Vec<_> = NAMED.lines().filter(|line| !is_found_whole(line)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn harmless_texts_name_nobody() {
    let flagged: Vec<_> =
        HARMLESS.lines().map(|line| (line, sure(line))).filter(|(_, all)| !all.is_empty()).collect();
    assert!(flagged.is_empty(), "{flagged:#?}");
}

#[test]
fn a_person_of_public_record_is_private_beside_private_details() {
    assert_eq!(sure("Michael Jackson, phone number 555-123-4567, wants a refund"), ["Michael Jackson"]);
}

#[test]
fn years_beside_a_name_make_it_no_more_private() {
    let greatest = |text: &str| {
        names(&Scanner::new(text)).into_iter().map(|one| one.confidence).reduce(f32::max).unwrap_or_default()
    };
    for text in [
        "The economist Adebayo Ogunleye, who had led the board since 8 October 2015, left in 2019",
        "Between 1402 and 1405 Adebayo Ogunleye sailed west",
    ] {
        assert!((0.5..0.7).contains(&greatest(text)), "{text}");
    }
    for text in
        ["Adebayo Ogunleye 0171 1999 2000", "Adebayo Ogunleye, 1999-2014-77", "Adebayo Ogunleye 5552014"]
    {
        assert!(greatest(text) > 0.7, "{text}");
    }
}

#[test]
fn the_lists_are_sorted_and_hold_nothing_twice() {
    for list in [
        include_str!("given.txt"),
        include_str!("surnames.txt"),
        include_str!("ambiguous.txt"),
        include_str!("stop.txt"),
        include_str!("organisations.txt"),
        include_str!("public.txt"),
    ] {
        assert!(list.lines().zip(list.lines().skip(1)).all(|(one, next)| one < next));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_search_panic(text in "(my name is |Mr\\. |我叫|様|Dear |name: \"|[A-Z][a-z]{1,6} |\\PC|\\n){0,12}") {
        for one in names(&Scanner::new(&text)) {
            proptest::prop_assert!(text.get(one.span.start..one.span.end).is_some());
        }
    }
}

#[test]
fn names_with_initials_count_where_several_are_listed() {
    for (text, names) in [
        ("Present: G. Halloran, K. von Uhlen, F. MacRae", &["G. Halloran", "K. von Uhlen", "F. MacRae"][..]),
        ("anwesend R. Dorn, N. Zoller; mehr nicht", &["R. Dorn", "N. Zoller"]),
        ("Hi, I'm J. R. Whitmarsh and I am locked out", &["J. R. Whitmarsh"]),
        ("Ostrow E., Palka W. & Iyer P. (2021). Soil", &["Ostrow E.", "Palka W.", "Iyer P."]),
    ] {
        assert_eq!(sure(text), names, "{text}");
    }
}

#[test]
fn initials_particles_and_suffixes_belong_to_the_name() {
    for (text, name) in [
        ("mw. P. van der Akkerveen belde", "P. van der Akkerveen"),
        ("Brief aan mevr. H.J.Th. ten Bosch-'t Lam.", "H.J.Th. ten Bosch-'t Lam"),
        ("prof. dr. K.L. van den Wiersma belde", "K.L. van den Wiersma"),
        ("The landlord, P. T. R. Pettigrew, left.", "P. T. R. Pettigrew"),
        ("Signed, P. T. R. Pettigrew III", "P. T. R. Pettigrew III"),
        ("Заявление подал К. Л. Рябинчук", "К. Л. Рябинчук"),
        ("Ottokar Leopold von und zu Rabenstein wohnt hier.", "Ottokar Leopold von und zu Rabenstein"),
    ] {
        assert_eq!(sure(text), [name], "{text}");
    }
}

#[test]
fn letters_with_points_are_not_always_initials() {
    for text in
        ["P. S. Danke", "the U. S. Senate", "Read J. R. R. Tolkien again", "see A. B. and C. D. below"]
    {
        assert_eq!(sure(text), [""; 0], "{text}");
    }
}
