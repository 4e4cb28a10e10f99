//! Names of private people.

mod bare;
mod caseless_scripts;
mod columns;
mod context_after;
mod context_before;
mod full_name;
mod grammar;
mod initials;
mod introduced;
mod introductions;
mod inverted;
pub(in crate::pii) mod lists;
mod lowercase;
mod not_names;
mod notability;
mod tagged;
mod titles;
mod words;

use crate::{
    pii::{Match, PiiType, Scanner, mask, nearby},
    span::Span,
};

/// Names of people, where something besides a capital letter says that they are: a title, an introduction, a form
/// field, or a given name and a surname that are known to be such.
///
/// Why: names are what most leaks consist of. People of public record ("Who was Marie Curie?") are not private and
/// are passed over, unless private details stand beside them. A name alone is
/// worth masking, not worth stopping a text.
///
/// Found: `my name is Jane Smith`. Not found: `explain Newton's laws`.
pub struct PersonName;

impl PiiType for PersonName {
    fn name(&self) -> &'static str {
        "person_name"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        found.extend(names(scan));
    }

    fn partial(&self, value: &str) -> String {
        mask::keep_initials(value)
    }
}

/// Every name in the text, apart from each other, in order of appearance.
fn names(scan: &Scanner<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    full_name::find(scan.text, &mut found);
    introduced::find(scan, &mut found);
    columns::find(scan, &mut found);
    tagged::find(scan, &mut found);
    for one in &mut found {
        one.span.end = grammar::whole_end(scan.text, one.span.end);
    }
    found.sort_by_key(|one| one.span.start);
    let mut apart: Vec<Match> = Vec::with_capacity(found.len());
    for one in found {
        match apart.last_mut().filter(|last| last.span.overlaps(one.span)) {
            Some(last) => {
                let confidence = last.confidence.max(one.confidence);
                *last = Match { span: last.span.cover(one.span), confidence };
            }
            None => apart.push(one),
        }
    }
    apart
}

/// Whether `text` names a person of public record.
pub(super) fn speaks_of_the_public(text: &str) -> bool {
    let mut speaks = false;
    words::each_run(text, |run| {
        let names = |first: usize| {
            (first..run.len()).map(move |last| Span::new(run[first].span.start, run[last].span.end))
        };
        speaks |= (0..run.len()).flat_map(names).any(|span| lists::is_public(span.of(text)));
    });
    speaks
}

/// What stands around `span`, up to `reach` bytes each way.
fn around(text: &str, span: Span, reach: usize) -> (&str, &str) {
    (nearby::before(text, span.start, reach), nearby::after(text, span.end, reach))
}

#[cfg(test)]
mod tests;
