//! Allowed keywords and exceptions, which let findings through in the part that has the word.

use super::CompiledPolicy;
use crate::{
    evidence::{Author, Evidence, Origin, Part},
    keywords::Keywords,
};

/// Returns for each part whether it is the user's and contains one of the words. Words in documents waive nothing: whoever
/// plants an order there would write them beside it.
pub(super) fn parts_with(keywords: &Keywords, evidence: &Evidence<'_>) -> Vec<bool> {
    let is_users =
        |part: &Part<'_>| part.origin.is_sent() || matches!(part.origin, Origin::Turn(_, Author::User));
    let contains = |part: &Part<'_>| is_users(part) && keywords.find(&part.text).is_some();
    evidence.parts.iter().map(contains).collect()
}

/// Returns whether each of `parts`, in which a guardrail triggered, contains an allowed keyword or an exception of it.
pub(super) fn is_waived(
    parts: &[usize],
    allowed: &[bool],
    policy: &CompiledPolicy,
    evidence: &Evidence<'_>,
    guardrail: &str,
) -> bool {
    let enabled = policy.enabled.iter().find(|enabled| enabled.guardrail.name == guardrail);
    let excepted = enabled.map(|enabled| parts_with(&enabled.exceptions, evidence));
    let covers = |words: &[bool], part: usize| words.get(part).copied().unwrap_or(false);
    let is_covered =
        |part: &usize| covers(allowed, *part) || excepted.as_ref().is_some_and(|words| covers(words, *part));
    !parts.is_empty() && parts.iter().all(is_covered)
}
