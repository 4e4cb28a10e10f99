//! A page cut into what a broker takes at once.

use super::record;
use crate::log_export::{message::Message, status::Outcome};

/// The rows of a page, and how far they came.
pub struct Batches {
    rows: Vec<Message>,
    /// Bytes of a batch, unless its only row has more.
    pub largest: usize,
    /// What became of each row, until the first that is left.
    pub outcomes: Vec<Outcome>,
}

impl Batches {
    /// With every row left.
    pub const fn new(rows: Vec<Message>, largest: usize) -> Self {
        Self { rows, largest, outcomes: Vec::new() }
    }

    /// The rows that are sent together now; none when all are done.
    pub fn next(&self) -> &[Message] {
        let left = self.rows.get(self.outcomes.len()..).unwrap_or_default();
        let mut bytes = 0;
        let fits = |row: &&Message| {
            bytes += record::size(row);
            bytes <= self.largest
        };
        let count = left.iter().take_while(fits).count().max(1);
        left.get(..count).unwrap_or_default()
    }

    /// The next ones arrived.
    pub fn arrived(&mut self) {
        let outcomes: Vec<_> = self.next().iter().map(Message::outcome).collect();
        self.outcomes.extend(outcomes);
    }

    /// The next ones are more than the topic takes at once: then fewer are sent, or the only one without its text, or,
    /// where that is out already, none.
    pub fn too_large(&mut self) -> serde_json::Result<()> {
        let next = self.next();
        if next.len() > 1 {
            self.largest = next.iter().map(record::size).sum::<usize>() / 2;
            return Ok(());
        }
        match self.rows.get_mut(self.outcomes.len()) {
            Some(row) if row.left_out.is_none() => row.leave_text_out(),
            Some(_) => {
                self.outcomes.push(Outcome::TooLarge);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a topic that takes so many bytes at once gets of texts of these lengths: the rows of each batch.
    fn sent(texts: &[usize], takes: usize) -> (Vec<Vec<String>>, Vec<Outcome>) {
        let rows =
            texts.iter().zip(1..).map(|(bytes, number)| Message::with_text(number, &"a".repeat(*bytes)));
        let (mut batches, mut sent) = (Batches::new(rows.collect(), 1_000_000), Vec::new());
        while !batches.next().is_empty() {
            let bytes: usize = batches.next().iter().map(|row| row.body.len()).sum();
            if bytes > takes {
                batches.too_large().unwrap();
            } else {
                sent.push(batches.next().iter().map(|row| row.sequence.clone()).collect());
                batches.arrived();
            }
        }
        (sent, batches.outcomes)
    }

    #[test]
    fn rows_go_together_as_far_as_the_bytes_reach() {
        let (sent, outcomes) = sent(&[300_000; 5], 10_000_000);
        assert_eq!(sent, [vec!["1", "2", "3"], vec!["4", "5"]]);
        assert_eq!(outcomes, [Outcome::Exported; 5]);
    }

    #[test]
    fn a_topic_that_takes_less_gets_all_of_it_in_smaller_batches_and_in_order() {
        let (sent, outcomes) = sent(&[5_000; 40], 30_000);
        let numbers: Vec<_> = sent.iter().flatten().map(|number| number.parse::<i32>().unwrap()).collect();
        assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
        assert!(sent.iter().all(|batch| (1..=6).contains(&batch.len())), "{sent:?}");
        assert_eq!(outcomes, [Outcome::Exported; 40]);
    }

    #[test]
    fn a_row_that_is_too_large_goes_without_its_text_and_stops_no_other() {
        let (sent, outcomes) = sent(&[10, 90_000, 10], 20_000);
        assert_eq!(sent.concat(), ["1", "2", "3"]);
        assert_eq!(outcomes, [Outcome::Exported, Outcome::WithoutText, Outcome::Exported]);
    }

    #[test]
    fn a_row_that_is_too_large_even_so_is_left_out() {
        let (sent, outcomes) = sent(&[10, 90_000], 100);
        assert_eq!((sent.len(), outcomes), (0, vec![Outcome::TooLarge; 2]));
    }
}
