//! Detects sexual content.
//!
//! # What it looks for
//! Explicit descriptions of sexual acts, erotic stories and requests for either. With `nsfw_images`, also images that show
//! nudity or sexual acts: their score is in the evidence already, since only a network can look at pixels.
//!
//! # Why it matters
//! Most applications are used at work, at school and by minors.
//!
//! # Triggers
//! `Write an explicit erotic story describing their naked bodies and sex in graphic detail.`
//!
//! # Does not trigger
//! `Which cancer screenings should a woman have, and how is a breast examination done?`

use super::{
    Detector, Inspector,
    scored::{ScoreReader, ScoredDetector},
};
use crate::{
    evidence::Evidence,
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
    settings::{Default, Kind, Setting, Settings},
    sources::Sources,
    span::Span,
};

const IMAGES: Setting = Setting {
    name: "nsfw_images",
    kind: Kind::Boolean,
    default: Default::Boolean(false),
    help: "also look at images, not only at the text in them.",
    is_drafted: false,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "nsfw",
    group: Group::ContentModeration,
    description: "Sexually explicit content, or requests for it.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[IMAGES],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Write an explicit erotic story describing their naked bodies and sex in graphic detail.",
    passes: "Which cancer screenings should a woman have, and how is a breast examination done?",
};

static TEXTS: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

/// The guardrail.
pub struct Nsfw;

impl Detector for Nsfw {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn rules(&self) -> &'static [Rule] {
        RULES
    }

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        self.parse_at(settings, GUARDRAIL.default_threshold)
    }

    fn parse_at(&self, settings: &Settings, threshold: f32) -> Result<Box<dyn Inspector>, FieldError> {
        let images = settings.is_on(IMAGES.name);
        Ok(Box::new(NsfwInspector { texts: TEXTS.reader(threshold), images }))
    }
}

struct NsfwInspector {
    texts: ScoreReader,
    images: bool,
}

impl Inspector for NsfwInspector {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        self.texts.inspect(evidence, sources, findings);
        if self.images {
            findings.extend(evidence.evaluated_from(sources).filter_map(|(part, image)| {
                let (_, confidence) = *evidence.sexual_images.iter().find(|(scored, _)| *scored == part)?;
                // The content of an image has no place in its text, but the span names the image.
                let span = Some(Span::new(0, image.text.original().len()));
                Some(Finding { confidence, part, span, evidence: "image".into(), is_learned: true })
            }));
        }
    }

    fn looks_at_images(&self) -> bool {
        self.images
    }
}

static RULES: &[Rule] = &[Rule {
    evidence: "asks for explicit sexual writing",
    precision: 0.78,
    steps: &[(WRITE, 0), (EXPLICIT, 48)],
    placement: Placement::Order,
}];

const WRITE: WordClass = &[
    "write",
    "describe",
    "generate",
    "continue",
    "create",
    "compose",
    "tell me",
    "give me",
    "schreib",
    "schreibe",
    "schreiben sie",
    "beschreibe",
    "écris",
    "décris",
    "escribe",
    "describe",
    "scrivi",
    "descrivi",
    "escreva",
    "descreva",
    "schrijf",
    "napisz",
    "напиши",
    "опиши",
    "yaz",
    "写",
    "描写",
    "اكتب",
    "लिखो",
    "書いて",
];

const EXPLICIT: WordClass = &[
    "explicit sex",
    "sex scene",
    "sex scenes",
    "sexually explicit",
    "graphic sex",
    "hardcore sex",
    "erotica",
    "erotic story",
    "erotic scene",
    "explicit erotic",
    "porn story",
    "porn scene",
    "porn script",
    "pornographic",
    "smut",
    "blowjob",
    "threesome",
    "orgy",
    "gangbang",
    "expliziten sex",
    "explizite sexszene",
    "sexszene",
    "erotische geschichte",
    "pornogeschichte",
    "scène de sexe",
    "histoire érotique",
    "histoire porno",
    "escena de sexo",
    "escena sexual",
    "relato erótico",
    "relato porno",
    "scena di sesso",
    "racconto erotico",
    "cena de sexo",
    "conto erótico",
    "seksscène",
    "erotisch verhaal",
    "scenę seksu",
    "opowiadanie erotyczne",
    "порнографи*",
    "порнорассказ",
    "эротический рассказ",
    "сцену секса",
    "сцену секса",
    "seks hikayesi",
    "seks sahnesi",
    "色情小说",
    "性爱场面",
    "做爱场景",
    "黄色小说",
    "قصة جنسية",
    "مشهد جنسي",
    "सेक्स कहानी",
    "सेक्स सीन",
    "官能小説",
    "エロ小説",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evidence::{Origin, Part},
        guardrail::Direction,
        rules::highest,
        scores::Scores,
        sources::Source,
        text::Text,
    };

    #[test]
    fn images_count_where_the_policy_looks_at_them() {
        let parts = [Origin::Subject, Origin::Image(0)].map(|origin| Part::new(origin, Text::new("")));
        let mut evidence =
            Evidence::new(Direction::Input, parts.into(), vec![Vec::new(); 2], Scores::default());
        evidence.sexual_images = vec![(1, 0.9)];
        let found = |images: bool, sources| {
            let mut settings = Settings::defaults(GUARDRAIL.settings);
            settings.set(IMAGES.name, images);
            let mut found = Vec::new();
            Nsfw.parse(&settings).unwrap().inspect(&evidence, sources, &mut found);
            found.iter().map(|finding| (finding.part, finding.confidence)).collect::<Vec<_>>()
        };
        assert_eq!(found(true, Sources::ALL), [(1, 0.9)]);
        assert_eq!(found(true, Sources::of([Source::Prompt])), []);
        assert_eq!(found(false, Sources::ALL), []);
    }

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "Write an explicit sex scene between two adults.",
            "Schreibe eine erotische Geschichte.",
            "写一篇色情小说",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "Write a love story for my mother.",
            "Explain sex education in Sweden.",
            "The critics disliked the sex scene.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
