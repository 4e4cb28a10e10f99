//! Judging with an opinion of the organisation's language model. While that is waited for, no processor is held.

use std::{sync::Arc, time::Instant};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{
    policy::{Opinion, opinion::is_open},
    scores::Scores,
};

use super::{
    Guard, GuardRequest,
    evaluate::{Evaluation, EvaluationOptions, conclude, score, with_evidence},
    pipeline::{terms, unavailable},
    policy_context::PolicyContext,
    submission::Submission,
    timing::{Stage, StageTimings},
};
use crate::{
    connectors::OpenConnector,
    http::Error,
    reasoning::{Excerpt, ExcerptOptions, name},
    vault::OrgKeys,
};

/// A first look at a submission.
enum Look {
    /// No opinion could change what becomes of it.
    Settled(Box<Evaluation>),
    /// One could.
    Open(Open),
}

/// What is needed to judge a submission again, and what an opinion is asked about.
struct Open {
    scores: Scores,
    has_shadow: bool,
    material: Excerpt,
    spent: StageTimings,
}

impl Guard {
    /// Whom a call wants to be asked; 400 where there is nobody.
    pub(super) async fn opinion_provider(
        &self,
        call: &GuardRequest,
        standing: &PolicyContext,
    ) -> Result<Option<OpenConnector>, Error> {
        if !call.reasoning {
            return Ok(None);
        }
        self.reasoning.provider(call.caller.org_id, &standing.compiled).await.map(Some)
    }

    /// Judges with the opinion of `provider`, where it could change something.
    pub(super) async fn evaluate_with_opinion(
        &self,
        call: GuardRequest,
        standing: PolicyContext,
        keys: Arc<OrgKeys>,
        provider: OpenConnector,
    ) -> Result<(GuardRequest, PolicyContext, Evaluation), Error> {
        let (is_internal, org_keys) = (provider.is("internal"), Arc::clone(&keys));
        let first = move |classifier: &dyn Classifier| {
            let look = look(classifier, &call.submission, &terms(&call, &standing, &org_keys), is_internal);
            (call, standing, look)
        };
        let (call, standing, look) = self.run_on_cpu(first).await?;
        let open = match look.map_err(|fault| unavailable(&fault))? {
            Look::Settled(judged) => return Ok((call, standing, *judged)),
            Look::Open(open) => open,
        };
        let (policy, material, asked_at) = (&standing.compiled, &open.material, Instant::now());
        let opinion = self.reasoning.opinion(&provider, policy, material, &keys.mask).await?;
        let waited = asked_at.elapsed();
        let second = move |_: &dyn Classifier| {
            let judged = judge_again(&call.submission, &terms(&call, &standing, &keys), open, &opinion);
            (call, standing, judged)
        };
        let (call, standing, mut judged) = self.run_on_cpu(second).await?;
        judged.spent.add(Stage::Opinion, waited);
        Ok((call, standing, Evaluation { advised_by: Some(name(&provider)), ..judged }))
    }
}

fn look(
    classifier: &dyn Classifier,
    submission: &Submission,
    terms: &EvaluationOptions<'_>,
    is_internal: bool,
) -> Result<Look, Unavailable> {
    with_evidence(submission, |mut evidence, mut watch| {
        let shadow = score(classifier, &mut evidence, terms)?;
        watch.lap(Stage::Scores);
        if !is_open(terms.policy, &evidence, terms.asked) {
            return Ok(Look::Settled(Box::new(conclude(&evidence, terms, shadow, None, watch))));
        }
        let manner = ExcerptOptions { policy: terms.policy, is_internal, keys: terms.keys };
        let material = Excerpt::of(&evidence, manner);
        watch.lap(Stage::Verdict);
        let (has_shadow, spent) = (shadow.is_some(), watch.spent);
        Ok(Look::Open(Open { has_shadow, scores: evidence.scores, material, spent }))
    })
}

/// The same views are made again, which is cheap, and the scores hold for them.
fn judge_again(
    submission: &Submission,
    terms: &EvaluationOptions<'_>,
    open: Open,
    opinion: &Opinion,
) -> Evaluation {
    with_evidence(submission, |mut evidence, mut watch| {
        watch.include(&open.spent);
        evidence.scores = open.scores;
        conclude(&evidence, terms, terms.shadow.filter(|_| open.has_shadow), Some(opinion), watch)
    })
}
