//! A replica's journal: waiting decisions go into one transaction, as in the service.

use std::collections::{BTreeSet, VecDeque};

use super::{
    installation::{Demands, POSTGRES, serving},
    network::Move,
};

/// Maximum number of decisions in one transaction, as in the service.
const BATCH: usize = 256;
/// Numbers of rows in one statement, as in the service.
const CHUNKS: [usize; 3] = [32, 8, 1];

/// Waiting callers, and those of the current transaction.
#[derive(Default)]
pub struct Journal {
    /// Callers whose decisions wait.
    pub waiting: VecDeque<usize>,
    /// Callers whose rows are in the transaction.
    pub batch: Vec<usize>,
}

impl Journal {
    /// Takes the next batch and returns the steps of its transaction: it begins, locks the organisations' rows in order
    /// and in pieces, writes rows and entries in pieces, and commits.
    pub fn begin(
        &mut self,
        number: usize,
        demands: &Demands,
        organisation: impl Fn(usize) -> usize,
    ) -> Vec<Move> {
        let size = self.waiting.len().min(BATCH);
        self.batch = self.waiting.drain(..size).collect();
        let organisations: BTreeSet<usize> = self.batch.iter().map(|caller| organisation(*caller)).collect();
        let organisations: Vec<usize> = organisations.into_iter().collect();
        let mut moves = Vec::new();
        let mut state = |rows: usize, locked: &[usize]| {
            moves.push(Move::Work(serving(number), demands.asking));
            moves.push(Move::Wait(demands.round_trip));
            moves.extend(locked.iter().copied().map(Move::Lock));
            // A row's cost is that of the row and of its entry: half to each statement.
            moves.push(Move::Work(POSTGRES, demands.statement + rows as u64 * demands.row / 2));
        };
        state(0, &[]);
        let mut unlocked = organisations.as_slice();
        for count in pieces(organisations.len()) {
            let (locked, rest) = unlocked.split_at(count);
            state(0, locked);
            unlocked = rest;
        }
        for _rows_then_entries in 0..2 {
            for rows in pieces(size) {
                state(rows, &[]);
            }
        }
        state(0, &[]);
        moves.push(Move::Wait(demands.flush));
        moves.extend(organisations.into_iter().map(Move::Unlock));
        moves
    }
}

/// Returns the sizes of the statements that write `rows` rows.
fn pieces(mut rows: usize) -> Vec<usize> {
    let mut pieces = Vec::new();
    while let Some(size) = CHUNKS.into_iter().find(|size| *size <= rows) {
        pieces.push(size);
        rows -= size;
    }
    pieces
}

/// Returns the mean number of statements of a transaction, if batches come in every size up to twice the mean.
pub fn statements(mean: f64) -> f64 {
    let largest = ((2.0 * mean).round() as usize).saturating_sub(1).max(1);
    let all: usize = (1..=largest).map(|rows| 3 + 2 * pieces(rows).len()).sum();
    all as f64 / largest as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_takes_the_waiting_callers_and_locks_each_organisation_once() {
        let mut journal = Journal { waiting: (0..300).collect(), batch: Vec::new() };
        let moves = journal.begin(0, &Demands::default(), |caller| caller % 3);
        assert_eq!((journal.batch.len(), journal.waiting.len()), (256, 44));
        let locks: Vec<_> = moves.iter().filter(|one| matches!(one, Move::Lock(_))).collect();
        assert_eq!(locks, [&Move::Lock(0), &Move::Lock(1), &Move::Lock(2)]);
        assert_eq!(moves.iter().filter(|one| matches!(one, Move::Unlock(_))).count(), 3);
    }

    #[test]
    fn a_transaction_of_one_row_has_five_statements() {
        assert_eq!(statements(1.0), 5.0);
        assert_eq!(pieces(45), [32, 8, 1, 1, 1, 1, 1]);
    }
}
