//! The search for the custom types of a policy.

use std::{cell::LazyCell, cmp::Reverse, sync::Arc};

use super::CustomType;
use crate::{
    deadline::Deadline,
    patterns::PatternSet,
    pii::{
        Entity, EntityType,
        context::{Context, Words},
        labelled,
        tables::{self, Cell, Column},
        unsettled::waits_for_label,
    },
    span::Span,
    text::{Text, View, char_boundary},
};

/// Values of a type in one view. What follows the last of them counts as one value, so that nothing gets past the limit.
const MAX_VALUES: usize = 20_000;
/// Bytes before the end of a text that goes on in which a value may have begun.
const OPEN: usize = 256;
/// Confidence: the organization says what its values look like.
const CONFIDENCE: f32 = 1.0;

/// The custom types of a policy, ready to be searched for.
#[derive(Default)]
pub struct CustomTypes {
    types: Vec<Arc<CustomType>>,
    search: Option<Search>,
}

/// The patterns and labels of all types.
struct Search {
    patterns: PatternSet,
    labels: Words,
}

impl Search {
    /// Returns the cells of labelled columns, from left to right.
    fn cells(&self, text: &str) -> Vec<Cell> {
        let mut cells = tables::cells_under(text, &|heading| self.column(heading));
        cells.sort_unstable_by_key(|cell| cell.span);
        cells
    }

    /// Returns what a column with this heading holds.
    fn column(&self, heading: &str) -> Option<Column> {
        let kinds = self.labels.kinds_in(heading) as u32;
        (kinds != 0).then_some(Column::Custom(kinds))
    }
}

/// A value in a view.
#[derive(Clone, Copy)]
struct Reading {
    view: usize,
    read: Span,
    place: Span,
}

impl CustomTypes {
    /// Compiles the types; `None` if their patterns are too large together.
    pub fn new(types: Vec<Arc<CustomType>>) -> Option<Self> {
        if types.is_empty() {
            return Some(Self::default());
        }
        let hirs: Vec<_> = types.iter().map(|custom| custom.hir()).collect();
        let joined = |custom: &Arc<CustomType>| -> Vec<String> {
            custom.labels.iter().flat_map(|label| labelled::joined(label)).collect()
        };
        let labels = Words::of(types.iter().map(joined));
        let search = Search { patterns: PatternSet::new(&hirs)?, labels };
        Some(Self { types, search: Some(search) })
    }

    /// Returns whether the policy defines this type.
    pub fn defines(&self, kind: &EntityType) -> bool {
        matches!(kind, EntityType::Custom(custom) if self.types.contains(custom))
    }

    /// Iterates over the names of the types.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|custom| custom.name())
    }

    /// Returns the values of every type in every view of `text`, ordered by type and place. Values of different types may
    /// overlap, and values that different views show. Stops at the `deadline`.
    pub fn find(&self, text: &Text<'_>, deadline: &Deadline) -> Vec<Entity> {
        let Some(search) = &self.search else { return Vec::new() };
        let mut readings: Vec<Vec<Reading>> = self.types.iter().map(|_| Vec::new()).collect();
        for (order, view) in text.views().iter().enumerate() {
            self.read(search, (order, view), deadline, &mut readings);
        }
        let by_type = self.types.iter().zip(readings);
        by_type
            .flat_map(|(custom, readings)| {
                let entity = |reading| entity(text, custom, reading);
                not_contained(readings).map(entity)
            })
            .collect()
    }

    fn read(
        &self,
        search: &Search,
        (order, view): (usize, &View<'_>),
        deadline: &Deadline,
        readings: &mut [Vec<Reading>],
    ) {
        let context = LazyCell::new(|| Context::with(&view.text, &search.labels));
        let cells = LazyCell::new(|| search.cells(&view.text));
        let is_labelled =
            |index: usize, span: Span| context.speaks_of(index, span) || is_in_column(&cells, index, span);
        for index in search.patterns.candidates(&view.text, deadline) {
            let custom = &self.types[index];
            let counts = |span: &Span| {
                custom.checksum.is_none_or(|checksum| checksum.holds(span.of(&view.text)))
                    && (custom.labels.is_empty() || is_labelled(index, *span))
            };
            let (spans, _) = custom.pattern.find(&view.text, MAX_VALUES, deadline);
            let last = spans.last().filter(|_| spans.len() == MAX_VALUES);
            let rest = last.map(|last| Span::new(last.end, view.text.len())).filter(|rest| !rest.is_empty());
            let values = spans.iter().copied().filter(counts).chain(rest);
            readings[index].extend(values.map(|read| Reading {
                view: order,
                read,
                place: view.original(read),
            }));
        }
    }

    /// Returns the first byte of `text` from `floor` on that text behind its end may make part of a value. A value that is
    /// longer than [`OPEN`] may have begun earlier.
    pub(crate) fn unsettled(&self, text: &str, floor: usize) -> usize {
        let Some(search) = &self.search else { return text.len() };
        let from = char_boundary::ceil(text, text.len().saturating_sub(OPEN)).max(floor);
        let open = search.patterns.open_from(text, from).unwrap_or(text.len());
        // A label may still follow.
        let labelled = self.types.iter().filter(|custom| !custom.labels.is_empty());
        let values = labelled.flat_map(|custom| custom.pattern.find(text, MAX_VALUES, &Deadline::none()).0);
        let waits = values.filter(|value| value.start >= floor && waits_for_label(text, value.end));
        waits.map(|value| value.start).fold(open, usize::min)
    }

    /// Returns the heading of the table that may go on behind the end of `text`.
    pub(crate) fn open_table(&self, text: &str) -> Option<Span> {
        let search = self.search.as_ref()?;
        tables::open_table_under(text, &|heading| search.column(heading))
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        let types: usize = self.types.iter().map(|custom| custom.memory_usage()).sum();
        types + self.search.as_ref().map_or(0, |search| search.patterns.memory_usage())
    }
}

/// Returns whether the cell around this value is in a column of the type with this index.
fn is_in_column(cells: &[Cell], index: usize, value: Span) -> bool {
    let before = cells.partition_point(|cell| cell.span.start <= value.start);
    let around = cells[..before].last().filter(|cell| value.end <= cell.span.end);
    around.is_some_and(|cell| matches!(cell.column, Column::Custom(kinds) if kinds >> index & 1 == 1))
}

/// Returns the readings that are not inside another one, in order of appearance; of equal ones that of the plainest view.
fn not_contained(mut readings: Vec<Reading>) -> impl Iterator<Item = Reading> {
    readings.sort_unstable_by_key(|reading| (reading.place.start, Reverse(reading.place.end), reading.view));
    let mut end = 0;
    readings.into_iter().filter(move |reading| {
        let is_new = reading.place.end > end;
        end = end.max(reading.place.end);
        is_new
    })
}

fn entity(text: &Text<'_>, custom: &Arc<CustomType>, reading: Reading) -> Entity {
    let view = &text.views()[reading.view];
    Entity {
        kind: EntityType::Custom(Arc::clone(custom)),
        span: reading.place,
        confidence: CONFIDENCE,
        value: reading.read.of(&view.text).to_owned(),
        transforms: if reading.view == 0 { Vec::new() } else { view.transforms.clone() },
    }
}
