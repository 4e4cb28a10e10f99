//! A row as a record.

use rskafka::{
    chrono::{DateTime, Utc},
    record::Record,
};

use crate::log_export::message::{Message, SEQUENCE, TEXT_LEFT_OUT};

/// The header of the row's id, by which consumers know those that came before.
const ID: &str = "Guardengine-Log-Id";
/// More than a record takes beside its body: key, headers, lengths.
const ENVELOPE: usize = 256;

/// A row under the key that keeps the rows of its organisation together, at its time in milliseconds.
pub fn of(key: &str, message: &Message) -> Record {
    let header = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
    let left_out = message.left_out.map(|bytes| header(TEXT_LEFT_OUT, &bytes.to_string()));
    let headers = [header(ID, &message.id), header(SEQUENCE, &message.sequence)];
    Record {
        key: Some(key.as_bytes().to_vec()),
        value: Some(message.body.clone()),
        headers: headers.into_iter().chain(left_out).collect(),
        timestamp: DateTime::<Utc>::from_timestamp_millis(message.made.micros().div_euclid(1000))
            .unwrap_or_default(),
    }
}

/// No fewer bytes than the record takes.
pub const fn size(message: &Message) -> usize {
    message.body.len() + ENVELOPE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_the_key_the_id_the_number_and_the_time_of_its_row() {
        let mut message = Message::with_text(3, &"a".repeat(5000));
        let record = of("org", &message);
        let names: Vec<_> = record.headers.keys().map(String::as_str).collect();
        assert_eq!(names, [ID, SEQUENCE]);
        assert_eq!(
            (record.key.as_deref(), record.headers[SEQUENCE].as_slice()),
            (Some(b"org".as_slice()), b"3".as_slice())
        );
        assert_eq!(record.headers[ID], message.id.as_bytes());
        assert_eq!(record.timestamp.timestamp_micros(), 3_002_000, "milliseconds are what Kafka keeps");
        assert!(record.approximate_size() < size(&message));

        message.leave_text_out().unwrap();
        assert_eq!(of("org", &message).headers[TEXT_LEFT_OUT], b"5000");
    }
}
