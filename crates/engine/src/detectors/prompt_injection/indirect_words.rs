//! Words of orders planted in untrusted content.

use crate::rules::WordClass;

/// To set something aside.
pub const SET_ASIDE: WordClass =
    &["ignore", "disregard", "forget", "override", "instead of", "skip the translation", "skip the summary"];

/// What a model has just read, or was to do with it.
pub const READ: WordClass = &[
    "the above",
    "above text",
    "document",
    "content",
    "contents",
    "article",
    "email",
    "page",
    "file",
    "paragraph",
    "sentence",
    "résumé",
    "resume",
    "task",
    "request",
    "translation",
    "translating",
    "summary",
    "summarizing",
    "summarising",
    "answering",
    "everything else",
    "everything above",
    "everything before",
    "the text",
    "this text",
    "the question",
    "the user",
    "instructions",
    "the rules",
    "the rest",
    "this data",
    "the data",
];

/// Words of who puts the answer into the model's mouth.
pub const DICTATE: WordClass = &[
    "answer with",
    "answer that",
    "answer:",
    "only answer",
    "reply with",
    "reply only",
    "only reply",
    "respond with",
    "respond only",
    "only respond",
    "print",
    "say",
    "state that",
    "write only",
    "only write",
    "write an",
    "instead",
    "translate this as",
    "translate it as",
    "translate this sentence as",
    "repeat the following",
    "tell the user",
    "tell the visitor",
    "answer only with",
    "only output",
    "output only",
    "output the",
    "output exactly",
];

/// To leave a task undone.
pub const STOP: WordClass = &[
    "stop here",
    "stop what you are doing",
    "stop processing",
    "stop summarizing",
    "do not summarize",
    "do not summarise",
    "do not translate",
    "do not analyze this",
    "do not analyse this",
    "do not follow the user",
    "do not answer the question",
    "do not process this",
];

/// Another task takes its place.
pub const OTHER_TASK: WordClass = &[
    "your new task is",
    "your task has changed",
    "your task is now",
    "your real task",
    "your actual task",
    "previous task has been cancelled",
    "previous task has been canceled",
];

/// Of all questions alike.
pub const WHATEVER: WordClass =
    &["no matter what", "no matter which", "whatever", "regardless of what", "regardless of which"];
/// That somebody asks.
pub const ASKED: WordClass = &["asked", "asks", "ask", "question", "questions"];

/// In case that somebody asks.
pub const IF_ASKED: WordClass =
    &["if asked", "if questioned", "when asked", "when questioned", "if anyone asks", "if the user asks"];
/// Words before an answer that is given in advance.
pub const SAY_THAT: WordClass =
    &["say that", "state that", "report that", "answer that", "reply that", "respond that", "tell them that"];

/// WordHits of who speaks, as conversations are written down.
pub const ROLE_MARK: WordClass = &[
    "[system]",
    "[[system]]",
    "</system>",
    "<instruction>",
    "<instructions>",
    "[instruction]",
    "[instructions]",
    "<system>",
    "[admin",
    "<admin>",
    "[developer]",
    "[assistant]",
    "[[assistant]]",
    "[user]",
    "[[user]]",
    "<user>",
    "[inst]",
    "admin request:",
    "admin override:",
    "### instruction:",
    "### system:",
];

/// Orders that models are given.
pub const ORDERS: WordClass = &[
    "answer",
    "reply",
    "respond",
    "write",
    "say",
    "tell",
    "print",
    "output",
    "repeat",
    "ignore",
    "disregard",
    "forget",
    "translate",
    "describe",
    "rank",
    "rate",
    "recommend",
    "mark",
    "mention",
    "include",
    "append",
    "forward",
    "must",
    "always",
    "do not",
    "give",
    "new instructions",
    "new instruction",
];

/// How a reader is addressed.
pub const ADDRESS: WordClass = &[
    "note to",
    "note for",
    "message to",
    "message for",
    "instruction for",
    "instructions for",
    "notice to",
    "attention",
    "dear",
    "to the",
    "to any",
    "to all",
    "if you are",
    "when you are",
    "since you are",
    "as you are",
];

/// Those who read what people do not see.
pub const READERS: WordClass = &[
    "llm",
    "llms",
    "ai assistant",
    "ai assistants",
    "ai model",
    "ai models",
    "ai agent",
    "ai agents",
    "any ai",
    "ai that",
    "ai reading",
    "ai:",
    "language model",
    "language models",
    "chatbot",
    "chatbots",
];

/// Said of what others do not see.
pub const HIDDEN: WordClass = &[
    "visible only to",
    "only visible to",
    "visible to",
    "readable only by",
    "hidden text for",
    "hidden message for",
    "hidden note for",
    "hidden instructions for",
];

/// Said to who shall keep something from the user.
pub const SECRETLY: WordClass = &[
    "do not mention this",
    "don't mention this",
    "do not tell the user",
    "don't tell the user",
    "do not inform the user",
    "do not reveal this",
    "without telling the user",
    "without informing the user",
];

/// To make a text.
pub const WRITE: WordClass = &["write", "compose", "generate", "create", "produce"];
/// What nobody asks of a text who means well.
pub const HARMFUL: WordClass = &[
    "toxic",
    "harmful",
    "offensive",
    "discriminatory",
    "hateful",
    "insulting",
    "racist",
    "sexist",
    "abusive",
    "derogatory",
    "defamatory",
    "demeaning",
];
/// What is made.
pub const PIECE: WordClass = &[
    "sentence",
    "sentences",
    "paragraph",
    "poem",
    "joke",
    "jokes",
    "comment",
    "tweet",
    "post",
    "story",
    "message",
    "review",
];
