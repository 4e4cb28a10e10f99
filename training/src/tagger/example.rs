//! Training examples of the tagger: words as features.

use guardengine_engine::{
    pii::tagger::{
        features::{COUNT, Feature, features},
        span_candidate::{self, Island},
        tag::{EntityClass, Tag},
        token::Token,
    },
    span::Span,
};

use super::corpus::Text;

/// A word and its tag.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its features.
    pub features: [Feature; COUNT],
    /// The same for a reader without lists of names.
    pub unlisted: [Feature; COUNT],
    /// Tag of the previous word.
    pub before: Tag,
    /// Tag of the word.
    pub tag: Tag,
    /// Weight in the loss.
    pub weight: f32,
    /// The source of its text.
    pub source: String,
}

/// Returns the words of all texts.
pub fn all(texts: &[Text]) -> Vec<Example> {
    let mut examples = Vec::new();
    for text in texts {
        span_candidate::each(&text.text, |island| {
            let tags = tags(text, island);
            let known = |token: &Token<'_>| !is_open(text, token);
            push(island, &tags, &text.source, 1.0, known, &mut examples);
        });
    }
    examples
}

/// Adds the words of an island whose `tags` are `known`.
pub fn push(
    island: &mut Island<'_>,
    tags: &[Tag],
    source: &str,
    weight: f32,
    known: impl Fn(&Token<'_>) -> bool,
    examples: &mut Vec<Example>,
) {
    let first = examples.len();
    let mut before = Tag::Other;
    let mut kept = Vec::new();
    for (place, &tag) in island.inner().zip(tags) {
        if known(&island.tokens()[place]) {
            kept.push((place, before));
            let features = features(island.tokens(), place, before);
            examples.push(Example {
                features,
                unlisted: features,
                before,
                tag,
                weight,
                source: source.to_owned(),
            });
        }
        before = tag;
    }
    island.tokens_mut().iter_mut().for_each(Token::forget_lists);
    for (example, (place, before)) in examples[first..].iter_mut().zip(kept) {
        example.unlisted = features(island.tokens(), place, before);
    }
}

/// Returns true for handles in tweets, which the annotators did not mark.
fn is_open(text: &Text, token: &Token<'_>) -> bool {
    text.source == "wnut17" && text.text[..token.span.start].ends_with('@')
}

fn tags(text: &Text, island: &Island<'_>) -> Vec<Tag> {
    let mut last = None;
    let mut tag = |place: usize| {
        let marked = marked(text, island.tokens()[place].span);
        let is_first = marked.is_none() || marked != last;
        last = marked;
        marked.map_or(Tag::Other, |(_, entity)| Tag::of(entity, is_first))
    };
    island.inner().map(&mut tag).collect()
}

fn marked(text: &Text, span: Span) -> Option<(Span, EntityClass)> {
    let mark = text.marks.iter().find(|mark| mark.span.overlaps(span))?;
    Some((mark.span, mark.entity()?))
}
