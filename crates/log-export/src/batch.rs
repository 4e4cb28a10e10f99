//! Exports one batch of an organization's log entries: reads it, publishes it and moves the position.

use guardengine_store::{Db, ExportBacklog, LogFilter, LogSize, SequencedLogEntry};

use crate::{
    error::Error,
    message::Message,
    published::Published,
    sink::Sink,
    status::{Outcome, count},
};

/// Maximum number of log entries in a batch.
const MAX_ENTRIES: u16 = 500;
/// Maximum size of the texts in a batch, in bytes, unless its first entry alone has more.
const MAX_BYTES: i64 = 4 << 20;

/// Exports the next log entries of an organization, for the export with this name.
pub async fn export(db: &Db, name: &str, sink: &mut Sink, backlog: &ExportBacklog) -> Result<(), Error> {
    let ExportBacklog { org_id, position, newest } = *backlog;
    let sizes = db.log_sizes_after(org_id, position, MAX_ENTRIES).await?;
    let limit = batch_size(&sizes);
    let (entries, _) = db.logs_after(org_id, &LogFilter::default(), position, limit).await?;
    let sequences: Vec<i64> = entries.iter().map(|entry: &SequencedLogEntry| entry.sequence).collect();
    let messages = entries.into_iter().map(Message::of).collect::<Result<Vec<_>, _>>()?;
    let Published { outcomes, error } =
        if messages.is_empty() { Published::default() } else { sink.publish(org_id, messages).await };
    let new_position = new_position(position, newest, &sequences, outcomes.len());
    if new_position > position && db.advance_log_export(name, org_id, (position, new_position)).await? {
        record_outcomes(backlog, new_position, &outcomes);
    }
    error.map_or(Ok(()), Err)
}

/// Returns the number of log entries to read.
fn batch_size(sizes: &[LogSize]) -> u16 {
    let mut left = MAX_BYTES;
    let fits = |size: &&LogSize| {
        left -= size.bytes;
        left >= 0
    };
    (sizes.iter().take_while(fits).count() as u16).max(1)
}

/// Returns the sequence number up to which everything is exported: the last finished entry, or the newest one if none exist.
fn new_position(position: i64, newest: i64, sequences: &[i64], done: usize) -> i64 {
    match done.checked_sub(1) {
        Some(last) => sequences.get(last).copied().unwrap_or(position),
        None if sequences.is_empty() => newest,
        None => position,
    }
}

/// Counts the outcome of each entry. Sequence numbers without an entry belong to deleted entries.
fn record_outcomes(backlog: &ExportBacklog, new_position: i64, outcomes: &[Outcome]) {
    for outcome in outcomes {
        count(*outcome, 1);
    }
    let deleted = (new_position - backlog.position - outcomes.len() as i64).max(0) as u64;
    let too_large = outcomes.iter().filter(|outcome| **outcome == Outcome::TooLarge).count();
    count(Outcome::Deleted, deleted);
    if deleted > 0 {
        tracing::warn!(org = %backlog.org_id, entries = deleted, "log entries expired before they were exported");
    }
    if too_large > 0 {
        tracing::warn!(org = %backlog.org_id, entries = too_large, up_to = new_position, "log entries are too large to export");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(bytes: &[i64]) -> Vec<LogSize> {
        bytes.iter().zip(1..).map(|(bytes, sequence)| LogSize { sequence, bytes: *bytes }).collect()
    }

    #[test]
    fn batches_are_bounded_and_never_empty() {
        assert_eq!(batch_size(&sizes(&[10, 20, 30])), 3);
        assert_eq!(batch_size(&sizes(&[MAX_BYTES - 1, 1, 1])), 2);
        assert_eq!(batch_size(&sizes(&[MAX_BYTES + 1, 1])), 1);
        assert_eq!(batch_size(&[]), 1);
    }

    #[test]
    fn the_position_is_the_last_finished_entry() {
        assert_eq!(new_position(4, 9, &[5, 7, 8], 3), 8);
        assert_eq!(new_position(4, 9, &[5, 7, 8], 1), 5);
        assert_eq!(new_position(4, 9, &[5, 7, 8], 0), 4, "nothing is finished");
        assert_eq!(new_position(4, 9, &[], 0), 9, "all entries are deleted");
    }
}
