use proptest::prelude::*;

use super::run;
use crate::{pii::mask::restore, stream::RestoreStream};

const ID: &str = "k3qzvmwtyahu5rnx2bce";
const VALUE: &str = "+43 1 \"934\"";

fn lookup(id: &str) -> Option<String> {
    (id == ID).then(|| VALUE.to_owned())
}

fn texts() -> impl Strategy<Value = String> {
    let marker = format!("[PHONE_NUMBER_TOKEN_{ID}]");
    let pieces = [
        marker.clone(),
        marker.to_lowercase(),
        format!("&#91;PHONE&#95;NUMBER&lowbar;TOKEN_{ID}&#93;"),
        format!("\\u005bPHONE\\u005fNUMBER_TOKEN_{ID}\\u005d"),
        format!("[ PHONE NUMBER TOKEN {} {}\r\n]", &ID[..7], &ID[7..]),
        format!("%5BURL_TOKEN_{ID}%5d"),
        format!("email_token_{ID}"),
        format!("[EMPLOYEE_ID_TOKEN_{ID}]"),
        format!("\\u005bEMPLOYEE\\u005fID_TOKEN_{ID}\\u005d"),
        "\\n".into(),
        format!("[BADGE NO TOKEN {ID}]"),
        format!("badge\\_no\\_token\\_{ID}"),
        marker[..18].to_owned(),
        marker[..30].to_owned(),
        format!("{ID}]"),
        "[".into(),
        "&lbr".into(),
        "\\".into(),
        "%5".into(),
        " ".into(),
        "\n".into(),
        "phone number ".into(),
        "the url token ".into(),
        "a".into(),
        "é".into(),
        "】".into(),
    ];
    prop::collection::vec(prop_oneof![4 => prop::sample::select(pieces.to_vec()), 1 => "\\PC{0,6}"], 0..8)
        .prop_map(|pieces| pieces.concat())
}

#[test]
fn a_value_inside_json_is_escaped() {
    let text = format!("{{\"tel\":\"[PHONE_NUMBER_TOKEN_{ID}]\"}}");
    let events = run(RestoreStream::in_json(lookup), &text, |_| 1).0;
    assert_eq!(events.text, "{\"tel\":\"+43 1 \\\"934\\\"\"}");
    assert_eq!(events.restored, 1);
}

#[test]
fn prose_is_not_held_back() {
    let text = "The river was high after the rain, and the boats stayed in the harbor for another day.";
    let (events, held) = run(RestoreStream::new(lookup), text, |_| 1);
    assert_eq!(events.text, text);
    assert!(held <= 8, "{held}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_stream_restores_what_the_whole_text_restores(text in texts(), sizes in prop::collection::vec(1..40_usize, 1..6)) {
        let whole = restore(&text, lookup).0;
        prop_assert_eq!(&run(RestoreStream::new(lookup), &text, |number| sizes[number % sizes.len()]).0.text, &whole);
        prop_assert_eq!(&run(RestoreStream::new(lookup), &text, |_| 1).0.text, &whole);
    }
}
