//! Judging with an opinion of the organisation's language model. While that is waited for, no processor is held.

use std::{sync::Arc, time::Instant};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{
    policy::{Opinion, opinion::is_open},
    scores::Scores,
};

use super::{
    Call, Guard,
    answering::{terms, unavailable},
    judge::{Judged, Terms, conclude, score, with_evidence},
    standing::Standing,
    submission::Submission,
    timing::{Spent, Stage},
};
use crate::{
    connectors::Connector,
    http::Error,
    reasoning::{Manner, Material, name},
    vault::OrgKeys,
};

/// A first look at a submission.
enum Look {
    /// No opinion could change what becomes of it.
    Settled(Box<Judged>),
    /// One could.
    Open(Open),
}

/// What is needed to judge a submission again, and what an opinion is asked about.
struct Open {
    scores: Scores,
    has_shadow: bool,
    material: Material,
    spent: Spent,
}

impl Guard {
    /// Whom a call wants to be asked; 400 where there is nobody.
    pub(super) async fn adviser(&self, call: &Call, standing: &Standing) -> Result<Option<Connector>, Error> {
        if !call.reasoning {
            return Ok(None);
        }
        self.reasoning.adviser(call.caller.org_id, &standing.compiled).await.map(Some)
    }

    /// Judges with the opinion of `adviser`, where it could change something.
    pub(super) async fn judge_advised(
        &self,
        call: Call,
        standing: Standing,
        keys: Arc<OrgKeys>,
        adviser: Connector,
    ) -> Result<(Call, Standing, Judged), Error> {
        let (is_internal, org_keys) = (adviser.is("internal"), Arc::clone(&keys));
        let first = move |classifier: &dyn Classifier| {
            let look = look(classifier, &call.submission, &terms(&call, &standing, &org_keys), is_internal);
            (call, standing, look)
        };
        let (call, standing, look) = self.on_processor(first).await?;
        let open = match look.map_err(|fault| unavailable(&fault))? {
            Look::Settled(judged) => return Ok((call, standing, *judged)),
            Look::Open(open) => open,
        };
        let (policy, material, asked_at) = (&standing.compiled, &open.material, Instant::now());
        let opinion = self.reasoning.opinion(&adviser, policy, material, &keys.mask).await?;
        let waited = asked_at.elapsed();
        let second = move |_: &dyn Classifier| {
            let judged = judge_again(&call.submission, &terms(&call, &standing, &keys), open, &opinion);
            (call, standing, judged)
        };
        let (call, standing, mut judged) = self.on_processor(second).await?;
        judged.spent.add(Stage::Opinion, waited);
        Ok((call, standing, Judged { advised_by: Some(name(&adviser)), ..judged }))
    }
}

fn look(
    classifier: &dyn Classifier,
    submission: &Submission,
    terms: &Terms<'_>,
    is_internal: bool,
) -> Result<Look, Unavailable> {
    with_evidence(submission, |mut evidence, mut watch| {
        let shadow = score(classifier, &mut evidence, terms)?;
        watch.lap(Stage::Scores);
        if !is_open(terms.policy, &evidence, terms.asked) {
            return Ok(Look::Settled(Box::new(conclude(&evidence, terms, shadow, None, watch))));
        }
        let manner = Manner { policy: terms.policy, is_internal, keys: terms.keys };
        let material = Material::of(&evidence, manner);
        watch.lap(Stage::Verdict);
        let (has_shadow, spent) = (shadow.is_some(), watch.spent);
        Ok(Look::Open(Open { has_shadow, scores: evidence.scores, material, spent }))
    })
}

/// The same views are made again, which is cheap, and the scores hold for them.
fn judge_again(submission: &Submission, terms: &Terms<'_>, open: Open, opinion: &Opinion) -> Judged {
    with_evidence(submission, |mut evidence, mut watch| {
        watch.include(&open.spent);
        evidence.scores = open.scores;
        conclude(&evidence, terms, terms.shadow.filter(|_| open.has_shadow), Some(opinion), watch)
    })
}
