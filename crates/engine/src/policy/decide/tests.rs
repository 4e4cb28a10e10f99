use crate::{
    detectors::pii,
    evidence::{Evidence, Joined, Origin, Part},
    finding::Finding,
    guardrail::{Action, Direction, Group, Guardrail},
    keywords::Keywords,
    pii::{Entity, mask::Strategy},
    policy::{
        CompiledPolicy, Confirmation, Outcome, RequestOptions, Verdict,
        compile::{EnabledGuardrail, PiiRule},
        decide,
        document::{LlmReasoning, Mode},
    },
    scores::Scores,
    sources::Sources,
    span::Span,
    text::Text,
};

struct Says(f32);

impl crate::detectors::Inspector for Says {
    fn inspect(&self, _: &Evidence<'_>, _: Sources, findings: &mut Vec<Finding>) {
        findings.push(Finding {
            confidence: self.0,
            part: 0,
            span: Some(Span::new(0, 1)),
            evidence: "test".into(),
            is_learned: true,
        });
    }
}

fn guardrail(name: &'static str) -> &'static Guardrail {
    Box::leak(Box::new(Guardrail {
        name,
        group: Group::PromptSecurity,
        description: "",
        default_threshold: 0.5,
        default_action: Action::Block,
        settings: &[],
        masks: (name == "pii").then_some(pii::MASKING),
        attacks_model: true,
        in_default_policy: true,
        triggers: "",
        passes: "",
    }))
}

fn enabled(name: &'static str, confidence: f32, outcome: Outcome) -> EnabledGuardrail {
    let exceptions = Keywords::new(&[format!("but for {name}")]);
    EnabledGuardrail {
        guardrail: guardrail(name),
        threshold: 0.5,
        outcome,
        applies_to: Sources::ALL,
        exceptions,
        inspector: Box::new(Says(confidence)),
    }
}

fn policy(enabled: Vec<EnabledGuardrail>) -> CompiledPolicy {
    let words = |word: &str| Keywords::new(&[word.to_owned()]);
    let pii = PiiRule { threshold: 0.5, selection: pii::Selection::all(0.5), strategy: Strategy::Partial };
    CompiledPolicy {
        mode: Mode::Unified,
        needs_scores: false,
        max_prompt_length: 40,
        allowed: words("welcome"),
        blocked: words("forbidden"),
        blocked_words: vec!["forbidden".into()],
        enabled,
        summaries: Vec::new(),
        reasoning: LlmReasoning::default(),
        pii,
        tickets: std::collections::BTreeMap::new(),
        incomplete_coverage: Outcome::Block,
    }
}

fn evidence(text: &str) -> Evidence<'_> {
    let found = Entity {
        kind: "email",
        span: Span::new(0, 1),
        confidence: 0.9,
        value: "a".into(),
        transforms: Vec::new(),
    };
    let parts = vec![Part::new(Origin::Subject, Text::new(text))];
    Evidence::new(Direction::Input, parts, vec![vec![found]], Scores::default())
}

fn judge(enabled: Vec<EnabledGuardrail>, text: &str, options: RequestOptions) -> Verdict {
    decide(&policy(enabled), &evidence(text), options)
}

const MASK: RequestOptions =
    RequestOptions { mask: true, strategy: None, mask_what_waits: false, confirmation: None };
const LONG: &str = "welcome to a text of more than forty characters";

type Triggers = &'static [(&'static str, f32, Outcome)];

#[test]
fn the_order_of_the_contract_decides() {
    use Outcome::{Allow, Block, Challenge, Escalate, Mask};
    let no = RequestOptions::default();
    let rows: [(&str, Triggers, &str, RequestOptions, Outcome); 18] = [
        ("nothing triggers", &[("spam", 0.4, Block)], "hello", no, Allow),
        ("at the threshold is triggered", &[("spam", 0.5, Block)], "hello", no, Block),
        ("an action of Allow lets through", &[("spam", 0.9, Allow)], "hello", no, Allow),
        ("a blocked keyword blocks", &[], "a forbidden word", no, Block),
        ("a blocked keyword beats an allowed one", &[], "welcome, forbidden", no, Block),
        ("a long prompt is blocked", &[], LONG, no, Block),
        ("an allowed keyword beats a guardrail", &[("spam", 0.9, Block)], "welcome", no, Allow),
        ("an allowed keyword beats an escalation", &[("spam", 0.9, Escalate)], "welcome", no, Allow),
        (
            "an allowed keyword leaves masking on",
            &[("spam", 0.9, Block), ("pii", 0.9, Mask)],
            "welcome",
            no,
            Mask,
        ),
        ("blocking beats escalating", &[("spam", 0.9, Escalate), ("bias", 0.6, Block)], "hello", no, Block),
        (
            "escalating beats challenging",
            &[("spam", 0.9, Challenge), ("bias", 0.6, Escalate)],
            "hello",
            no,
            Escalate,
        ),
        (
            "challenging beats masking",
            &[("pii", 0.9, Mask), ("bias", 0.6, Challenge)],
            "hello",
            no,
            Challenge,
        ),
        ("masking beats allowing", &[("pii", 0.9, Mask), ("bias", 0.6, Allow)], "hello", no, Mask),
        ("a request may have masked what is allowed", &[("pii", 0.9, Allow)], "hello", MASK, Mask),
        ("a request may not have masked what is blocked", &[("pii", 0.9, Block)], "hello", MASK, Block),
        ("a request may have masked what is not looked for", &[], "hello", MASK, Mask),
        (
            "a request may have masked what a keyword lets through",
            &[("pii", 0.9, Block)],
            "welcome",
            MASK,
            Mask,
        ),
        ("a masking that is off changes nothing", &[("pii", 0.9, Mask)], "hello", no, Mask),
    ];
    for (why, guardrails, text, asked, expected) in rows {
        let enabled = guardrails
            .iter()
            .map(|(name, confidence, outcome)| enabled(name, *confidence, *outcome))
            .collect();
        assert_eq!(judge(enabled, text, asked).outcome, expected, "{why}");
    }
}

#[test]
fn risk_is_the_surest_trigger_whatever_its_action() {
    let risk = |enabled, text| judge(enabled, text, RequestOptions::default()).risk;
    assert_eq!(
        risk(vec![enabled("spam", 0.7, Outcome::Allow), enabled("bias", 0.6, Outcome::Block)], "hi"),
        0.7
    );
    assert_eq!(risk(vec![], "forbidden"), 1.0);
    assert_eq!(risk(vec![], LONG), 0.6);
    let untriggered = risk(vec![enabled("spam", 0.49, Outcome::Block)], "hi");
    assert!(untriggered > 0.2 && untriggered < 0.3, "{untriggered}");
}

#[test]
fn an_allowed_text_has_no_reason_and_nothing_that_blocks() {
    let verdict = judge(vec![enabled("spam", 0.9, Outcome::Block)], "welcome", RequestOptions::default());
    assert_eq!((verdict.reason, verdict.without_exceptions), (None, Some(Outcome::Block)));
    assert!(verdict.triggered.iter().all(|one| one.outcome == Outcome::Allow));
}

#[test]
fn an_exception_lets_through_what_its_guardrail_alone_would_stop() {
    use Outcome::{Allow, Block, Challenge, Escalate, Mask};
    let rows: [(&str, Triggers, &str, Outcome, Option<Outcome>); 6] = [
        ("its own block", &[("spam", 0.9, Block)], "but for spam", Allow, Some(Block)),
        ("its own review", &[("spam", 0.9, Escalate)], "But  for SPAM!", Allow, Some(Escalate)),
        ("not another's", &[("spam", 0.9, Block), ("bias", 0.9, Challenge)], "but for spam", Challenge, None),
        ("not where other words stand", &[("spam", 0.9, Block)], "but for bias", Block, None),
        ("masking stays", &[("spam", 0.9, Block), ("pii", 0.9, Mask)], "but for spam", Mask, Some(Block)),
        ("a blocked keyword beats it", &[("spam", 0.9, Block)], "forbidden, but for spam", Block, None),
    ];
    for (why, guardrails, text, outcome, without_exceptions) in rows {
        let enabled = guardrails
            .iter()
            .map(|(name, confidence, outcome)| enabled(name, *confidence, *outcome))
            .collect();
        let verdict = judge(enabled, text, RequestOptions::default());
        assert_eq!((verdict.outcome, verdict.without_exceptions), (outcome, without_exceptions), "{why}");
        assert_eq!(verdict.triggered.iter().filter(|one| one.name == "spam").count(), 1, "{why}");
    }
}

/// Finds something in each part whose bit is set.
struct FindsIn(u8);

impl crate::detectors::Inspector for FindsIn {
    fn inspect(&self, evidence: &Evidence<'_>, _: Sources, findings: &mut Vec<Finding>) {
        let parts = (0..evidence.parts.len()).filter(|part| self.0 >> part & 1 == 1);
        findings.extend(parts.map(|part| Finding {
            confidence: 0.9,
            part,
            span: None,
            evidence: "test".into(),
            is_learned: true,
        }));
    }
}

proptest::proptest! {
    #[test]
    fn a_waiver_covers_only_the_part_that_contains_the_word(found in 1_u8..32, words in 0_u8..32, is_allowed: bool) {
        const ORIGINS: [Origin; 5] =
            [Origin::Subject, Origin::Document(0), Origin::Image(0), Origin::Audio, Origin::PriorTurnsAndSubject(Joined::Latest)];
        let word = if is_allowed { "welcome" } else { "but for spam" };
        let text = |part: usize| if words >> part & 1 == 1 { word } else { "hello" };
        let parts = (0..5).map(|part| Part::new(ORIGINS[part], Text::new(text(part)))).collect();
        let evidence = Evidence::new(Direction::Input, parts, vec![Vec::new(); 5], Scores::default());
        let spam = EnabledGuardrail { inspector: Box::new(FindsIn(found)), ..enabled("spam", 0.0, Outcome::Block) };
        let verdict = decide(&policy(vec![spam]), &evidence, RequestOptions::default());
        // Keywords count in the subject, the image and the audio.
        let waived = words & 0b01101;
        let expected = if found & !waived == 0 { Outcome::Allow } else { Outcome::Block };
        proptest::prop_assert_eq!(verdict.outcome, expected);
        proptest::prop_assert_eq!(verdict.without_exceptions, (expected == Outcome::Allow).then_some(Outcome::Block));
    }
}

#[test]
fn a_blocked_text_says_why_and_where() {
    let verdict =
        judge(vec![enabled("spam", 0.9, Outcome::Block)], "an é forbidden", RequestOptions::default());
    assert_eq!(
        verdict.reason.as_deref(),
        Some("blocked_keyword: forbidden; spam (confidence 0.90, threshold 0.50): test")
    );
    assert_eq!((verdict.triggered[0].spans[0].start, verdict.triggered[0].spans[0].end), (5, 14));
}

#[test]
fn a_policy_that_does_not_guard_a_direction_says_so() {
    let mut policy = policy(vec![enabled("spam", 0.9, Outcome::Block)]);
    policy.mode = Mode::Output;
    let verdict = decide(&policy, &evidence("forbidden"), RequestOptions::default());
    assert!(!verdict.evaluated && verdict.outcome == Outcome::Allow && verdict.reason.is_some());
}

#[test]
fn length_counts_characters_of_prompts_alone() {
    let forty = "é".repeat(40);
    assert_eq!(judge(vec![], &forty, RequestOptions::default()).outcome, Outcome::Allow);
    let mut response = evidence(LONG);
    response.direction = Direction::Output;
    assert_eq!(decide(&policy(vec![]), &response, RequestOptions::default()).outcome, Outcome::Allow);
}

#[test]
fn a_confirmation_lifts_challenges_and_nothing_else() {
    use Outcome::{Allow, Block, Challenge, Escalate, Mask};
    let given = RequestOptions { confirmation: Some(Confirmation::Given), ..RequestOptions::default() };
    let rows: [(&str, Triggers, &str, RequestOptions, Outcome); 7] = [
        ("a challenge", &[("spam", 0.9, Challenge)], "hello", given, Allow),
        ("masking stays", &[("bias", 0.9, Challenge), ("pii", 0.9, Mask)], "hello", given, Mask),
        (
            "masking that the request asks for stays",
            &[("pii", 0.9, Challenge)],
            "hello",
            RequestOptions { confirmation: given.confirmation, ..MASK },
            Mask,
        ),
        ("a block", &[("bias", 0.9, Challenge), ("spam", 0.9, Block)], "hello", given, Block),
        ("a review", &[("bias", 0.9, Challenge), ("spam", 0.9, Escalate)], "hello", given, Escalate),
        ("a blocked keyword", &[("bias", 0.9, Challenge)], "forbidden", given, Block),
        ("a long prompt", &[], LONG, given, Block),
    ];
    for (why, guardrails, text, asked, expected) in rows {
        let enabled = guardrails
            .iter()
            .map(|(name, confidence, outcome)| enabled(name, *confidence, *outcome))
            .collect();
        assert_eq!(judge(enabled, text, asked).outcome, expected, "{why}");
    }
}

#[test]
fn what_the_user_takes_back_stops_whatever_the_policy_says() {
    let refused = RequestOptions { confirmation: Some(Confirmation::Refused), ..RequestOptions::default() };
    for outcome in [Outcome::Allow, Outcome::Mask, Outcome::Challenge, Outcome::Escalate] {
        let verdict = judge(vec![enabled("pii", 0.9, outcome)], "welcome", refused);
        assert_eq!((verdict.outcome, verdict.masking), (Outcome::Block, None));
        assert_eq!(verdict.reason.as_deref(), Some("the user did not confirm it"));
    }
    let blocked = judge(vec![enabled("spam", 0.9, Outcome::Block)], "hello", refused);
    assert!(blocked.reason.unwrap().starts_with("spam"));
}

#[test]
fn what_waits_is_masked_where_that_is_asked_for() {
    let asked = RequestOptions { mask_what_waits: true, ..RequestOptions::default() };
    for outcome in [Outcome::Challenge, Outcome::Escalate] {
        let enabled = || vec![enabled("spam", 0.9, outcome), enabled("pii", 0.9, Outcome::Mask)];
        assert!(judge(enabled(), "hello", asked).masking.is_some());
        assert_eq!(judge(enabled(), "hello", RequestOptions::default()).masking, None);
    }
    let blocked = vec![enabled("spam", 0.9, Outcome::Block), enabled("pii", 0.9, Outcome::Mask)];
    assert_eq!(judge(blocked, "hello", asked).masking, None);
}

#[test]
fn what_was_not_read_completely_is_blocked_unless_the_policy_says_otherwise() {
    use Outcome::{Allow, Block, Challenge, Escalate};
    let given = RequestOptions { confirmation: Some(Confirmation::Given), ..RequestOptions::default() };
    for (action, options, expected) in [
        (Block, RequestOptions::default(), Block),
        (Challenge, RequestOptions::default(), Challenge),
        (Challenge, given, Allow),
        (Escalate, given, Escalate),
        (Allow, RequestOptions::default(), Allow),
    ] {
        let mut policy = policy(vec![enabled("spam", 0.9, Outcome::Block)]);
        policy.incomplete_coverage = action;
        // An allowed keyword lets through what a guardrail found, not what nobody read.
        let mut unread = evidence("welcome");
        unread.has_unread = true;
        let verdict = decide(&policy, &unread, options);
        assert_eq!(verdict.outcome, expected, "{action:?}");
        assert!(!verdict.coverage.complete);
        assert_eq!(verdict.triggered.iter().any(|one| one.name == "incomplete_coverage"), action != Allow);
    }
    let verdict = decide(&policy(vec![]), &evidence("hello"), RequestOptions::default());
    assert!(verdict.coverage.complete && verdict.triggered.is_empty());
}

#[test]
fn coverage_sums_over_every_part_and_the_known_turns() {
    let texts = [(Origin::Subject, "abc"), (Origin::Document(0), "äöü12"), (Origin::Image(0), "x")];
    let mut parts: Vec<_> = texts.map(|(origin, text)| Part::new(origin, Text::new(text))).into();
    parts.push(Part::new(Origin::PriorTurns(Joined::Latest), Text::new("joined for comparison")));
    let pii = vec![Vec::new(); parts.len()];
    let mut evidence = Evidence::new(Direction::Input, parts, pii, Scores::default());
    evidence.known_characters = 10;
    let coverage = decide(&policy(vec![]), &evidence, RequestOptions::default()).coverage;
    assert_eq!((coverage.characters_scanned, coverage.characters_total), (19, 19));
}
