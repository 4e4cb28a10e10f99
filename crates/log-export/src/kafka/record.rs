//! A log entry as a Kafka record.

use rskafka::{
    chrono::{DateTime, Utc},
    record::Record,
};

use crate::message::{Message, SEQUENCE, TEXT_LEFT_OUT};

/// Header with the log entry's id. Consumers can use it to drop duplicates.
const ID: &str = "Guardengine-Log-Id";
/// Upper bound for the bytes of a record besides its body: key, headers, lengths.
const MAX_OVERHEAD: usize = 256;

/// Builds the record of a log entry. The key keeps the entries of an organization together; the time is in milliseconds.
pub fn of(key: &str, message: &Message) -> Record {
    let header = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
    let left_out = message.left_out.map(|bytes| header(TEXT_LEFT_OUT, &bytes.to_string()));
    let headers = [header(ID, &message.id), header(SEQUENCE, &message.sequence)];
    Record {
        key: Some(key.as_bytes().to_vec()),
        value: Some(message.body.clone()),
        headers: headers.into_iter().chain(left_out).collect(),
        timestamp: DateTime::<Utc>::from_timestamp_millis(message.created_at.micros().div_euclid(1000))
            .unwrap_or_default(),
    }
}

/// Returns an upper bound for the bytes of the record.
pub const fn size(message: &Message) -> usize {
    message.body.len() + MAX_OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_key_id_sequence_and_time() {
        let mut message = Message::with_text(3, &"a".repeat(5000));
        let record = of("org", &message);
        let names: Vec<_> = record.headers.keys().map(String::as_str).collect();
        assert_eq!(names, [ID, SEQUENCE]);
        assert_eq!(
            (record.key.as_deref(), record.headers[SEQUENCE].as_slice()),
            (Some(b"org".as_slice()), b"3".as_slice())
        );
        assert_eq!(record.headers[ID], message.id.as_bytes());
        assert_eq!(record.timestamp.timestamp_micros(), 3_002_000, "Kafka stores milliseconds");
        assert!(record.approximate_size() < size(&message));

        message.leave_text_out().unwrap();
        assert_eq!(of("org", &message).headers[TEXT_LEFT_OUT], b"5000");
    }
}
