//! The texts of a request or an answer, and where they stand in it.

use std::ops::Range;

use guardengine_guard::submission::Role;

use super::json::{Node, edited_literal, is_json, literal};
use crate::surfaces::messages::role;

/// Deepest description of a tool that is read.
const MAX_DEPTH: usize = 16;

/// Author of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A turn of the conversation.
    Turn(Role),
    /// Untrusted content: the description of a tool, a document.
    Document,
}

/// Notation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A string.
    Text,
    /// A string that holds JSON, such as the arguments of a tool call.
    JsonText,
    /// Any JSON value: what is evaluated is the value as it is written.
    Json,
}

/// A text of a body.
#[derive(Clone, Debug)]
pub struct Located {
    /// Author.
    pub source: Source,
    /// Notation.
    pub form: Form,
    /// The text.
    pub text: String,
    /// Bytes of the body at which it is written.
    pub span: Range<usize>,
    /// True if the provider signed the text, so that values in it are not restored.
    pub is_signed: bool,
}

impl Located {
    /// Returns what is written in place of the text to make it `new`; `None` if that is not JSON.
    pub fn written(&self, body: &str, new: &str) -> Option<String> {
        match self.form {
            Form::Text | Form::JsonText => Some(edited_literal(&body[self.span.clone()], &self.text, new)),
            Form::Json => is_json(new).then(|| new.to_owned()),
        }
    }

    /// Returns a restored value as it is written inside the text.
    pub fn inside(&self, value: &str) -> String {
        if self.form == Form::Text {
            return value.to_owned();
        }
        let quoted = literal(value);
        quoted[1..quoted.len() - 1].to_owned()
    }
}

/// Collects the texts of a body.
#[derive(Debug)]
pub struct Texts<'b> {
    body: &'b str,
    /// The texts, in their order.
    pub found: Vec<Located>,
    /// Images: data URLs, base64 or addresses.
    pub images: Vec<String>,
    /// True if something was sent that is not read, such as a file.
    pub has_unread: bool,
}

impl<'b> Texts<'b> {
    /// Begins with a body.
    pub const fn of(body: &'b str) -> Self {
        Self { body, found: Vec::new(), images: Vec::new(), has_unread: false }
    }

    /// Adds a string; ignores anything else.
    pub fn text(&mut self, source: Source, node: Option<&Node<'b>>) {
        self.string(source, Form::Text, node);
    }

    /// Adds a string that holds JSON.
    pub fn json_text(&mut self, source: Source, node: Option<&Node<'b>>) {
        self.string(source, Form::JsonText, node);
    }

    /// Adds a text that the provider signed.
    pub fn signed(&mut self, source: Source, node: Option<&Node<'b>>) {
        let before = self.found.len();
        self.text(source, node);
        self.found.iter_mut().skip(before).for_each(|one| one.is_signed = true);
    }

    /// Adds a value as it is written.
    pub fn json(&mut self, source: Source, node: Option<&Node<'b>>) {
        let Some(node) = node.filter(|node| node.is_nested()) else {
            return self.text(source, node);
        };
        let (text, span) = (node.raw().to_owned(), node.span(self.body));
        self.found.push(Located { source, form: Form::Json, text, span, is_signed: false });
    }

    /// Adds an image.
    pub fn image(&mut self, node: Option<&Node<'b>>) {
        match node.and_then(|node| node.text()) {
            Some(image) => self.images.push(image),
            None => self.has_unread = true,
        }
    }

    /// Adds every description in the definitions of tools, each as a document.
    pub fn descriptions(&mut self, node: Option<&Node<'b>>) {
        if let Some(node) = node {
            self.described(*node, 0);
        }
    }

    fn described(&mut self, node: Node<'b>, depth: usize) {
        if !node.is_nested() {
            return;
        }
        if depth > MAX_DEPTH {
            self.has_unread = true;
            return;
        }
        for (name, field) in node.fields() {
            if name == "description" {
                self.text(Source::Document, Some(&field));
            }
            self.described(field, depth + 1);
        }
        node.items().into_iter().for_each(|item| self.described(item, depth + 1));
    }

    fn string(&mut self, source: Source, form: Form, node: Option<&Node<'b>>) {
        let Some((node, text)) = node.and_then(|node| Some((node, node.text()?))) else { return };
        if !text.is_empty() {
            self.found.push(Located { source, form, text, span: node.span(self.body), is_signed: false });
        }
    }
}

/// Returns the author that the field `role` of a message names.
pub fn author(node: Option<&Node<'_>>) -> Role {
    role(&node.and_then(|node| node.text()).unwrap_or_default())
}
