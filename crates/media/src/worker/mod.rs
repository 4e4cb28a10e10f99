//! Main loop of a worker process.

mod limits;
mod sandbox;

use std::{
    io::{BufWriter, Read, Result, Write},
    time::{Duration, Instant},
};

use crate::{
    audio::{self, Audio, NotTranscribed, Unreadable},
    document::{self, DocumentError},
    framing,
    image::{self, ImageError, Limits},
    protocol::{Confinement, Excerpt, Missing, Request, Response, WorkerKind, WorkerLimits},
};

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Serves requests from standard input on standard output until the input ends.
///
/// Loads all libraries and models first, then confines the process before it reads the first request.
pub fn run(kind: WorkerKind) -> Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), BufWriter::new(std::io::stdout().lock()));
    let Some((limits, _)) = framing::read::<WorkerLimits>(&mut input)? else { return Ok(()) };
    match kind {
        WorkerKind::Ocr => {
            limits::limit_memory(limits.memory)?;
            let mut engine = image::Engine::load(&limits);
            let faces = image::FaceDetector::load(&limits.models);
            let nsfw = image::NsfwClassifier::load(&limits.models);
            serve(&limits, &mut input, &mut output, |request, file, _| {
                handle_image((&mut engine, &faces, &nsfw), &limits, request, &file)
            })
        }
        WorkerKind::Documents => {
            limits::limit_memory(limits.memory)?;
            serve(&limits, &mut input, &mut output, |request, file, _| {
                handle_document(&limits, request, &file)
            })
        }
        WorkerKind::Speech => {
            limits::limit_memory(limits.memory + audio::Engine::memory(&limits))?;
            use_one_processor()?;
            let engine = audio::Engine::load(&limits);
            if limits.background {
                limits::yield_processor();
            }
            serve(&limits, &mut input, &mut output, |request, file, report| {
                handle_audio(&engine, &limits, request, file, report)
            })
        }
    }
}

/// Makes this thread the only one that computes: workers run in parallel as processes.
fn use_one_processor() -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().map_err(std::io::Error::other)
}

fn serve(
    limits: &WorkerLimits,
    input: &mut impl Read,
    output: &mut impl Write,
    mut handle: impl FnMut(Request, Vec<u8>, &mut dyn FnMut(Response)) -> (Response, Vec<u8>),
) -> Result<()> {
    let confinement = sandbox::confine();
    while let Some((request, file)) = framing::read(input)? {
        limits::limit_processor_time(limits.processor_seconds);
        let (response, file) = match refused(limits, confinement) {
            Some(missing) => (Response::Missing(missing), Vec::new()),
            // If the report cannot be written, neither can the response.
            None => handle(request, file, &mut |report| {
                let _written = framing::write(output, &report, &[]);
            }),
        };
        let response = match response {
            Response::Ready(_) => Response::Ready(confinement),
            response => response,
        };
        framing::write(output, &response, &file)?;
    }
    Ok(())
}

/// Returns the reason why the worker reads no files, if it must be confined and is not.
fn refused(limits: &WorkerLimits, confinement: Confinement) -> Option<Missing> {
    let missing = confinement.missing();
    (limits.require_sandbox && !missing.is_empty()).then_some(Missing::Sandbox(missing))
}

/// An engine, or the component that it lacks.
type Loaded<T> = std::result::Result<T, Missing>;

fn handle_image(
    (engine, faces, nsfw): (
        &mut Loaded<image::Engine>,
        &Loaded<image::FaceDetector>,
        &Loaded<image::NsfwClassifier>,
    ),
    limits: &WorkerLimits,
    request: Request,
    file: &[u8],
) -> (Response, Vec<u8>) {
    let time = Duration::from_secs(limits.processor_seconds);
    let limits = Limits { pixels: limits.pixels };
    let handled = match (request, engine) {
        (Request::CheckComponents, Ok(_)) => Ok((Response::Ready(Confinement::default()), Vec::new())),
        (Request::Ocr(checks), Ok(engine)) => asked(checks.faces, faces)
            .and_then(|faces| Ok(image::Detectors { faces, nsfw: asked(checks.nsfw, nsfw)? }))
            .and_then(|detectors| image::read(engine, detectors, file, limits, time))
            .map(|result| (Response::Ocr(result), Vec::new())),
        (Request::CheckComponents | Request::Ocr(_), Err(missing)) => {
            Ok((Response::Missing(missing.clone()), Vec::new()))
        }
        (Request::Redact(areas), _) => image::redact(file, &areas, limits).map(|file| (Response::File, file)),
        _ => Err(ImageError::Unreadable("this worker reads images only".to_owned())),
    };
    handled.unwrap_or_else(|error| match error {
        ImageError::Unreadable(why) => (Response::Unreadable(why), Vec::new()),
        ImageError::TimedOut => (Response::TimedOut, Vec::new()),
        ImageError::Missing(missing) => (Response::Missing(missing), Vec::new()),
    })
}

/// Returns a network if it is asked for, and an error if it is asked for and missing.
fn asked<T>(is_asked: bool, network: &Loaded<T>) -> std::result::Result<Option<&T>, ImageError> {
    if !is_asked {
        return Ok(None);
    }
    network.as_ref().map(Some).map_err(|missing| ImageError::Missing(missing.clone()))
}

fn handle_document(limits: &WorkerLimits, request: Request, file: &[u8]) -> (Response, Vec<u8>) {
    // The kernel ends the process when its time is over: the document reader stops before that.
    let time = Duration::from_secs(limits.processor_seconds).mul_f32(0.9);
    let limits = document::Limits { pixels: limits.pixels, time };
    let handled = match request {
        Request::CheckComponents => Ok((Response::Ready(Confinement::default()), Vec::new())),
        Request::Extract(name) => document::read(file, name.as_deref(), limits)
            .map(|(extracted, images)| (Response::Document(extracted), images)),
        Request::Rewrite(name, rewrite) => {
            document::rewrite(file, name.as_deref(), limits, rewrite).map(|file| (Response::File, file))
        }
        _ => Err(DocumentError::Unreadable("this worker reads documents only".to_owned())),
    };
    handled.unwrap_or_else(|error| match error {
        DocumentError::Unreadable(why) => (Response::Unreadable(why), Vec::new()),
        DocumentError::TimedOut => (Response::TimedOut, Vec::new()),
    })
}

fn handle_audio(
    engine: &Loaded<audio::Engine>,
    limits: &WorkerLimits,
    request: Request,
    file: Vec<u8>,
    report: &mut dyn FnMut(Response),
) -> (Response, Vec<u8>) {
    match (request, engine) {
        (Request::CheckComponents, Ok(_)) => (Response::Ready(Confinement::default()), Vec::new()),
        (Request::CheckComponents | Request::Transcribe, Err(missing)) => {
            (Response::Missing(missing.clone()), Vec::new())
        }
        (request, engine) => match Audio::open(file, limits.seconds) {
            Ok(audio) => handle_decoded(engine, request, &audio, report)
                .unwrap_or_else(|unreadable| (Response::Unreadable(unreadable.0), Vec::new())),
            Err(unreadable) => (Response::Unreadable(unreadable.0), Vec::new()),
        },
    }
}

fn handle_decoded(
    engine: &Loaded<audio::Engine>,
    request: Request,
    audio: &Audio,
    report: &mut dyn FnMut(Response),
) -> std::result::Result<(Response, Vec<u8>), Unreadable> {
    match (request, engine) {
        (Request::Transcribe, Ok(engine)) => match engine.transcribe(audio, &mut at_intervals(report)) {
            Ok(transcript) => Ok((Response::Transcript(transcript), Vec::new())),
            Err(NotTranscribed::Missing(missing)) => Ok((Response::Missing(missing), Vec::new())),
            Err(NotTranscribed::Unreadable(unreadable)) => Err(unreadable),
        },
        (Request::Measure, _) => Ok((Response::Measured(audio.duration()), Vec::new())),
        (Request::Excerpt(Excerpt { from, max_samples, muted }), _) => {
            let count = |samples: u64| usize::try_from(samples).unwrap_or(usize::MAX);
            let (wav, end) = audio.excerpt(count(from), count(max_samples), &muted)?;
            Ok((Response::Excerpt { end: end as u64, samples: audio.samples() as u64 }, wav))
        }
        _ => Err(Unreadable("this worker reads audio only".to_owned())),
    }
}

/// Returns what reports progress at most once in [`REPORT_INTERVAL`].
fn at_intervals(report: &mut dyn FnMut(Response)) -> impl FnMut(f32) {
    let mut last = Instant::now();
    move |seconds| {
        if last.elapsed() >= REPORT_INTERVAL {
            last = Instant::now();
            report(Response::Progress(seconds));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_must_be_confined_and_is_not_reads_no_files() {
        let limits = |require_sandbox| WorkerLimits {
            memory: 0,
            pixels: 0,
            seconds: 0,
            processor_seconds: 0,
            ocr: crate::OcrEngine::Auto,
            models: "/nonexistent".into(),
            languages: String::new(),
            whisper: None,
            background: false,
            require_sandbox,
        };
        let partly = Confinement { files: false, system_calls: true };
        let complete = Confinement { files: true, system_calls: true };
        assert_eq!(refused(&limits(true), partly), Some(Missing::Sandbox("landlock".to_owned())));
        assert_eq!(refused(&limits(true), complete), None);
        assert_eq!(refused(&limits(false), Confinement::default()), None);
    }
}
