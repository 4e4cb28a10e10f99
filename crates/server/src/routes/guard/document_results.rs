//! Results for documents that came as files with a request.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_engine::{evidence::Origin, policy::Outcome};
use guardengine_guard::{
    Guard, PendingDecision,
    attachments::{DocumentFile, ReadDocument},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Error;

/// Texts and masked files of documents.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DocumentResults {
    /// Text of each document that came as a file, null for the others. Spans with `document` refer to it. Absent without
    /// files.
    #[serde(skip_serializing_if = "Option::is_none")]
    document_texts: Option<Vec<Option<String>>>,
    /// Each file with personal data masked, in its own format and base64; null for documents without. Absent unless the
    /// action is `mask`.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_document_files: Option<Vec<Option<String>>>,
}

impl DocumentResults {
    /// Returns the results for the files of a request. Computed before charging: a failure costs nothing.
    pub async fn of(guard: &Guard, decided: &PendingDecision) -> Result<Self, Error> {
        let submission = &decided.call.submission;
        if submission.files.is_empty() {
            return Ok(Self::default());
        }
        let mut results = vec![(None, None); submission.documents.len()];
        let is_masked = decided.evaluation.verdict.outcome == Outcome::Mask;
        for (file, read) in decided.call.attached.documents.iter().zip(&submission.files) {
            let Origin::Document(at) = file.origin else { continue };
            let masked = if is_masked { masked(guard, decided, file, read).await? } else { None };
            let masked = masked.map(|bytes| BASE64_STANDARD.encode(bytes));
            if let Some(result) = results.get_mut(at) {
                *result = (Some(read.extracted.text.clone()), masked);
            }
        }
        let (texts, files) = results.into_iter().unzip();
        Ok(Self { document_texts: Some(texts), masked_document_files: is_masked.then_some(files) })
    }
}

/// Returns the masked file; `None` if nothing in it is masked.
pub async fn masked(
    guard: &Guard,
    decided: &PendingDecision,
    file: &DocumentFile,
    read: &ReadDocument,
) -> Result<Option<Vec<u8>>, Error> {
    let of_file = decided.evaluation.replacements.iter().find(|(origin, _)| *origin == file.origin);
    let Some((_, replacements)) = of_file.filter(|(_, replacements)| !replacements.is_empty()) else {
        return Ok(None);
    };
    let rewrite = read.rewrite(replacements);
    Ok(Some(guard.media_workers().rewrite(decided.call.caller.org_id, file, rewrite).await?))
}
