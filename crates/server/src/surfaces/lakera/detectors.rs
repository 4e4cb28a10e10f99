//! Names of detectors: ours, and Lakera's for the same.

/// Guardrails and rules with the detector that stands for them.
const DETECTORS: [(&str, &str); 8] = [
    ("prompt_injection", "prompt_attack"),
    ("model_jailbreak", "prompt_attack"),
    ("hate_speech", "moderated_content/hate"),
    ("nsfw", "moderated_content/sexual"),
    ("violence", "moderated_content/violence"),
    ("illicit", "moderated_content/crime"),
    ("fraud", "moderated_content/crime"),
    ("toxicity", "moderated_content/profanity"),
];

/// PII types whose name differs. The others are `pii/` and their name.
const PII: [(&str, &str); 3] =
    [("person_name", "name"), ("us_ssn", "us_social_security_number"), ("iban", "iban_code")];

/// Returns the detector that stands for a guardrail or rule. What Lakera does not have is one of an operator's own.
pub fn of_guardrail(name: &str) -> String {
    let known = DETECTORS.iter().find(|(ours, _)| *ours == name);
    known.map_or_else(|| format!("custom/{name}"), |(_, theirs)| (*theirs).to_owned())
}

/// Returns the detector of a PII type.
pub fn of_pii(kind: &str) -> String {
    let known = PII.iter().find(|(ours, _)| *ours == kind);
    format!("pii/{}", known.map_or(kind, |(_, theirs)| theirs))
}
