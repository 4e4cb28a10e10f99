//! Evaluation with a second opinion from the organization's language model. No processor is held while waiting for
//! the model.

use std::time::Instant;

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{
    policy::{Opinion, second_opinion::is_open},
    scores::Scores,
};
use guardengine_integrations::connectors::OpenConnector;

use crate::{
    Error, Guard, GuardRequest,
    evaluate::{Evaluation, EvaluationOptions, conclude, with_evidence},
    pipeline::{Inputs, unavailable},
    policy_context::PolicyContext,
    scoring::score,
    second_opinion::{Excerpt, ExcerptOptions, name},
    split_turns::JoinedTurns,
    submission::Submission,
    timing::{Stage, StageTimings},
};

/// The result of evaluating a submission before a second opinion.
enum FirstPass {
    /// No second opinion could change the decision.
    Settled(Box<Evaluation>),
    /// A second opinion could change the decision.
    Open(Box<OpenCase>),
}

/// Data for the second opinion and for the evaluation after it.
struct OpenCase {
    scores: Scores,
    joined: JoinedTurns,
    has_shadow: bool,
    excerpt: Excerpt,
    spent: StageTimings,
}

impl Guard {
    /// Returns the connector that gives the second opinion, or an error without an active connector.
    pub(crate) async fn opinion_provider(
        &self,
        call: &GuardRequest,
        context: &PolicyContext,
    ) -> Result<OpenConnector, Error> {
        self.second_opinions.provider(call.caller.org_id, &context.compiled).await
    }

    /// Evaluates a call, asking `provider` for a second opinion if that could change the decision.
    pub(crate) async fn evaluate_with_opinion(
        &self,
        inputs: &Inputs,
        provider: &OpenConnector,
    ) -> Result<Evaluation, Error> {
        let (is_internal, shared) = (provider.is("internal"), inputs.clone());
        let first = move |classifier: &dyn Classifier| {
            first_pass(classifier, &shared.call.submission, &shared.options(), is_internal)
        };
        let (org, bytes) = inputs.size();
        let open = match self.run_on_cpu(org, bytes, first).await?.map_err(|error| unavailable(&error))? {
            FirstPass::Settled(evaluation) => return Ok(*evaluation),
            FirstPass::Open(open) => *open,
        };
        let (policy, excerpt, asked_at) = (&inputs.context.compiled, &open.excerpt, Instant::now());
        let opinion = self.second_opinions.opinion(provider, policy, excerpt, &inputs.keys.mask).await?;
        let (waited, shared) = (asked_at.elapsed(), inputs.clone());
        let second =
            move |_: &dyn Classifier| reevaluate(&shared.call.submission, &shared.options(), open, &opinion);
        let mut evaluation =
            self.run_on_cpu(org, bytes, second).await?.map_err(|error| unavailable(&error))?;
        evaluation.spent.add(Stage::Opinion, waited);
        Ok(Evaluation { advised_by: Some(name(provider)), ..evaluation })
    }
}

fn first_pass(
    classifier: &dyn Classifier,
    submission: &Submission,
    options: &EvaluationOptions<'_>,
    is_internal: bool,
) -> Result<FirstPass, Unavailable> {
    with_evidence(submission, options, |mut evidence, joined, mut stopwatch| {
        let shadow = score(classifier, &mut evidence, (submission, joined), options)?;
        stopwatch.lap(Stage::Scores);
        if !is_open(options.policy, &evidence, options.asked) {
            let evaluation = conclude(&evidence, options, shadow, None, stopwatch)?;
            return Ok(FirstPass::Settled(Box::new(evaluation)));
        }
        let excerpt_options = ExcerptOptions { policy: options.policy, is_internal, keys: options.keys };
        let excerpt = Excerpt::of(&evidence, excerpt_options);
        stopwatch.lap(Stage::Verdict);
        let (has_shadow, spent) = (shadow.is_some(), stopwatch.spent);
        let (scores, joined) = (evidence.scores, joined.get().cloned().unwrap_or_default());
        Ok(FirstPass::Open(Box::new(OpenCase { scores, joined, has_shadow, excerpt, spent })))
    })
}

/// Evaluates a submission with the second opinion. The views are built again, which is cheap, and the scores are reused.
fn reevaluate(
    submission: &Submission,
    options: &EvaluationOptions<'_>,
    open: OpenCase,
    opinion: &Opinion,
) -> Result<Evaluation, Unavailable> {
    with_evidence(submission, options, |mut evidence, joined, mut stopwatch| {
        stopwatch.include(&open.spent);
        joined.get_or_init(|| open.joined).add_to(&mut evidence);
        evidence.scores = open.scores;
        conclude(&evidence, options, options.shadow.filter(|_| open.has_shadow), Some(opinion), stopwatch)
    })
}
