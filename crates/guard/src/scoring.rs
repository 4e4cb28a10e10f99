//! Scores of the evidence, and of the earlier turns that they choose.

use std::cell::OnceCell;

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{Evidence, policy::CompiledPolicy, scores::WindowScores};

use crate::{evaluate::EvaluationOptions, split_turns::JoinedTurns, submission::Submission};

/// Scores the evidence once for both policies. Returns the shadow policy if it can be evaluated: a classifier failure
/// that concerns the shadow policy alone is logged and ignored.
pub(crate) fn score<'a, 't>(
    classifier: &dyn Classifier,
    evidence: &mut Evidence<'a>,
    turns: (&Submission, &'a OnceCell<JoinedTurns>),
    options: &EvaluationOptions<'t>,
) -> Result<Option<&'t CompiledPolicy>, Unavailable> {
    let direction = evidence.direction;
    let reads = |policy: &CompiledPolicy| policy.guards(direction) && policy.needs_scores();
    let shadow = options.shadow.filter(|shadow| shadow.guards(direction));
    if reads(options.policy) {
        score_parts(classifier, evidence, turns)?;
    } else if shadow.is_some_and(reads)
        && let Err(error) = score_parts(classifier, evidence, turns)
    {
        tracing::warn!(%error, "could not evaluate the shadow policy");
        return Ok(None);
    }
    Ok(shadow)
}

/// Scores every part, and then the earlier turns that these scores choose to be joined with the subject.
fn score_parts<'a>(
    classifier: &dyn Classifier,
    evidence: &mut Evidence<'a>,
    (submission, joined): (&Submission, &'a OnceCell<JoinedTurns>),
) -> Result<(), Unavailable> {
    evidence.scores = classifier.score_until(&evidence.parts, &evidence.deadline)?;
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
