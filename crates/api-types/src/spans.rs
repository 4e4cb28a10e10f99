//! Schema of a span. The engine, which makes spans, does not depend on HTTP.

#![expect(dead_code, reason = "a schema for the API document, which is never constructed")]

use utoipa::ToSchema;

/// Place of a match: code points of the original text, half-open.
#[derive(Debug, ToSchema)]
#[schema(as = Span)]
pub struct SpanSchema {
    /// First code point.
    start: usize,
    /// One past the last code point.
    end: usize,
    /// Index of the document that the span points into; absent for the prompt or response itself.
    #[schema(required = false, nullable = false)]
    document: Option<usize>,
    /// Page, slide or sheet of the document, from 1; absent for texts without pages.
    #[schema(required = false, nullable = false)]
    page: Option<u32>,
    /// Index of the image whose text the span points into; absent elsewhere.
    #[schema(required = false, nullable = false)]
    image: Option<usize>,
    /// Index of the turn of the conversation that the span points into; absent elsewhere.
    #[schema(required = false, nullable = false)]
    turn: Option<usize>,
    /// True if the span points into the transcript; absent elsewhere.
    #[schema(required = false, nullable = false)]
    transcript: Option<bool>,
    /// Index of the subject that the span belongs to, of a call of a foreign interface with several; absent elsewhere.
    #[schema(required = false, nullable = false)]
    subject: Option<usize>,
}
