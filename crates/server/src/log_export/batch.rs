//! A page of an organisation's rows, read, published, and done with.

use guardengine_store::{LogFilter, LogSize, NumberedLog, Unexported};

use super::{
    error::Error,
    message::Message,
    sink::{Published, Sink},
    status::{Outcome, count},
};
use crate::app::App;

/// Rows of a page.
const ROWS: u16 = 500;
/// Bytes of texts of a page, unless its first row has more.
const BYTES: i64 = 4 << 20;

/// Exports the next rows of an organisation, as the export of that name.
pub async fn export(app: &App, name: &str, broker: &mut Sink, of: &Unexported) -> Result<(), Error> {
    let Unexported { org_id, position, newest } = *of;
    let sizes = app.db.log_sizes_after(org_id, position, ROWS).await?;
    let limit = within(&sizes);
    let (rows, _) = app.db.logs_after(org_id, &LogFilter::default(), position, limit).await?;
    let numbers: Vec<i64> = rows.iter().map(|row: &NumberedLog| row.sequence).collect();
    let messages = rows.into_iter().map(Message::of).collect::<Result<Vec<_>, _>>()?;
    let Published { outcomes, fault } =
        if messages.is_empty() { Published::default() } else { broker.publish(org_id, messages).await };
    let reached = reached(position, newest, &numbers, outcomes.len());
    if reached > position && app.db.move_log_export(name, org_id, (position, reached)).await? {
        tell(of, reached, &outcomes);
    }
    fault.map_or(Ok(()), Err)
}

/// How many rows are read.
fn within(sizes: &[LogSize]) -> u16 {
    let mut left = BYTES;
    let fits = |size: &&LogSize| {
        left -= size.bytes;
        left >= 0
    };
    (sizes.iter().take_while(fits).count() as u16).max(1)
}

/// The number up to which nothing is left to export: that of the last row that is done, or the newest where there are none.
fn reached(position: i64, newest: i64, numbers: &[i64], done: usize) -> i64 {
    match done.checked_sub(1) {
        Some(last) => numbers.get(last).copied().unwrap_or(position),
        None if numbers.is_empty() => newest,
        None => position,
    }
}

/// Counts what became of each row; numbers without a row are of those that were forgotten.
fn tell(of: &Unexported, reached: i64, outcomes: &[Outcome]) {
    for outcome in outcomes {
        count(*outcome, 1);
    }
    let forgotten = (reached - of.position - outcomes.len() as i64).max(0) as u64;
    let too_large = outcomes.iter().filter(|outcome| **outcome == Outcome::TooLarge).count();
    count(Outcome::Forgotten, forgotten);
    if forgotten > 0 {
        tracing::warn!(org = %of.org_id, rows = forgotten, "rows were forgotten for their age before they were exported");
    }
    if too_large > 0 {
        tracing::warn!(org = %of.org_id, rows = too_large, up_to = reached, "rows are too large to be exported");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(bytes: &[i64]) -> Vec<LogSize> {
        bytes.iter().zip(1..).map(|(bytes, sequence)| LogSize { sequence, bytes: *bytes }).collect()
    }

    #[test]
    fn a_page_is_what_fits_into_memory_and_never_empty() {
        assert_eq!(within(&sizes(&[10, 20, 30])), 3);
        assert_eq!(within(&sizes(&[BYTES - 1, 1, 1])), 2);
        assert_eq!(within(&sizes(&[BYTES + 1, 1])), 1);
        assert_eq!(within(&[]), 1);
    }

    #[test]
    fn a_position_stands_at_the_last_row_that_is_done() {
        assert_eq!(reached(4, 9, &[5, 7, 8], 3), 8);
        assert_eq!(reached(4, 9, &[5, 7, 8], 1), 5);
        assert_eq!(reached(4, 9, &[5, 7, 8], 0), 4, "nothing is done");
        assert_eq!(reached(4, 9, &[], 0), 9, "all of them are gone");
    }
}
