//! Splits a batch of log entries into the record batches that a broker accepts.

use super::record;
use crate::{message::Message, status::Outcome};

/// Messages to send, and their outcomes so far.
pub struct Batches {
    messages: Vec<Message>,
    /// Maximum size of a record batch, in bytes, unless its only message has more.
    pub max_bytes: usize,
    /// Outcome of each finished message, in order.
    pub outcomes: Vec<Outcome>,
}

impl Batches {
    /// Creates the batches with all messages pending.
    pub const fn new(messages: Vec<Message>, max_bytes: usize) -> Self {
        Self { messages, max_bytes, outcomes: Vec::new() }
    }

    /// Returns the messages of the next record batch. Empty when all are finished.
    pub fn next(&self) -> &[Message] {
        let left = self.messages.get(self.outcomes.len()..).unwrap_or_default();
        let mut bytes = 0;
        let fits = |message: &&Message| {
            bytes += record::size(message);
            bytes <= self.max_bytes
        };
        let count = left.iter().take_while(fits).count().max(1);
        left.get(..count).unwrap_or_default()
    }

    /// Records that the next record batch was acknowledged.
    pub fn acknowledge(&mut self) {
        let outcomes: Vec<_> = self.next().iter().map(Message::outcome).collect();
        self.outcomes.extend(outcomes);
    }

    /// Records that the next record batch is too large for the topic. Halves the limit, or leaves out the text of a single
    /// message, or skips it if the text is left out already.
    pub fn too_large(&mut self) -> serde_json::Result<()> {
        let next = self.next();
        if next.len() > 1 {
            self.max_bytes = next.iter().map(record::size).sum::<usize>() / 2;
            return Ok(());
        }
        match self.messages.get_mut(self.outcomes.len()) {
            Some(message) if message.left_out.is_none() => message.leave_text_out(),
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

    /// Sends texts of these lengths to a topic with this limit. Returns the sequence numbers of each record batch.
    fn sent(texts: &[usize], limit: usize) -> (Vec<Vec<String>>, Vec<Outcome>) {
        let messages =
            texts.iter().zip(1..).map(|(bytes, number)| Message::with_text(number, &"a".repeat(*bytes)));
        let (mut batches, mut sent) = (Batches::new(messages.collect(), 1_000_000), Vec::new());
        while !batches.next().is_empty() {
            let bytes: usize = batches.next().iter().map(|message| message.body.len()).sum();
            if bytes > limit {
                batches.too_large().unwrap();
            } else {
                sent.push(batches.next().iter().map(|message| message.sequence.clone()).collect());
                batches.acknowledge();
            }
        }
        (sent, batches.outcomes)
    }

    #[test]
    fn fills_batches_up_to_the_limit() {
        let (sent, outcomes) = sent(&[300_000; 5], 10_000_000);
        assert_eq!(sent, [vec!["1", "2", "3"], vec!["4", "5"]]);
        assert_eq!(outcomes, [Outcome::Exported; 5]);
    }

    #[test]
    fn splits_batches_for_smaller_limits_and_keeps_the_order() {
        let (sent, outcomes) = sent(&[5_000; 40], 30_000);
        let numbers: Vec<_> = sent.iter().flatten().map(|number| number.parse::<i32>().unwrap()).collect();
        assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
        assert!(sent.iter().all(|batch| (1..=6).contains(&batch.len())), "{sent:?}");
        assert_eq!(outcomes, [Outcome::Exported; 40]);
    }

    #[test]
    fn sends_a_large_entry_without_its_text() {
        let (sent, outcomes) = sent(&[10, 90_000, 10], 20_000);
        assert_eq!(sent.concat(), ["1", "2", "3"]);
        assert_eq!(outcomes, [Outcome::Exported, Outcome::WithoutText, Outcome::Exported]);
    }

    #[test]
    fn skips_an_entry_that_is_too_large_without_its_text() {
        let (sent, outcomes) = sent(&[10, 90_000], 100);
        assert_eq!((sent.len(), outcomes), (0, vec![Outcome::TooLarge; 2]));
    }
}
