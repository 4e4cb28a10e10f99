//! Events of responses. Source: <https://platform.openai.com/docs/api-reference/responses-streaming>.

use guardengine_guard::TextForm::{Json, Plain};
use guardengine_integrations::llm::gateway::WireFormat;

use super::{
    super::{json::Node, usage::usage},
    events::{Ends, Fields, Reader, number, text},
};

// Kinds of texts in a key.
const TEXT: u32 = 0;
const REFUSAL: u32 = 1;
const ARGUMENTS: u32 = 2;
const INPUT: u32 = 3;
const SUMMARY: u32 = 4;
const REASONING: u32 = 5;
const OTHER: u32 = 6;

pub fn read<'b>(reader: &mut Reader<'b>, fields: &Fields<'b>) {
    let kind = text(fields, "type");
    let (item, part) = (number(fields, "output_index"), number(fields, "content_index"));
    let summary = number(fields, "summary_index");
    match kind.as_str() {
        "response.output_text.delta" => reader.delta([item, part, TEXT], Plain, fields.get("delta")),
        "response.output_text.done" => reader.whole([item, part, TEXT], Plain, fields.get("text")),
        "response.refusal.delta" => reader.delta([item, part, REFUSAL], Plain, fields.get("delta")),
        "response.refusal.done" => reader.whole([item, part, REFUSAL], Plain, fields.get("refusal")),
        "response.custom_tool_call_input.delta" => reader.delta([item, 0, INPUT], Plain, fields.get("delta")),
        "response.custom_tool_call_input.done" => reader.whole([item, 0, INPUT], Plain, fields.get("input")),
        "response.reasoning_summary_text.delta" => {
            reader.delta([item, summary, SUMMARY], Plain, fields.get("delta"));
        }
        "response.reasoning_summary_text.done" => {
            reader.whole([item, summary, SUMMARY], Plain, fields.get("text"));
        }
        "response.reasoning_text.delta" => reader.delta([item, part, REASONING], Plain, fields.get("delta")),
        "response.reasoning_text.done" => reader.whole([item, part, REASONING], Plain, fields.get("text")),
        "response.content_part.done" => content_part(reader, [item, part], fields.get("part")),
        "response.reasoning_summary_part.done" => {
            let part = fields.get("part").map(|part| part.fields()).unwrap_or_default();
            reader.whole([item, summary, SUMMARY], Plain, part.get("text"));
        }
        "response.output_item.done" => output_item(reader, item, fields.get("item")),
        "response.completed" | "response.incomplete" | "response.failed" => {
            let response = fields.get("response").map(|response| response.fields()).unwrap_or_default();
            let items = response.get("output").map(|output| output.items()).unwrap_or_default();
            for (at, item) in items.iter().enumerate() {
                output_item(reader, at as u32, Some(item));
            }
            reader.texts.tokens = usage(WireFormat::Responses, response.get("usage"));
            (reader.texts.ends, reader.texts.is_last) = (Ends::All, true);
        }
        // Arguments of functions and of the provider's own tools, and their code.
        kind if kind.rsplit('.').next() == Some("delta") => {
            reader.delta([item, 0, ARGUMENTS], Json, fields.get("delta"));
        }
        kind if kind.rsplit('.').next() == Some("done") => {
            for name in ["arguments", "code", "transcript"] {
                reader.whole([item, 0, ARGUMENTS], Json, fields.get(name));
            }
        }
        _ => {}
    }
}

fn content_part<'b>(reader: &mut Reader<'b>, [item, part]: [u32; 2], node: Option<&Node<'b>>) {
    let fields = node.map(|node| node.fields()).unwrap_or_default();
    let kind = if text(&fields, "type") == "reasoning_text" { REASONING } else { TEXT };
    reader.whole([item, part, kind], Plain, fields.get("text"));
    reader.whole([item, part, REFUSAL], Plain, fields.get("refusal"));
}

fn output_item<'b>(reader: &mut Reader<'b>, item: u32, node: Option<&Node<'b>>) {
    let Some(node) = node else { return };
    let fields = node.fields();
    let parts = |name: &str| fields.get(name).map(|parts| parts.items()).unwrap_or_default();
    match text(&fields, "type").as_str() {
        "message" | "reasoning" => {
            for (at, part) in parts("content").iter().enumerate() {
                content_part(reader, [item, at as u32], Some(part));
            }
            for (at, part) in parts("summary").into_iter().enumerate() {
                reader.whole([item, at as u32, SUMMARY], Plain, part.fields().get("text"));
            }
        }
        "function_call" => reader.whole([item, 0, ARGUMENTS], Json, fields.get("arguments")),
        "custom_tool_call" => reader.whole([item, 0, INPUT], Plain, fields.get("input")),
        "compaction" | "item_reference" => {}
        _ => reader.value([item, 0, OTHER], *node),
    }
}
