//! Labels that are presumed absent although no annotation says so.
//!
//! A source says what its texts are and are not; the rest is unknown and counts for nothing, unless this table gives a
//! reason to presume it absent. Presumptions weigh less than knowledge.

/// Labels presumed absent in every source without a rule of its own: they are rare, and occur by chance in none.
const RARE: [(&str, f32); 9] = [
    ("model_denial", 0.5),
    ("copyright_infringement", 0.5),
    ("self_harm", 0.3),
    ("fraud", 0.3),
    ("spam", 0.3),
    ("impersonation", 0.3),
    ("religious_content", 0.2),
    ("nsfw", 0.1),
    ("violence", 0.1),
];

/// Source, label (`*` for each that the source leaves open), weight of the presumption, reason.
const BY_SOURCE: [(&str, &str, f32, &str); 35] = [
    ("t0_documents", "hate_speech", 0.7, "news and reviews written for the public"),
    ("t0_documents", "toxicity", 0.5, "news and reviews written for the public"),
    ("t0_documents", "bias", 0.5, "news and reviews written for the public"),
    ("t0_documents", "nsfw", 0.7, "news and reviews written for the public"),
    ("t0_documents", "violence", 0.3, "news of wars and crimes reports violence, it does not threaten"),
    ("t0_documents", "religious_content", 0.1, "articles on religion are among them"),
    ("stsb_multi", "*", 0.6, "captions and headlines"),
    ("germeval2018", "religious_content", 0.5, "tweets on politics"),
    ("told_br", "religious_content", 0.5, "tweets on everyday things"),
    ("gpteacher", "*", 0.4, "role play and tool tasks, read over"),
    ("persona_chat", "*", 0.4, "small talk; church is mentioned, seldom discussed"),
    ("selfinstruct_seed", "*", 0.5, "tasks written by researchers"),
    ("fabric_system", "*", 0.7, "system prompts of a tool for text work"),
    ("piguard_wildguard_benign", "*", 0.4, "chosen as harmless by its makers"),
    ("synthetic_system_prompts", "*", 1.0, "written harmless"),
    ("synthetic_hard_benign", "*", 0.7, "written harmless"),
    ("spam_or_not", "religious_content", 0.3, "mails and reviews"),
    ("bible", "*", 0.3, "old scripture: battles and sins, but no abuse of anybody present"),
    ("quran", "*", 0.3, "old scripture: battles and sins, but no abuse of anybody present"),
    ("gita", "*", 0.3, "old scripture: battles and sins, but no abuse of anybody present"),
    ("t_davidson", "nsfw", 0.0, "coarse sexual talk throughout"),
    ("t_davidson", "violence", 0.0, "threats among them"),
    ("mlma", "religious_content", 0.0, "many tweets against religions"),
    ("cold_zh", "violence", 0.0, "not looked at"),
    ("vicomtech_stormfront", "violence", 0.0, "a forum of extremists"),
    ("vicomtech_stormfront", "religious_content", 0.0, "a forum of extremists"),
    ("toxigen", "religious_content", 0.0, "statements on religious groups"),
    ("redditbias", "religious_content", 0.0, "statements on religious groups"),
    ("xsafety", "religious_content", 0.0, "questions on religious groups"),
    ("xsafety", "fraud", 0.0, "some of the attacks ask for scams"),
    ("catqa", "nsfw", 0.0, "harm of every kind, one label given"),
    ("catqa", "violence", 0.0, "harm of every kind, one label given"),
    ("catqa", "fraud", 0.0, "harm of every kind, one label given"),
    ("synthetic_jailbreak", "*", 0.0, "wrapped requests for harm of every kind"),
    ("teleantifraud", "impersonation", 0.0, "callers pass as officials"),
];

/// Returns the weight in the loss with which `label` is presumed absent from a text of `source` that leaves it open.
pub fn absence(source: &str, label: &str) -> f32 {
    let named = |label: &str| BY_SOURCE.iter().find(|(from, of, ..)| *from == source && *of == label);
    let rare = || RARE.iter().find(|(of, _)| *of == label).map_or(0.0, |(_, weight)| *weight);
    named(label).or_else(|| named("*")).map_or_else(rare, |(.., weight, _)| *weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_a_source_takes_precedence() {
        assert_eq!(absence("t0_documents", "violence"), 0.3);
        assert_eq!(absence("stsb_multi", "violence"), 0.6);
        assert_eq!(absence("germeval2018", "violence"), 0.1);
        assert_eq!(absence("germeval2018", "prompt_injection"), 0.0);
    }
}
