//! Vectors and scores of the evidence, and of the earlier turns that the scores choose.

use std::cell::OnceCell;

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{Evidence, guardrail::Direction, policy::CompiledPolicy, scores::WindowScores};

use crate::{evaluate::EvaluationOptions, split_turns::JoinedTurns, submission::Submission};

/// The outputs of a classifier that policies read.
#[derive(Clone, Copy)]
struct Needs {
    scores: bool,
    vectors: bool,
}

impl Needs {
    /// Returns what a policy needs for texts of this direction; an error if its topics are not fitted.
    fn of(policy: &CompiledPolicy, direction: Direction) -> Result<Self, Unavailable> {
        if !policy.guards(direction) {
            return Ok(Self { scores: false, vectors: false });
        }
        if !policy.is_fitted() {
            return Err(Unavailable("the topics of the policy are not fitted".into()));
        }
        Ok(Self { scores: policy.needs_scores(), vectors: policy.needs_vectors() })
    }

    const fn without(self, other: Self) -> Self {
        Self { scores: self.scores && !other.scores, vectors: self.vectors && !other.vectors }
    }
}

/// Reads the evidence once for both policies. Returns the shadow policy if it can be evaluated: a classifier failure
/// that concerns the shadow policy alone is logged and ignored.
pub(crate) fn score<'a, 't>(
    classifier: &dyn Classifier,
    evidence: &mut Evidence<'a>,
    turns: (&Submission, &'a OnceCell<JoinedTurns>),
    options: &EvaluationOptions<'t>,
) -> Result<Option<&'t CompiledPolicy>, Unavailable> {
    let direction = evidence.direction;
    let live = Needs::of(options.policy, direction)?;
    read(classifier, evidence, turns, live)?;
    let Some(shadow) = options.shadow.filter(|shadow| shadow.guards(direction)) else { return Ok(None) };
    let further = Needs::of(shadow, direction).map(|needs| needs.without(live));
    if let Err(error) = further.and_then(|further| read(classifier, evidence, turns, further)) {
        tracing::warn!(%error, "could not evaluate the shadow policy");
        return Ok(None);
    }
    Ok(Some(shadow))
}

/// Reads the vectors first: what all layers have read for them is not read again for the scores.
fn read<'a>(
    classifier: &dyn Classifier,
    evidence: &mut Evidence<'a>,
    turns: (&Submission, &'a OnceCell<JoinedTurns>),
    needs: Needs,
) -> Result<(), Unavailable> {
    if needs.vectors {
        evidence.scores.vectors = Some(classifier.vectors(&evidence.parts, &evidence.deadline)?);
    }
    if needs.scores {
        score_parts(classifier, evidence, turns)?;
    }
    Ok(())
}

/// Scores every part, and then the earlier turns that these scores choose to be joined with the subject.
fn score_parts<'a>(
    classifier: &dyn Classifier,
    evidence: &mut Evidence<'a>,
    (submission, joined): (&Submission, &'a OnceCell<JoinedTurns>),
) -> Result<(), Unavailable> {
    evidence.scores.scored = classifier.score_until(&evidence.parts, &evidence.deadline)?.scored;
    let first = evidence.parts.len();
    joined.get_or_init(|| JoinedTurns::choose(submission, evidence)).add_to(evidence);
    if evidence.parts.len() > first {
        let further =
            classifier.score_until(&evidence.parts[first..], &evidence.deadline)?.scored.into_iter();
        let placed = further.map(|scored| WindowScores { part: scored.part + first, ..scored });
        evidence.scores.scored.extend(placed);
    }
    Ok(())
}
