//! Reads the attachments of a call after the call passed its checks.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use guardengine_integrations::connectors::OpenConnector;
use guardengine_media::ImageChecks;

use crate::{
    Error, Guard, GuardRequest,
    attachments::{DocumentFile, ImageFile, MediaText, ReadDocument, contents::ImageText},
    pipeline::check_size,
    policy_context::PolicyContext,
};

/// Files of one call read concurrently, so that other calls get workers too.
const CONCURRENT_FILES: usize = 2;

impl Guard {
    /// Returns the connector that transcribes the audio of a call; `None` for the built-in speech engine.
    pub(crate) async fn transcriber(&self, call: &GuardRequest) -> Result<Option<OpenConnector>, Error> {
        self.transcriber.select(call.caller.org_id, call.attached.transcribed_by).await
    }

    /// Reads the texts of the documents of a call, and returns their images, which are not read yet. Documents are skipped if
    /// the policy does not guard the direction.
    pub(crate) async fn read_documents(
        &self,
        mut call: GuardRequest,
        context: &PolicyContext,
    ) -> Result<(GuardRequest, Vec<Vec<ImageFile>>), Error> {
        if call.attached.documents.is_empty() || !context.compiled.guards(call.submission.direction) {
            return Ok((call, Vec::new()));
        }
        let org_id = call.caller.org_id;
        let extract = async |document: &DocumentFile| {
            let (extracted, of_files) = self.media_workers.extract(org_id, document).await?;
            Ok::<_, Error>((ReadDocument::new(document.origin, extracted), of_files))
        };
        let read = stream::iter(call.attached.documents.iter().map(extract)).buffered(CONCURRENT_FILES);
        let (files, of_files): (Vec<_>, Vec<_>) = read.try_collect::<Vec<_>>().await?.into_iter().unzip();
        call.submission.files = files;
        call.submission.take_texts_of_files();
        check_size(&call.submission)?;
        Ok((call, of_files))
    }

    /// Runs OCR on the images of the documents of a call.
    async fn read_document_images(
        &self,
        call: &mut GuardRequest,
        of_files: Vec<Vec<ImageFile>>,
        checks: ImageChecks,
    ) -> Result<(), Error> {
        let org_id = call.caller.org_id;
        for (file, own) in call.submission.files.iter_mut().zip(of_files) {
            let read = async |image: ImageFile| {
                let read = self.media_workers.ocr_of_document_image(org_id, &image, checks).await?;
                Ok::<_, Error>(read.map(ImageText::from))
            };
            let mut images = stream::iter(own.into_iter().map(read)).buffered(CONCURRENT_FILES);
            while let Some(image) = images.try_next().await? {
                file.add_image(image);
            }
        }
        call.submission.take_texts_of_files();
        Ok(())
    }

    /// Reads the images and audio of a call, and the images of its documents. Images are skipped if the policy does not guard the direction.
    pub(crate) async fn read(
        &self,
        mut call: GuardRequest,
        context: &PolicyContext,
        transcriber: Option<OpenConnector>,
        of_files: Vec<Vec<ImageFile>>,
    ) -> Result<GuardRequest, Error> {
        if call.attached.audio.is_none() && !context.compiled.guards(call.submission.direction) {
            return Ok(call);
        }
        let checks = context.image_checks();
        self.read_document_images(&mut call, of_files, checks).await?;
        let org_id = call.caller.org_id;
        let read_image = async |(index, image): (usize, &ImageFile)| {
            let read = self.media_workers.ocr(org_id, image, checks).await?;
            Ok::<_, Error>(MediaText::Image(index, read.into()))
        };
        let images = stream::iter(call.attached.images.iter().enumerate().map(read_image));
        let mut media: Vec<MediaText> = images.buffered(CONCURRENT_FILES).try_collect().await?;
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
