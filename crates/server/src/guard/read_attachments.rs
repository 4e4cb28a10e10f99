//! What comes with a call is read, once it is known that the call may be answered.

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::{Guard, GuardRequest, pipeline::bounded, policy_context::PolicyContext};
use crate::{
    connectors::OpenConnector,
    http::Error,
    media::{MediaText, Picture},
};

/// Pictures of one call that are read at a time; others want to be served too.
const AT_ONCE: usize = 2;

impl Guard {
    /// Who transcribes the recording of a call, where it has one: `None` for the recogniser of this machine.
    pub(super) async fn transcriber(&self, call: &GuardRequest) -> Result<Option<OpenConnector>, Error> {
        if call.attached.recording.is_none() {
            return Ok(None);
        }
        self.transcriber.chosen(call.caller.org_id, call.attached.transcribed_by).await
    }

    /// Reads the pictures and the recording of a call, unless its policy does not look at them.
    pub(super) async fn read(
        &self,
        mut call: GuardRequest,
        standing: &PolicyContext,
        transcriber: Option<OpenConnector>,
    ) -> Result<GuardRequest, Error> {
        if call.attached.recording.is_none() && !standing.compiled.guards(call.submission.direction) {
            return Ok(call);
        }
        let see = async |(index, picture): (usize, &Picture)| {
            Ok::<_, Error>(MediaText::Image(index, self.media_workers.ocr(picture).await?.passage()))
        };
        let pictures = stream::iter(call.attached.pictures.iter().enumerate().map(see));
        let mut media: Vec<MediaText> = pictures.buffered(AT_ONCE).try_collect().await?;
        if let Some(recording) = &call.attached.recording {
            media.push(MediaText::Speech(self.transcriber.heard(recording, transcriber.as_ref()).await?));
        }
        call.submission.media = media;
        bounded(&call.submission)?;
        Ok(call)
    }
}
