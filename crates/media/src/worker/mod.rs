//! What runs in a worker process: one question after another, until there are no more.

mod limits;
mod sandbox;

use std::{
    io::{BufWriter, Read, Result, Write},
    time::Duration,
};

use crate::{
    Transcript,
    audio::{self, Engine, PhraseList},
    framing,
    image::{self, ImageError, Limits},
    native::tesseract::Tesseract,
    protocol::{Missing, Request, Response, WorkerKind, WorkerLimits},
};

/// Answers questions from standard input on standard output.
///
/// What a question needs is loaded before the first one is read; from then on the process is confined.
pub fn run(kind: WorkerKind) -> Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), BufWriter::new(std::io::stdout().lock()));
    let Some((setup, _)) = framing::read::<WorkerLimits>(&mut input)? else { return Ok(()) };
    match kind {
        WorkerKind::Ocr => {
            limits::bound(setup.memory)?;
            let mut engine = Tesseract::load(&setup.languages);
            serve(&setup, &mut input, &mut output, |asked, file| see(&mut engine, &setup, asked, file))
        }
        WorkerKind::Speech => {
            // Written while the process may still write.
            let phrases = PhraseList::written()?;
            limits::bound(setup.memory + Engine::memory(&setup))?;
            let mut engine = Engine::load(&setup, phrases.path());
            serve(&setup, &mut input, &mut output, |asked, file| hear(&mut engine, &setup, asked, file))
        }
    }
}

fn serve(
    setup: &WorkerLimits,
    input: &mut impl Read,
    output: &mut impl Write,
    mut answer: impl FnMut(Request, &[u8]) -> (Response, Vec<u8>),
) -> Result<()> {
    sandbox::confine();
    while let Some((question, file)) = framing::read(input)? {
        limits::allow_processor(setup.processor_seconds);
        let (answer, file) = answer(question, &file);
        framing::write(output, &answer, &file)?;
    }
    Ok(())
}

/// An engine, or what it wants.
type Loaded<T> = std::result::Result<T, Missing>;

fn see(
    engine: &mut Loaded<Tesseract>,
    setup: &WorkerLimits,
    question: Request,
    file: &[u8],
) -> (Response, Vec<u8>) {
    let limits = Limits { pixels: setup.pixels };
    let time = Duration::from_secs(setup.processor_seconds);
    let seen = match (question, engine) {
        (Request::Look, Ok(_)) => Ok((Response::Ready, Vec::new())),
        (Request::Read, Ok(engine)) => {
            image::read(engine, file, limits, time).map(|seen| (Response::Seen(seen), Vec::new()))
        }
        (Request::Look | Request::Read, Err(missing)) => Ok((Response::Missing(missing.clone()), Vec::new())),
        (Request::Paint(areas), _) => image::redact(file, &areas, limits).map(|file| (Response::File, file)),
        _ => Err(ImageError::Unreadable("that is no picture".to_owned())),
    };
    seen.unwrap_or_else(|fault| match fault {
        ImageError::Unreadable(why) => (Response::Unreadable(why), Vec::new()),
        ImageError::TimedOut => (Response::TimedOut, Vec::new()),
    })
}

fn hear(
    engine: &mut Loaded<Engine>,
    setup: &WorkerLimits,
    question: Request,
    file: &[u8],
) -> (Response, Vec<u8>) {
    match (question, engine) {
        (Request::Look, Ok(_)) => (Response::Ready, Vec::new()),
        (Request::Look | Request::Hear, Err(missing)) => (Response::Missing(missing.clone()), Vec::new()),
        (question, engine) => match audio::decode(file, setup.seconds) {
            Ok(samples) => heard(engine, question, samples),
            Err(unreadable) => (Response::Unreadable(unreadable.0), Vec::new()),
        },
    }
}

fn heard(engine: &mut Loaded<Engine>, question: Request, mut samples: Vec<i16>) -> (Response, Vec<u8>) {
    match (question, engine) {
        (Request::Hear, Ok(engine)) => {
            (engine.heard(&samples).map_or_else(Response::Missing, Response::Heard), Vec::new())
        }
        (Request::Silence(moments), _) => {
            audio::mute(&mut samples, &moments);
            (Response::File, audio::file(&samples))
        }
        (Request::Decode, _) => {
            let heard = Transcript { duration: audio::duration(&samples), ..Transcript::default() };
            (Response::Heard(heard), audio::file(&samples))
        }
        _ => (Response::Unreadable("that is no recording".to_owned()), Vec::new()),
    }
}
