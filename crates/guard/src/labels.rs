//! The labels of a request in its log entry: what the caller says about itself, its user and their device.

use guardengine_engine::{
    deadline::Deadline,
    pii::mask::{Strategy, mask},
    text::Text,
};

use crate::{
    ClientInfo,
    evaluate::{EvaluationOptions, LogContent},
};

/// Returns the labels as the log keeps them. They follow the log content as the text does, but for the identifier of the
/// conversation.
pub(crate) fn kept(sent: &ClientInfo, options: &EvaluationOptions<'_>) -> ClientInfo {
    let keep = |label: &Option<String>, strategy: Strategy| {
        let label = label.as_deref()?;
        match options.log_content {
            LogContent::Full => Some(label.to_owned()),
            LogContent::Masked | LogContent::Sealed => {
                let found = options.policy.find_pii(&Text::new(label), options.shadow, &Deadline::none());
                Some(mask(label, &found, strategy, options.keys).text)
            }
            LogContent::None => None,
        }
    };
    ClientInfo {
        source_app: keep(&sent.source_app, Strategy::Full),
        context: keep(&sent.context, Strategy::Full),
        // Keyed hashes keep users and devices apart whose names are personal data.
        device_id: keep(&sent.device_id, Strategy::Hash),
        username: keep(&sent.username, Strategy::Hash),
        conversation_id: sent.conversation_id.clone(),
    }
}

#[cfg(test)]
mod tests {
    use guardengine_engine::{
        RequestOptions,
        pii::mask::MaskKeys,
        policy::{CompiledPolicy, document::Policy},
    };
    use serde_json::json;

    use super::*;

    #[test]
    fn labels_are_kept_as_the_text_is() {
        let label = |text: &str| Some(text.to_owned());
        let sent = ClientInfo {
            source_app: label("support DESK-07"),
            context: label("ticket of jane.doe@example.com"),
            device_id: label("00:1a:2b:3c:4d:5e"),
            username: label("jane.doe@example.com"),
            conversation_id: label("c-1"),
        };
        let policy = json!({ "policyName": "a", "guardrails": [{ "guardrail": "pii",
            "custom_pii": [{ "name": "desk_id", "pattern": r"DESK-\d{2}" }] }] });
        let policy = CompiledPolicy::compile(&Policy::parse(&policy).unwrap()).unwrap();
        let keys = MaskKeys::new(&[7; 32]);
        let options = |log_content| EvaluationOptions {
            policy: &policy,
            shadow: None,
            asked: RequestOptions::default(),
            keys: &keys,
            log_content,
            labels: None,
            deadline: None,
        };
        let kept = |content| {
            let ClientInfo { source_app, context, device_id, username, conversation_id } =
                kept(&sent, &options(content));
            [source_app, context, device_id, username, conversation_id].map(Option::unwrap_or_default)
        };
        let (mail, address) = ("jane.doe@example.com", "00:1a:2b:3c:4d:5e");
        assert_eq!(
            kept(LogContent::Full),
            ["support DESK-07", &format!("ticket of {mail}"), address, mail, "c-1"]
        );
        let masked = ["support [DESK_ID_REDACTED]", "ticket of [EMAIL_REDACTED]", "", "", "c-1"];
        for content in [LogContent::Masked, LogContent::Sealed] {
            let kept = kept(content);
            assert_eq!([&kept[0], &kept[1], &kept[4]], [&masked[0], &masked[1], &masked[4]]);
            assert!(
                kept[2].starts_with("[MAC_ADDRESS_HASH_") && kept[3].starts_with("[EMAIL_HASH_"),
                "{kept:?}"
            );
        }
        assert_eq!(kept(LogContent::None), ["", "", "", "", "c-1"]);
    }
}
