//! The events that the client receives, made from those of the provider.

use std::collections::BTreeMap;

use guardengine_engine::stream::{Events, Stop};
use guardengine_guard::{AnswerStream, TextKey, TokenUsage};
use guardengine_integrations::llm::gateway::WireFormat;

use super::{
    super::{
        json::{Edits, Node, is_json, literal},
        usage::update,
    },
    events::{Ends, Part, number, part_event, texts},
    sse::{Event, write},
};

/// Turns the events of a provider into those of the client.
pub struct Output {
    format: WireFormat,
    /// Text that was passed on, for each text of the answer.
    shown: BTreeMap<TextKey, String>,
    /// For each text that goes on, the event with its last part.
    last: BTreeMap<TextKey, (Event, Part)>,
    /// Events that the client gets next.
    pub pending: String,
    /// True once the provider ended the answer.
    pub is_over: bool,
    /// Data of the first event, which names the answer; empty before it.
    pub begun: String,
    /// The block of a message that is not ended.
    pub open_block: Option<u32>,
    /// Why the answer ends early.
    pub stop: Option<Stop>,
    /// Tokens that the provider reported so far.
    pub tokens: TokenUsage,
}

impl Output {
    /// Begins an answer.
    pub fn new(format: WireFormat) -> Self {
        let (shown, last) = (BTreeMap::new(), BTreeMap::new());
        let (pending, begun) = (String::new(), String::new());
        let tokens = TokenUsage::default();
        Self { format, shown, last, pending, is_over: false, begun, open_block: None, stop: None, tokens }
    }

    /// Takes the next event of the provider. After a stop, nothing more is passed on.
    pub fn take(&mut self, answer: &mut AnswerStream, event: &Event) {
        if self.stop.is_some() {
            return;
        }
        let found = texts(self.format, event);
        update(&mut self.tokens, found.tokens);
        let mut pieces: BTreeMap<TextKey, String> = BTreeMap::new();
        for part in &found.deltas {
            let piece = self.passed(part.key, answer.feed(part.key, part.form, &part.text));
            pieces.entry(part.key).or_default().push_str(&piece);
        }
        let mut wholes = Vec::new();
        for part in &found.wholes {
            self.finish(answer, part.key, &mut pieces);
            wholes.push(self.whole(answer, part));
        }
        for key in answer.open_texts() {
            match found.ends {
                Ends::Group(group) if group == key[0] => self.finish(answer, key, &mut pieces),
                Ends::All => self.finish(answer, key, &mut pieces),
                Ends::Group(_) | Ends::Nothing => {}
            }
        }
        if self.stop.is_some() {
            return;
        }
        self.is_over |= found.is_last;
        let is_silent = !found.deltas.is_empty() && pieces.values().all(String::is_empty);
        if !is_silent || found.says_more || !found.wholes.is_empty() || found.ends != Ends::Nothing {
            self.write(event, &found.deltas, &mut pieces, found.wholes.iter().zip(wholes));
        }
        for part in &found.deltas {
            self.last.insert(part.key, (event.clone(), part.clone()));
        }
    }

    /// Ends a text. Its rest joins the part that the event in hand brings, or comes in an event of its own before it.
    fn finish(&mut self, answer: &mut AnswerStream, key: TextKey, pieces: &mut BTreeMap<TextKey, String>) {
        if !answer.open_texts().contains(&key) {
            return;
        }
        let rest = self.passed(key, answer.finish(key));
        if let Some(piece) = pieces.get_mut(&key) {
            piece.push_str(&rest);
        } else if let Some((event, part)) =
            self.last.remove(&key).filter(|_| !rest.is_empty() && self.stop.is_none())
        {
            let event = part_event(self.format, &event, &part, &rest);
            write(&mut self.pending, event.name.as_deref(), &event.data);
        }
    }

    /// Returns a whole text as the client gets it: as it was passed on before, or evaluated now.
    fn whole(&mut self, answer: &mut AnswerStream, part: &Part) -> String {
        if !self.shown.contains_key(&part.key) {
            let fed = answer.feed(part.key, part.form, &part.text);
            self.passed(part.key, fed);
            let rest = answer.finish(part.key);
            self.passed(part.key, rest);
        }
        self.shown.get(&part.key).cloned().unwrap_or_default()
    }

    /// Notes what may be passed on of a text, and returns it.
    fn passed(&mut self, key: TextKey, events: Events) -> String {
        self.stop = self.stop.or(events.stop);
        self.shown.entry(key).or_default().push_str(&events.text);
        events.text
    }

    /// Writes an event with each part of a text replaced. A text with several parts in it has all in the first.
    fn write<'p>(
        &mut self,
        event: &Event,
        deltas: &[Part],
        pieces: &mut BTreeMap<TextKey, String>,
        wholes: impl Iterator<Item = (&'p Part, String)>,
    ) {
        let mut edits = Edits::default();
        for part in deltas {
            edits.replace(part.span.clone(), literal(&pieces.remove(&part.key).unwrap_or_default()));
        }
        for (part, shown) in wholes {
            let written = if part.is_value && is_json(&shown) { shown } else { literal(&shown) };
            edits.replace(part.span.clone(), written);
        }
        write(&mut self.pending, event.name.as_deref(), &edits.apply(&event.data));
        if self.begun.is_empty() {
            self.begun.clone_from(&event.data);
        }
        self.open_block = match event.name.as_deref() {
            Some("content_block_start") => block(&event.data),
            Some("content_block_stop") => None,
            _ => self.open_block,
        };
    }
}

/// Returns the block that an event of a message is about.
fn block(data: &str) -> Option<u32> {
    Node::of(data).map(|root| number(&root.fields(), "index"))
}
