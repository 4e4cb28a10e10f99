//! Reads the attachments of a call after the call passed its checks.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use guardengine_integrations::connectors::OpenConnector;

use crate::{
    Error, Guard, GuardRequest,
    attachments::{
        ImageFile, MediaText,
        contents::{FACE, ImageText},
    },
    pipeline::check_size,
    policy_context::PolicyContext,
};

/// Images of one call read concurrently, so that other calls get workers too.
const CONCURRENT_IMAGES: usize = 2;

impl Guard {
    /// Returns the connector that transcribes the audio of a call; `None` for the built-in speech engine.
    pub(crate) async fn transcriber(&self, call: &GuardRequest) -> Result<Option<OpenConnector>, Error> {
        self.transcriber.select(call.caller.org_id, call.attached.transcribed_by).await
    }

    /// Reads the images and audio of a call. Images are skipped if the policy does not guard the direction.
    pub(crate) async fn read(
        &self,
        mut call: GuardRequest,
        context: &PolicyContext,
        transcriber: Option<OpenConnector>,
    ) -> Result<GuardRequest, Error> {
        if call.attached.audio.is_none() && !context.compiled.guards(call.submission.direction) {
            return Ok(call);
        }
        let org_id = call.caller.org_id;
        let faces = context.selects_pii(FACE);
        let read_image = async |(index, image): (usize, &ImageFile)| {
            let read = self.media_workers.ocr(org_id, image, faces).await?;
            let passage = read.located_text();
            let faces = read.placed_faces(&passage);
            Ok::<_, Error>(MediaText::Image(index, ImageText { passage, faces }))
        };
        let images = stream::iter(call.attached.images.iter().enumerate().map(read_image));
        let mut media: Vec<MediaText> = images.buffered(CONCURRENT_IMAGES).try_collect().await?;
        if let Some(audio) = &call.attached.audio {
            media.push(MediaText::Speech(
                self.transcriber.transcribe(org_id, audio, transcriber.as_ref()).await?,
            ));
        }
        call.submission.has_unread |= call.attached.images.iter().any(ImageFile::is_animated);
        call.submission.media = media;
        check_size(&call.submission)?;
        Ok(call)
    }
}
