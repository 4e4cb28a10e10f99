//! Scans a view once for all PII types.

use std::{borrow::Cow, cell::OnceCell, collections::BTreeMap, sync::LazyLock};

use super::{
    Certainty, Entity, Match, PiiType, candidate,
    context::Context,
    key_value::{self, Assignment},
    labelled::{self, Field},
    tables::{self, Cell, Column},
    tagger::{self, Tagged, tag::EntityClass, weights::Weights},
    types::PII_TYPES,
};
use crate::{
    span::Span,
    text::{Text, View, word_starts::word_starts},
};

/// What PII types can use to search a view.
pub struct Scanner<'t> {
    /// The text of the view.
    pub text: &'t str,
    context: Context<'t>,
    word_starts: Cow<'t, [u32]>,
    assignments: OnceCell<Vec<Assignment>>,
    cells: OnceCell<Vec<Cell>>,
    fields: OnceCell<Vec<Field>>,
    tagged: OnceCell<Vec<Tagged>>,
}

impl<'t> Scanner<'t> {
    /// Creates a scanner of `text`. Everything but the word starts is computed on first use.
    pub fn new(text: &'t str) -> Self {
        Self::with(text, word_starts(text).into())
    }

    /// Creates a scanner of `view`.
    fn of(view: &'t View<'_>) -> Self {
        Self::with(&view.text, view.word_starts().into())
    }

    fn with(text: &'t str, word_starts: Cow<'t, [u32]>) -> Self {
        Self {
            text,
            context: Context::new(text),
            word_starts,
            assignments: OnceCell::new(),
            cells: OnceCell::new(),
            fields: OnceCell::new(),
            tagged: OnceCell::new(),
        }
    }

    /// Returns the locations where a word may begin.
    pub(crate) fn word_starts(&self) -> &[u32] {
        &self.word_starts
    }

    /// Returns every `label: value` and `label = value` of the text. Computed once.
    pub fn assignments(&self) -> &[Assignment] {
        self.assignments.get_or_init(|| key_value::all(self.text))
    }

    /// Returns every value with its label. Computed once.
    pub(crate) fn fields(&self) -> &[Field] {
        self.fields.get_or_init(|| labelled::fields(self.text))
    }

    /// Returns every value of a table with a meaningful heading. Computed once.
    pub(crate) fn cells(&self) -> &[Cell] {
        self.cells.get_or_init(|| tables::cells(self.text, self.assignments()))
    }

    /// Iterates over the values of columns of this kind.
    pub(crate) fn cells_of(&self, column: Column) -> impl Iterator<Item = Span> {
        self.cells().iter().filter(move |cell| cell.column == column).map(|cell| cell.span)
    }

    /// Iterates over the spans that the tagger assigns to `entity`. The text is tagged once.
    pub(crate) fn tagged(&self, entity: EntityClass) -> impl Iterator<Item = Match> {
        let all = self.tagged.get_or_init(|| tagger::tagged(&Weights::embedded(), self.text));
        let of_kind = all.iter().filter(move |one| one.entity == entity);
        of_kind.map(|one| Match { span: one.span, confidence: one.confidence })
    }

    /// Returns whether a context word of the PII type named `kind` is within 60 characters before or 30 after `value`, in
    /// the same paragraph. Each part of a text is read once.
    pub fn has_context(&self, kind: &str, value: Span) -> bool {
        PII_TYPES
            .iter()
            .position(|other| other.name() == kind)
            .is_some_and(|kind| self.context.speaks_of(kind, value))
    }
}

/// Returns the entities of every PII type in every view of `text`, without overlaps, in order of appearance.
pub fn find_all(text: &Text<'_>) -> Vec<Entity> {
    let claims = text.views().iter().enumerate().flat_map(|(order, view)| {
        let claims = claims(&Scanner::of(view));
        claims.into_iter().map(move |claim| claim.seen_through(view, order))
    });
    let seen = without_overlaps(claims.collect());
    seen.into_iter().map(|claim| claim.found(text)).collect()
}

// A location claimed by one PII type.
#[derive(Clone, Copy, Debug)]
struct Claim {
    kind: usize,
    view: usize,
    // In the view that was scanned.
    read: Span,
    // In the original.
    place: Span,
    confidence: f32,
}

impl Claim {
    fn new(kind: usize, found: Match) -> Self {
        Self { kind, view: 0, read: found.span, place: found.span, confidence: found.confidence }
    }

    fn seen_through(self, view: &View<'_>, order: usize) -> Self {
        Self { view: order, place: view.original(self.read), ..self }
    }

    // The most certain first; among equals the plainest view, the longest, the first in `PII_TYPES`.
    fn precedence(&self, other: &Self) -> std::cmp::Ordering {
        (other.confidence.total_cmp(&self.confidence))
            .then(self.view.cmp(&other.view))
            .then(other.place.len().cmp(&self.place.len()))
            .then(self.kind.cmp(&other.kind))
            .then(self.place.cmp(&other.place))
    }

    fn found(self, text: &Text<'_>) -> Entity {
        let view = &text.views()[self.view];
        Entity {
            kind: PII_TYPES[self.kind].name().into(),
            span: self.place,
            confidence: self.confidence,
            value: self.read.of(&view.text).to_owned(),
            transforms: if self.view == 0 { Vec::new() } else { view.transforms.clone() },
        }
    }
}

fn claims(scan: &Scanner<'_>) -> Vec<Claim> {
    let mut claims = numbers(scan);
    let mut matches = Vec::new();
    for (kind, looking) in PII_TYPES.iter().enumerate() {
        looking.find(scan, &mut matches);
        matches.extend(scan.fields().iter().filter_map(|field| looking.labelled(scan, field)));
        claims.extend(matches.drain(..).map(|found| Claim::new(kind, found)));
    }
    claims
}

fn numbers(scan: &Scanner<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let wanted = |length: usize| KINDS_OF_LENGTH.get(length).is_some_and(|kinds| !kinds.is_empty());
    candidate::each(scan.text, wanted, |candidate| {
        for &(kind, check) in &KINDS_OF_LENGTH[candidate.compact.len()] {
            let confidence = match check.check(candidate) {
                Some(Certainty::Distinctive(confidence)) => confidence,
                Some(Certainty::WithContext(confidence))
                    if !candidate.is_joined && scan.context.speaks_of(kind, candidate.span) =>
                {
                    confidence
                }
                _ => continue,
            };
            claims.push(Claim::new(kind, Match { span: candidate.span, confidence }));
        }
    });
    claims
}

// A PII type with its index in `PII_TYPES`.
type Placed = (usize, &'static dyn PiiType);

static KINDS_OF_LENGTH: LazyLock<Vec<Vec<Placed>>> =
    LazyLock::new(|| (0..=candidate::MAX_LENGTH).map(kinds_of_length).collect());

fn kinds_of_length(length: usize) -> Vec<Placed> {
    let fits = |kind: &dyn PiiType| kind.compact_length().is_some_and(|lengths| lengths.contains(&length));
    PII_TYPES.iter().copied().enumerate().filter(|(_, kind)| fits(*kind)).collect()
}

fn without_overlaps(mut claims: Vec<Claim>) -> Vec<Claim> {
    claims.sort_unstable_by(Claim::precedence);
    let mut kept = BTreeMap::<usize, Claim>::new();
    for claim in claims {
        let before = kept.range(..claim.place.end).next_back();
        if !claim.place.is_empty() && before.is_none_or(|(_, other)| !other.place.overlaps(claim.place)) {
            kept.insert(claim.place.start, claim);
        }
    }
    kept.into_values().collect()
}
