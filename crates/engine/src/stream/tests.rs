mod decides;
mod json;
mod masks;
mod restores;
mod samples;

use super::*;

/// Returns the events of a stream that is fed chunks of so many characters, and the longest text that it held back.
fn run(mut stream: impl Incremental, text: &str, chunk: impl Fn(usize) -> usize) -> (Events, usize) {
    let mut events = Events::default();
    let mut held = 0;
    let mut rest = text;
    let mut number = 0;
    while !rest.is_empty() {
        let length = rest.char_indices().nth(chunk(number).max(1)).map_or(rest.len(), |(at, _)| at);
        events.append(stream.feed(&rest[..length]));
        held = held.max(stream.holdback());
        rest = &rest[length..];
        number += 1;
    }
    events.append(stream.finish());
    (events, held)
}
