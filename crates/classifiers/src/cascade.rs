//! Both tiers: the linear model reads everything, the encoder what looks suspicious to it.
//!
//! The encoder costs some thousand times as much for a byte, so it is asked about few stretches: a text that is no
//! longer than a window, else the most suspicious windows that do not overlap, and nothing below the floor of
//! suspicion, nor in another language than its own. What it said of a stretch is remembered, so that the turns of a
//! conversation and the documents that come again are read once.

use std::sync::{Arc, LazyLock};

use guardengine_engine::{
    evidence::Part,
    scores::{LABELS, LabelScores, Scored, Scores},
    text::language::language,
};

use crate::{Classifier, Encoder, Joint, Linear, Memory, Unavailable};

/// Bytes of the longest stretch that is read at once: two chunks and their slack.
pub const READ: usize = 640;
/// Stretches that are read of one request.
const MOST: usize = 3;
/// The least suspicion for which more than one stretch of a request is read.
const FURTHER: f32 = 0.1;
/// Stretches of a request whose language is looked at.
const TRIED: usize = 12;

static EMBEDDED: LazyLock<Cascade> = LazyLock::new(|| {
    let encoder = Encoder::new(
        include_bytes!("../../../models/encoder/model.onnx").as_slice().into(),
        include_str!("../../../models/encoder/vocab.txt"),
    );
    let joint = Joint::from_json(include_bytes!("../../../models/encoder/joint.json"));
    Cascade::new(
        Linear::embedded(),
        encoder.expect("the model that is compiled in is read by a test"),
        joint.expect("the description that is compiled in is read by a test"),
    )
});

/// The linear model and the encoder together.
#[derive(Debug)]
pub struct Cascade {
    linear: &'static Linear,
    encoder: Encoder,
    joint: Joint,
    version: String,
    known: Memory<Arc<LabelScores>>,
}

/// A stretch that may be read.
struct Candidate {
    /// Index into the scores.
    place: usize,
    suspicion: f32,
}

impl Cascade {
    /// The models that come with this library. The first call loads them.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// A cascade of these two.
    pub fn new(linear: &'static Linear, encoder: Encoder, joint: Joint) -> Self {
        let version = format!("{}+{}", linear.version(), joint.version);
        Self { linear, encoder, joint, version, known: Memory::default() }
    }

    /// What the encoder says of a stretch, from memory where it is known.
    pub fn log_odds(&self, stretch: &str) -> Result<Arc<LabelScores>, Unavailable> {
        if let Some(known) = self.known.recall(stretch) {
            return Ok(known);
        }
        let said = Arc::new(self.encoder.log_odds(stretch)?);
        self.known.keep(stretch, Arc::clone(&said));
        Ok(said)
    }

    /// The places of the stretches to read, most suspicious first.
    fn candidates(&self, parts: &[Part<'_>], scored: &[Scored]) -> Vec<usize> {
        let mut candidates: Vec<Candidate> = (0..)
            .zip(scored)
            .filter(|(_, one)| one.span.len() <= READ && parts[one.part].origin.is_judged())
            .map(|(place, one)| Candidate {
                place,
                suspicion: one.scores.iter().copied().fold(0.0, f32::max),
            })
            .filter(|candidate| candidate.suspicion >= self.joint.floor)
            .collect();
        candidates.sort_by(|one, other| other.suspicion.total_cmp(&one.suspicion));
        let mut chosen: Vec<usize> = Vec::with_capacity(MOST);
        for Candidate { place, suspicion } in candidates.into_iter().take(TRIED) {
            if !chosen.is_empty() && suspicion < FURTHER {
                break;
            }
            let is_free = chosen.iter().all(|other| !overlaps(&scored[place], &scored[*other]));
            if is_free && is_readable(stretch(parts, &scored[place])) {
                chosen.push(place);
            }
            if chosen.len() == MOST {
                break;
            }
        }
        chosen
    }

    /// Of a text that was read in windows, the whole is judged by what was most suspicious in them.
    fn judge_whole(&self, whole: &mut Scored, read: &[(usize, usize, Arc<LabelScores>)]) {
        let mut windows =
            read.iter().filter(|(part, view, ..)| (*part, *view) == (whole.part, whole.view)).peekable();
        if windows.peek().is_none() {
            return;
        }
        let mut greatest = [f32::NEG_INFINITY; LABELS.len()];
        for (.., said) in windows {
            for (most, one) in greatest.iter_mut().zip(said.iter()) {
                *most = most.max(*one);
            }
        }
        whole.scores = self.joint.probabilities(&whole.scores, &greatest);
    }
}

impl Classifier for Cascade {
    fn version(&self) -> &str {
        &self.version
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        let mut scores = self.linear.score(parts)?;
        let mut read = Vec::new();
        for place in self.candidates(parts, &scores.scored) {
            let one = &mut scores.scored[place];
            let said = self.log_odds(stretch(parts, one))?;
            one.scores = self.joint.probabilities(&one.scores, &said);
            read.push((one.part, one.view, said));
        }
        for one in scores.scored.iter_mut().filter(|one| one.span.len() > READ) {
            self.judge_whole(one, &read);
        }
        Ok(scores)
    }
}

fn stretch<'p>(parts: &'p [Part<'_>], scored: &Scored) -> &'p str {
    scored.span.of(&parts[scored.part].text.views()[scored.view].text)
}

fn overlaps(one: &Scored, other: &Scored) -> bool {
    (one.part, one.view) == (other.part, other.view) && one.span.overlaps(other.span)
}

/// The encoder has learnt English words; in other languages it sees letters, and alarms where there is nothing.
pub fn is_readable(stretch: &str) -> bool {
    matches!(language(stretch), None | Some("en"))
}
