//! Server-sent events, read and written. Source: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

/// Largest event, in bytes: the last one of a response holds the whole answer.
const MAX_EVENT: usize = 8 << 20;

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Name.
    pub name: Option<String>,
    /// Data; lines are separated by line feeds.
    pub data: String,
}

/// An event is too large, or no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// Reads events that arrive in parts.
#[derive(Debug, Default)]
pub struct EventReader {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
}

impl EventReader {
    /// Takes the next part, and returns the events that end in it.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Unreadable> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() + self.event.data.len() > MAX_EVENT {
                return Err(Unreadable);
            }
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(self.line(&line)?);
            }
        }
        Ok(events)
    }

    fn line(&mut self, line: &[u8]) -> Result<Option<Event>, Unreadable> {
        let line = std::str::from_utf8(line).map_err(|_| Unreadable)?.trim_end_matches(['\n', '\r']);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return Ok(std::mem::take(&mut self.has_data).then_some(event));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "event" => self.event.name = Some(value.to_owned()),
            // Comments, and fields for clients that reconnect.
            _ => {}
        }
        Ok(None)
    }
}

/// Writes an event.
pub fn write(output: &mut String, name: Option<&str>, data: &str) {
    if let Some(name) = name {
        output.push_str("event: ");
        output.push_str(name);
        output.push('\n');
    }
    for line in data.split('\n') {
        output.push_str("data: ");
        output.push_str(line);
        output.push('\n');
    }
    output.push('\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(name: Option<&str>, data: &str) -> Event {
        Event { name: name.map(str::to_owned), data: data.to_owned() }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn events_are_read_however_they_arrive(cuts in prop::collection::vec(1_usize..9, 0..40)) {
            let text = ": ping\n\nevent: a\r\ndata: {\"x\":\"é\"}\r\n\r\ndata: 1\ndata:2\nid: 7\n\nevent: none\n\ndata: [DONE]\n\n";
            let (mut reader, mut rest, mut events) = (EventReader::default(), text.as_bytes(), Vec::new());
            for cut in cuts {
                let (part, after) = rest.split_at(cut.min(rest.len()));
                events.extend(reader.feed(part).unwrap());
                rest = after;
            }
            events.extend(reader.feed(rest).unwrap());
            prop_assert_eq!(events, [event(Some("a"), "{\"x\":\"é\"}"), event(None, "1\n2"), event(None, "[DONE]")]);
        }
    }

    #[test]
    fn a_written_event_reads_as_itself() {
        let mut written = String::new();
        write(&mut written, Some("a"), "1\n2");
        write(&mut written, None, "3");
        let read = EventReader::default().feed(written.as_bytes()).unwrap();
        assert_eq!(read, [event(Some("a"), "1\n2"), event(None, "3")]);
    }

    #[test]
    fn events_are_bounded() {
        let mut reader = EventReader::default();
        let line = format!("data: {}\n", "x".repeat(1 << 20));
        assert!((0..9).any(|_| reader.feed(line.as_bytes()).is_err()));
        assert_eq!(EventReader::default().feed(b"data: \xff\n\n"), Err(Unreadable));
    }
}
