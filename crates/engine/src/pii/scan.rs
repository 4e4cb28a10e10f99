//! One pass over a view for all kinds.

use std::{borrow::Cow, cell::OnceCell, collections::BTreeMap, sync::LazyLock};

use super::{
    Form, Found, Kind, Match,
    assignment::{self, Assignment},
    candidate,
    context::Context,
    kinds::KINDS,
    tables::{self, Cell, Column},
    tagger::{self, Tagged, tag::Entity, weights::Weights},
};
use crate::{
    span::Span,
    text::{Text, View, beginnings::beginnings},
};

/// What kinds that look for themselves may use.
pub struct Scan<'t> {
    /// The text of the view.
    pub text: &'t str,
    context: Context<'t>,
    beginnings: Cow<'t, [u32]>,
    assignments: OnceCell<Vec<Assignment>>,
    cells: OnceCell<Vec<Cell>>,
    tagged: OnceCell<Vec<Tagged>>,
}

impl<'t> Scan<'t> {
    /// A scan of `text`; nothing but beginnings of words is read until a kind asks for it.
    pub fn new(text: &'t str) -> Self {
        Self::with(text, beginnings(text).into())
    }

    /// A scan of what `view` shows.
    fn of(view: &'t View<'_>) -> Self {
        Self::with(&view.text, view.beginnings().into())
    }

    fn with(text: &'t str, beginnings: Cow<'t, [u32]>) -> Self {
        Self {
            text,
            context: Context::new(text),
            beginnings,
            assignments: OnceCell::new(),
            cells: OnceCell::new(),
            tagged: OnceCell::new(),
        }
    }

    /// Every place where a word may begin.
    pub(crate) fn beginnings(&self) -> &[u32] {
        &self.beginnings
    }

    /// Every `label: value` and `label = value` of the text, read once.
    pub fn assignments(&self) -> &[Assignment] {
        self.assignments.get_or_init(|| assignment::all(self.text))
    }

    /// Every value of a table whose heading says what it is, read once.
    pub(crate) fn cells(&self) -> &[Cell] {
        self.cells.get_or_init(|| tables::cells(self.text, self.assignments()))
    }

    /// The values of the columns that hold `column`.
    pub(crate) fn cells_of(&self, column: Column) -> impl Iterator<Item = Span> {
        self.cells().iter().filter(move |cell| cell.column == column).map(|cell| cell.span)
    }

    /// What the tagger takes for an `entity`; the text is tagged once, whoever asks.
    pub(crate) fn tagged(&self, entity: Entity) -> impl Iterator<Item = Match> {
        let all = self.tagged.get_or_init(|| tagger::tagged(&Weights::embedded(), self.text));
        let of_kind = all.iter().filter(move |one| one.entity == entity);
        of_kind.map(|one| Match { span: one.span, confidence: one.confidence })
    }

    /// Whether one of the context words of the kind named `kind` stands within 60 characters before or 30 after
    /// `value`, in the same paragraph. Each part of a text is read once, whoever asks.
    pub fn has_context(&self, kind: &str, value: Span) -> bool {
        KINDS
            .iter()
            .position(|other| other.name() == kind)
            .is_some_and(|kind| self.context.speaks_of(kind, value))
    }
}

/// Every kind's finds in every view of `text`, overlaps resolved, in order of appearance.
pub fn find_all(text: &Text<'_>) -> Vec<Found> {
    let claims = text.views().iter().enumerate().flat_map(|(order, view)| {
        let claims = claims(&Scan::of(view));
        claims.into_iter().map(move |claim| claim.seen_through(view, order))
    });
    let seen = without_overlaps(claims.collect());
    seen.into_iter().map(|claim| claim.found(text)).collect()
}

// What one kind says about one place.
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

    // The surest first; of equally sure ones the plainest reading, the longest, the first in `KINDS`.
    fn precedence(&self, other: &Self) -> std::cmp::Ordering {
        (other.confidence.total_cmp(&self.confidence))
            .then(self.view.cmp(&other.view))
            .then(other.place.len().cmp(&self.place.len()))
            .then(self.kind.cmp(&other.kind))
            .then(self.place.cmp(&other.place))
    }

    fn found(self, text: &Text<'_>) -> Found {
        let view = &text.views()[self.view];
        Found {
            kind: KINDS[self.kind].name(),
            span: self.place,
            confidence: self.confidence,
            value: self.read.of(&view.text).to_owned(),
            transforms: if self.view == 0 { Vec::new() } else { view.transforms.clone() },
        }
    }
}

fn claims(scan: &Scan<'_>) -> Vec<Claim> {
    let mut claims = numbers(scan);
    let mut matches = Vec::new();
    for (kind, looking) in KINDS.iter().enumerate() {
        looking.find(scan, &mut matches);
        claims.extend(matches.drain(..).map(|found| Claim::new(kind, found)));
    }
    claims
}

fn numbers(scan: &Scan<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let wanted = |length: usize| KINDS_OF_LENGTH.get(length).is_some_and(|kinds| !kinds.is_empty());
    candidate::each(scan.text, wanted, |candidate| {
        for &(kind, check) in &KINDS_OF_LENGTH[candidate.compact.len()] {
            let confidence = match check.check(candidate) {
                Some(Form::Distinctive(confidence)) => confidence,
                Some(Form::WithContext(confidence)) if scan.context.speaks_of(kind, candidate.span) => {
                    confidence
                }
                _ => continue,
            };
            claims.push(Claim::new(kind, Match { span: candidate.span, confidence }));
        }
    });
    claims
}

// A kind with its place in `KINDS`.
type Placed = (usize, &'static dyn Kind);

static KINDS_OF_LENGTH: LazyLock<Vec<Vec<Placed>>> =
    LazyLock::new(|| (0..=candidate::MAX_LENGTH).map(kinds_of_length).collect());

fn kinds_of_length(length: usize) -> Vec<Placed> {
    let fits = |kind: &dyn Kind| kind.compact_length().is_some_and(|lengths| lengths.contains(&length));
    KINDS.iter().copied().enumerate().filter(|(_, kind)| fits(*kind)).collect()
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
