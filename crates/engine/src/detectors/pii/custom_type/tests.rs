//! Policies with PII types of their own.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    deadline::Deadline,
    evidence::{Evidence, Origin, Part},
    guardrail::Direction,
    pii::mask::{MaskKeys, Masked, Strategy, mask, restore},
    policy::{CompiledPolicy, Outcome, RequestOptions, Verdict, decide, document::Policy},
    scores::Scores,
    stream::{Incremental, MaskStream},
    text::Text,
};

fn policy(pii: &Value) -> Result<CompiledPolicy, String> {
    let mut item = json!({ "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "full" });
    item.as_object_mut().unwrap().extend(pii.as_object().unwrap().clone());
    let policy = json!({ "policyName": "a", "guardrails": [item], "max_prompt_length": 1_000_000 });
    let policy = Policy::parse(&policy);
    let compiled = policy.and_then(|policy| CompiledPolicy::compile_new(&policy));
    compiled.map_err(|error| error.to_string())
}

fn badge() -> Value {
    json!({ "custom_pii": [{ "name": "badge_no", "pattern": r"EMP-\d{6}" }] })
}

fn labelled() -> Value {
    let labels = ["badge number", "dienstausweis", "工号"];
    json!({ "custom_pii": [{ "name": "badge_no", "pattern": r"\d{6}", "labels": labels }] })
}

fn with(mut pii: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("an object") };
    pii.as_object_mut().unwrap().extend(more);
    pii
}

fn verdict(policy: &CompiledPolicy, text: &str, direction: Direction) -> Verdict {
    let part = Part::new(Origin::Subject, Text::new(text));
    let found = vec![policy.find_pii(&part.text, None, &Deadline::none())];
    decide(policy, &Evidence::new(direction, vec![part], found, Scores::default()), RequestOptions::default())
}

fn masks(policy: &CompiledPolicy, text: &str, direction: Direction) -> Masked {
    let unchanged = || Masked { text: text.to_owned(), ..Masked::default() };
    let masking = verdict(policy, text, direction).masking;
    masking.map_or_else(unchanged, |masking| {
        mask(text, &masking.found[0], &masking.strategies, &MaskKeys::new(&[7; 32]))
    })
}

fn masked(pii: &Value, text: &str) -> String {
    masks(&policy(pii).unwrap(), text, Direction::Input).text
}

#[test]
fn a_value_is_found_and_named_by_its_type() {
    let found = verdict(&policy(&badge()).unwrap(), "Who is EMP-004711?", Direction::Input);
    assert_eq!(
        (found.outcome, found.triggered[0].evidence.clone()),
        (Outcome::Mask, vec!["badge_no".into()])
    );
    assert_eq!(masked(&badge(), "Who is EMP-004711?"), "Who is [BADGE_NO_REDACTED]?");
    assert_eq!(masked(&badge(), "Who is EMP-00471?"), "Who is EMP-00471?");
}

#[test]
fn with_labels_a_value_counts_only_beside_one() {
    for (text, expected) in [
        ("Badge number 471100, please", "Badge number [BADGE_NO_REDACTED], please"),
        ("badge_number=471100", "badge_number=[BADGE_NO_REDACTED]"),
        ("badgeNumber: 471100", "badgeNumber: [BADGE_NO_REDACTED]"),
        ("471100 ist mein Dienstausweis", "[BADGE_NO_REDACTED] ist mein Dienstausweis"),
        ("我的工号471100", "我的工号[BADGE_NO_REDACTED]"),
        ("ticket 471100", "ticket 471100"),
        ("My badge number is lost.\n\n471100", "My badge number is lost.\n\n471100"),
    ] {
        assert_eq!(masked(&labelled(), text), expected);
    }
}

#[test]
fn the_heading_of_a_column_is_a_label() {
    let rows = (0..60).map(|row| format!("part {row},4711{row:02}\n")).collect::<Vec<_>>().concat();
    for heading in ["item,badge_number\n", "item,Dienstausweis Nr.\n"] {
        let text = masked(&labelled(), &format!("{heading}{rows}"));
        assert_eq!(text.matches("[BADGE_NO_REDACTED]").count(), 60, "{text}");
    }
    let text = format!("item,weight\n{rows}");
    assert_eq!(masked(&labelled(), &text), text);
}

#[test]
fn a_checksum_refuses_other_numbers() {
    let pii = json!({ "custom_pii": [{ "name": "member", "pattern": r"M[\d -]{9,}", "checksum": "luhn" }] });
    assert_eq!(masked(&pii, "M7992 7398 713"), "M7992 7398 713", "a letter has no digit sum");
    let pii =
        json!({ "custom_pii": [{ "name": "member", "pattern": r"\d{4} \d{4} \d{3}", "checksum": "luhn" }] });
    assert_eq!(masked(&pii, "7992 7398 713 or 7992 7398 710"), "[MEMBER_REDACTED] or 7992 7398 710");
}

#[test]
fn the_selection_of_built_in_types_does_not_matter() {
    let text = "EMP-004711 is jane@example.com";
    for (kinds, expected) in [
        (json!([]), "[BADGE_NO_REDACTED] is jane@example.com"),
        (json!(["email"]), "[BADGE_NO_REDACTED] is [EMAIL_REDACTED]"),
        (json!(["badge_no"]), "[BADGE_NO_REDACTED] is jane@example.com"),
    ] {
        assert_eq!(masked(&with(badge(), json!({ "pii_kinds": kinds })), text), expected);
    }
}

#[test]
fn a_rule_for_the_type_gives_strategy_direction_and_allowed_values() {
    let rules = json!({ "pii_types": [
        { "type": "badge_no", "strategy": "partial", "direction": "output", "allow": ["emp-000000"] },
        { "type": "badge_no", "strategy": "hash", "direction": "input" },
    ] });
    let policy = policy(&with(badge(), rules)).unwrap();
    let text = "EMP-004711 and EMP-000000";
    assert_eq!(masks(&policy, text, Direction::Output).text, "***-**4711 and EMP-000000");
    let hashed = masks(&policy, text, Direction::Input).text;
    assert!(hashed.starts_with("[BADGE_NO_HASH_") && !hashed.contains("000000"), "{hashed}");
}

#[test]
fn every_strategy_replaces_the_value() {
    let checked = json!({ "name": "badge_no", "pattern": r"\d{4}-\d{7}", "checksum": "luhn" });
    let text = "id 7992-7398713.";
    for strategy in ["full", "partial", "format_preserving", "hash", "token", "synthetic"] {
        let pii = json!({ "custom_pii": [checked.clone()], "pii_masking_strategy": strategy });
        let once = masked(&pii, text);
        assert!(!once.contains("7992-7398713") && once.starts_with("id "), "{once}");
        if ["format_preserving", "synthetic"].contains(&strategy) {
            assert_eq!(once.len(), text.len());
            let plain = json!({ "custom_pii": [checked.clone()] });
            assert_eq!(masked(&plain, &once), "id [BADGE_NO_REDACTED].", "the checksum holds: {once}");
        }
    }
}

#[test]
fn a_token_is_restored_and_a_marker_is_not_masked_again() {
    let pii = json!({ "pii_masking_strategy": "token", "custom_pii": [
        { "name": "code_word", "pattern": "[a-z0-9]{20}|heron" },
    ] });
    let policy = policy(&pii).unwrap();
    let once = masks(&policy, "The password: heron", Direction::Input);
    assert!(once.text.starts_with("The password: [CODE_WORD_TOKEN_"), "{}", once.text);
    assert_eq!(masks(&policy, &once.text, Direction::Input).text, once.text);
    let token = &once.tokens[0];
    assert_eq!((token.kind.as_str(), token.value.as_str()), ("code_word", "heron"));
    let (restored, count) = restore(&once.text, |id| (id == token.id).then(|| token.value.clone()));
    assert_eq!((restored.as_str(), count), ("The password: heron", 1));
}

#[test]
fn a_custom_type_wins_over_what_it_overlaps_and_all_of_both_is_masked() {
    let pii = json!({ "custom_pii": [{ "name": "staff_mail", "pattern": "[a-z.]+@staff" }] });
    assert_eq!(masked(&pii, "to jane.doe@staff.example.com now"), "to [STAFF_MAIL_REDACTED] now");
    let only_custom = with(pii, json!({ "pii_kinds": [] }));
    assert_eq!(masked(&only_custom, "to jane.doe@staff.example.com"), "to [STAFF_MAIL_REDACTED].example.com");
}

#[test]
fn an_encoded_value_is_found() {
    // Base64 of `badge EMP-004711 of the night shift`.
    let text = "read YmFkZ2UgRU1QLTAwNDcxMSBvZiB0aGUgbmlnaHQgc2hpZnQ= aloud";
    let found = verdict(&policy(&badge()).unwrap(), text, Direction::Input);
    assert_eq!(found.triggered[0].evidence, ["badge_no behind base64"]);
}

#[test]
fn a_shadow_policy_counts_its_own_types_alone() {
    let live = policy(&badge()).unwrap();
    let other = json!({ "custom_pii": [{ "name": "badge_no", "pattern": r"EMP-\d{3}\b" }] });
    let (shadow, copy) = (policy(&other).unwrap(), policy(&badge()).unwrap());
    let text = Text::new("EMP-004711 and EMP-123");
    let spans = |policy: &CompiledPolicy, shadow: &CompiledPolicy| {
        let found = policy.find_pii(&text, Some(shadow), &Deadline::none());
        let part = Part::new(Origin::Subject, Text::new("EMP-004711 and EMP-123"));
        let evidence = Evidence::new(Direction::Input, vec![part], vec![found], Scores::default());
        [policy, shadow].map(|policy| {
            let verdict = decide(policy, &evidence, RequestOptions::default());
            verdict.masking.unwrap().found[0].iter().map(|found| found.value.clone()).collect::<Vec<_>>()
        })
    };
    assert_eq!(spans(&live, &shadow), [["EMP-004711"], ["EMP-123"]]);
    assert_eq!(spans(&live, &copy), [["EMP-004711"], ["EMP-004711"]]);
}

#[test]
fn a_policy_that_only_masks_keeps_the_types() {
    let masking = policy(&badge()).unwrap().masking_only(Strategy::Hash).unwrap();
    assert!(masks(&masking, "EMP-004711", Direction::Input).text.starts_with("[BADGE_NO_HASH_"));
}

#[test]
fn a_value_that_arrives_in_parts_is_masked() {
    let spoken = json!({ "custom_pii": [
        { "name": "code_name", "pattern": r"operation [a-z]+ [a-z]+" },
        { "name": "badge_no", "pattern": r"\b\d{6}\b|[a-z]{3}zq", "labels": ["badge"] },
    ] });
    let text = "All of it is part of operation quiet heron since spring. The words abczq and 471100 name my badge, \
                which I lost on the way home from the concert in the old town hall, and 471100 days are long.";
    let policy = Arc::new(policy(&spoken).unwrap());
    let whole = masks(&policy, text, Direction::Output).text;
    assert_eq!(whole.matches("_REDACTED]").count(), 3, "{whole}");
    for size in [1, 3, 7, 20, 500] {
        let mut stream = MaskStream::new(policy.stream_masking(&MaskKeys::new(&[7; 32])).unwrap());
        let letters: Vec<char> = text.chars().collect();
        let parts = letters.chunks(size).map(|part| stream.feed(&part.iter().collect::<String>()).text);
        let mut streamed: String = parts.collect();
        streamed.push_str(&stream.finish().text);
        assert_eq!(streamed, whole, "{size}");
    }
}

#[test]
fn errors_name_the_field() {
    let good = json!({ "name": "badge_no", "pattern": "x" });
    let changed = |more: Value| with(good.clone(), more);
    for (types, error) in [
        (json!([{ "pattern": "x" }]), "field required: guardrails.0.custom_pii.0.name"),
        (json!([good, changed(json!({ "name": "Badge" }))]), "custom_pii.1.name: must be lower-case letters"),
        (json!([changed(json!({ "name": "9lives" }))]), "custom_pii.0.name: must be lower-case letters"),
        (
            json!([changed(json!({ "name": "a".repeat(41) }))]),
            "custom_pii.0.name: must have 1 to 40 characters",
        ),
        (json!([changed(json!({ "name": "email" }))]), "custom_pii.0.name: must not be a built-in PII type"),
        (json!([good, good]), "custom_pii.1.name: must not be the name of another type"),
        (json!([changed(json!({ "pattern": "(" }))]), "custom_pii.0.pattern: unclosed group at position 0"),
        (json!([changed(json!({ "pattern": "x*" }))]), "custom_pii.0.pattern: must not match the empty text"),
        (
            json!([changed(json!({ "pattern": r"\w{99}{99}{9}" }))]),
            "custom_pii.0.pattern: pattern compiles too large",
        ),
        (json!([changed(json!({ "labels": vec!["a"; 21] }))]), "custom_pii.0.labels: "),
        (json!([changed(json!({ "labels": ["a", " "] }))]), "custom_pii.0.labels.1: "),
        (
            json!([changed(json!({ "checksum": "crc" }))]),
            "custom_pii.0.checksum: must be one of luhn, mod11_10",
        ),
        (json!(vec![good.clone(); 21]), "custom_pii: must be an array of at most 20 items"),
    ] {
        let refused = policy(&json!({ "custom_pii": types })).err().unwrap_or_default();
        assert!(refused.contains(error), "{refused:?} does not say {error:?}");
    }
    let unknown = json!({ "pii_types": [{ "type": "badge" }] });
    let refused = policy(&with(badge(), unknown)).err().unwrap_or_default();
    assert!(
        refused.starts_with("guardrails.0.pii_types.0.type: must be one of") && refused.ends_with("badge_no")
    );
}

#[test]
fn a_stored_policy_runs_on_when_a_built_in_type_takes_its_name() {
    let written = Policy::parse(
        &json!({ "policyName": "a", "guardrails": [with(badge(), json!({ "guardrail": "pii" }))] }),
    );
    let mut stored = json!(written.unwrap());
    stored["guardrails"][0]["custom_pii"][0] = json!({ "name": "email", "pattern": "EMP-\\d*" });
    let stored: Policy = serde_json::from_value(stored).unwrap();
    let policy = CompiledPolicy::compile(&stored).unwrap();
    assert_eq!(verdict(&policy, "EMP-1", Direction::Input).outcome, Outcome::Block);
}

#[test]
fn more_values_than_can_be_listed_are_masked_as_one() {
    let pii = json!({ "custom_pii": [{ "name": "word", "pattern": r"\bheron\b" }], "pii_kinds": [] });
    let text = "heron and ".repeat(20_000) + "a last heron of all";
    assert!(masked(&pii, &text).ends_with(" and [WORD_REDACTED][WORD_REDACTED]"));
}
