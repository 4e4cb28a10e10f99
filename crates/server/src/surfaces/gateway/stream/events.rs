//! Places of the texts in the events of each format.

use std::{collections::BTreeMap, ops::Range};

use guardengine_guard::{TextForm, TextKey, TokenUsage};
use guardengine_integrations::llm::gateway::WireFormat;

use super::{
    super::json::{Edits, Node, literal},
    chat_events, messages_events, responses_events,
    sse::Event,
};

pub type Fields<'b> = BTreeMap<String, Node<'b>>;

/// A part of a text, or a whole one, in an event.
#[derive(Clone, Debug)]
pub struct Part {
    /// The text that it belongs to.
    pub key: TextKey,
    /// Notation of the text.
    pub form: TextForm,
    /// True if it is written as a JSON value, and not as a string.
    pub is_value: bool,
    /// New part of the text.
    pub text: String,
    /// Bytes of the event's data at which it is written.
    pub span: Range<usize>,
}

/// Texts that an event ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// None.
    #[default]
    Nothing,
    /// Those whose key begins with this number.
    Group(u32),
    /// Every one.
    All,
}

/// The texts of an event.
#[derive(Debug, Default)]
pub struct EventTexts {
    /// Parts of texts that go on.
    pub deltas: Vec<Part>,
    /// Texts that the event repeats or brings as a whole.
    pub wholes: Vec<Part>,
    /// Texts that it ends.
    pub ends: Ends,
    /// True if it says more than its parts.
    pub says_more: bool,
    /// True for the last event of an answer, after which only marks of the end follow.
    pub is_last: bool,
    /// Tokens of the call that it reports.
    pub tokens: TokenUsage,
}

/// Returns the texts of an event.
pub fn texts(format: WireFormat, event: &Event) -> EventTexts {
    if event.data == "[DONE]" {
        return EventTexts { ends: Ends::All, is_last: true, ..EventTexts::default() };
    }
    let mut reader = Reader { data: &event.data, texts: EventTexts::default() };
    if let Some(root) = Node::of(&event.data) {
        let fields = root.fields();
        match format {
            WireFormat::Chat => chat_events::read(&mut reader, &fields),
            WireFormat::Responses => responses_events::read(&mut reader, &fields),
            WireFormat::Messages => messages_events::read(&mut reader, &fields),
        }
    }
    reader.texts
}

/// Returns an event that brings `text` as the next part of a text, of which `event` brought `part` last.
pub fn part_event(format: WireFormat, event: &Event, part: &Part, text: &str) -> Event {
    let data = match format {
        WireFormat::Chat => chat_events::part(&event.data, part.key, text),
        WireFormat::Messages => return messages_events::part(part.key, text),
        WireFormat::Responses => {
            let mut edits = Edits::default();
            edits.replace(part.span.clone(), literal(text));
            edits.apply(&event.data)
        }
    };
    Event { name: event.name.clone(), data }
}

/// Collects the texts of an event.
pub struct Reader<'b> {
    data: &'b str,
    /// Texts found so far.
    pub texts: EventTexts,
}

impl<'b> Reader<'b> {
    /// Adds a part of a text.
    pub fn delta(&mut self, key: TextKey, form: TextForm, node: Option<&Node<'b>>) {
        let part = self.part(key, form, node);
        self.texts.deltas.extend(part);
    }

    /// Adds a whole text.
    pub fn whole(&mut self, key: TextKey, form: TextForm, node: Option<&Node<'b>>) {
        let part = self.part(key, form, node);
        self.texts.wholes.extend(part);
    }

    /// Adds a JSON value as a whole.
    pub fn value(&mut self, key: TextKey, node: Node<'b>) {
        let (text, span) = (node.raw().to_owned(), node.span(self.data));
        self.texts.wholes.push(Part { key, form: TextForm::Json, is_value: true, text, span });
    }

    fn part(&self, key: TextKey, form: TextForm, node: Option<&Node<'b>>) -> Option<Part> {
        let node = node?;
        let text = node.text().filter(|text| !text.is_empty())?;
        Some(Part { key, form, is_value: false, text, span: node.span(self.data) })
    }
}

/// Returns a number of an event; 0 if it has none.
pub fn number(fields: &Fields<'_>, name: &str) -> u32 {
    fields.get(name).and_then(|node| node.raw().parse().ok()).unwrap_or_default()
}

/// Returns a text of an event.
pub fn text(fields: &Fields<'_>, name: &str) -> String {
    fields.get(name).and_then(|node| node.text()).unwrap_or_default()
}
