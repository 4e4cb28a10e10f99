//! What runs in a worker process: one question after another, until there are no more.

mod confine;
mod limits;

use std::{
    io::{BufWriter, Read, Result, Write},
    time::Duration,
};

use crate::{
    Heard,
    foreign::tesseract::Tesseract,
    frame,
    pictures::{self, Fault, Limits},
    protocol::{Answer, Kind, Missing, Question, Setup},
    recordings::{self, Phrases, Recogniser},
};

/// Answers questions from standard input on standard output.
///
/// What a question needs is loaded before the first one is read; from then on the process is confined.
pub fn run(kind: Kind) -> Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), BufWriter::new(std::io::stdout().lock()));
    let Some((setup, _)) = frame::read::<Setup>(&mut input)? else { return Ok(()) };
    match kind {
        Kind::Ocr => {
            limits::bound(setup.memory)?;
            let mut engine = Tesseract::load(&setup.languages);
            serve(&setup, &mut input, &mut output, |asked, file| see(&mut engine, &setup, asked, file))
        }
        Kind::Speech => {
            // Written while the process may still write.
            let phrases = Phrases::written()?;
            limits::bound(setup.memory + Recogniser::memory(&setup))?;
            let mut engine = Recogniser::load(&setup, phrases.path());
            serve(&setup, &mut input, &mut output, |asked, file| hear(&mut engine, &setup, asked, file))
        }
    }
}

fn serve(
    setup: &Setup,
    input: &mut impl Read,
    output: &mut impl Write,
    mut answer: impl FnMut(Question, &[u8]) -> (Answer, Vec<u8>),
) -> Result<()> {
    confine::confine();
    while let Some((question, file)) = frame::read(input)? {
        limits::allow_processor(setup.processor_seconds);
        let (answer, file) = answer(question, &file);
        frame::write(output, &answer, &file)?;
    }
    Ok(())
}

/// An engine, or what it wants.
type Engine<T> = std::result::Result<T, Missing>;

fn see(engine: &mut Engine<Tesseract>, setup: &Setup, question: Question, file: &[u8]) -> (Answer, Vec<u8>) {
    let limits = Limits { pixels: setup.pixels };
    let time = Duration::from_secs(setup.processor_seconds);
    let seen = match (question, engine) {
        (Question::Look, Ok(_)) => Ok((Answer::Ready, Vec::new())),
        (Question::Read, Ok(engine)) => {
            pictures::read(engine, file, limits, time).map(|seen| (Answer::Seen(seen), Vec::new()))
        }
        (Question::Look | Question::Read, Err(missing)) => Ok((Answer::Missing(missing.clone()), Vec::new())),
        (Question::Paint(areas), _) => pictures::paint(file, &areas, limits).map(|file| (Answer::File, file)),
        _ => Err(Fault::Unreadable("that is no picture".to_owned())),
    };
    seen.unwrap_or_else(|fault| match fault {
        Fault::Unreadable(why) => (Answer::Unreadable(why), Vec::new()),
        Fault::TimedOut => (Answer::TimedOut, Vec::new()),
    })
}

fn hear(
    engine: &mut Engine<Recogniser>,
    setup: &Setup,
    question: Question,
    file: &[u8],
) -> (Answer, Vec<u8>) {
    match (question, engine) {
        (Question::Look, Ok(_)) => (Answer::Ready, Vec::new()),
        (Question::Look | Question::Hear, Err(missing)) => (Answer::Missing(missing.clone()), Vec::new()),
        (question, engine) => match recordings::samples(file, setup.seconds) {
            Ok(samples) => heard(engine, question, samples),
            Err(unreadable) => (Answer::Unreadable(unreadable.0), Vec::new()),
        },
    }
}

fn heard(engine: &mut Engine<Recogniser>, question: Question, mut samples: Vec<i16>) -> (Answer, Vec<u8>) {
    match (question, engine) {
        (Question::Hear, Ok(engine)) => {
            (engine.heard(&samples).map_or_else(Answer::Missing, Answer::Heard), Vec::new())
        }
        (Question::Silence(moments), _) => {
            recordings::silence(&mut samples, &moments);
            (Answer::File, recordings::file(&samples))
        }
        (Question::Decode, _) => {
            let heard = Heard { duration: recordings::duration(&samples), ..Heard::default() };
            (Answer::Heard(heard), recordings::file(&samples))
        }
        _ => (Answer::Unreadable("that is no recording".to_owned()), Vec::new()),
    }
}
