//! Texts without annotations: capitalized words that are in no list of names are taken not to be names.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_engine::pii::tagger::{span_candidate, tag::Tag, token::Token};
use guardengine_evaluation::{LabeledText as Row, read};

use super::example::{Example, push};

/// Maximum number of texts of a file, evenly spread, and of bytes of each.
const TEXTS: usize = 1500;
const BYTES: usize = 1200;
/// Weight of an example: low, because they are many and uncertain.
const WEIGHT: f32 = 0.2;

/// A source of word problems with invented people: a given name alone is nobody there.
const EXERCISES: &str = "gsm8k";

/// Returns the words of plain texts in islands without a known name and without a house number.
pub fn examples(paths: &[PathBuf]) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for path in paths {
        let rows = read(path)?;
        for suite in rows.chunk_by(|one, next| one.suite == next.suite) {
            for row in suite.iter().step_by(suite.len().div_ceil(TEXTS)) {
                take(row, &mut examples);
            }
        }
    }
    Ok(examples)
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(BYTES)]
}

fn take(row: &Row, examples: &mut Vec<Example>) {
    let text = beginning(&row.text);
    let names_nobody = row.suite == EXERCISES;
    span_candidate::each(text, |island| {
        let inner = &island.tokens()[island.inner()];
        let may_name = |token: &Token<'_>| token.may_name() || text[..token.span.start].ends_with('@');
        let is_mixed = inner.iter().any(Token::is_number) && inner.len() > 2;
        if (inner.iter().any(may_name) && !(names_nobody && inner.len() == 1)) || is_mixed {
            return;
        }
        let tags = vec![Tag::Other; inner.len()];
        push(island, &tags, "plain", WEIGHT, |_| true, examples);
    });
}
