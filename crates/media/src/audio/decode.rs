//! Decoding of audio files to samples.

use std::{io::Cursor, ops::ControlFlow};

use symphonia::core::{
    audio::Channels,
    codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions, well_known::CODEC_ID_OPUS},
    errors::Error,
    formats::{FormatOptions, FormatReader, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
};

use super::{AudioFile, RATE, Unreadable, opus::Opus, resample::Resampler};

/// A file is rejected if more than one packet in this many is damaged, because the missing speech may matter.
const MIN_PACKETS_PER_DAMAGED: usize = 20;
/// Accepted channels.
const MAX_CHANNELS: usize = 8;

enum Decoder {
    Opus(Box<Opus>),
    Other(Box<dyn AudioDecoder>),
}

/// Samples mixed to one channel and converted to 16 kHz.
struct Mono {
    /// The rate of the file and the resampler from it; none before the first packet.
    resampler: Option<(u32, Resampler)>,
    /// Samples of the file so far.
    read: u64,
    max_seconds: u32,
    /// Converted samples that were not taken yet.
    output: Vec<i16>,
}

/// Decodes a file of at most `max_seconds` to 16 kHz, with its channels mixed. `take` gets the samples chunk by chunk and
/// may stop.
pub fn mono(
    file: AudioFile,
    max_seconds: u32,
    mut take: impl FnMut(&[i16]) -> ControlFlow<()>,
) -> Result<(), Unreadable> {
    let mut format = open_format(file)?;
    let (track, parameters) = only_track(&*format)?;
    let mut decoder = open_decoder(&parameters)?;
    let mut mono = Mono { resampler: None, read: 0, max_seconds, output: Vec::new() };
    let (mut packets, mut damaged) = (0, 0);
    // A truncated file is decoded up to its end.
    while let Ok(Some(packet)) = format.next_packet() {
        if packet.track_id != track {
            continue;
        }
        packets += 1;
        if !decoder.decode(&packet, &mut mono)? {
            damaged += 1;
        }
        if mono.pass_on(&mut take).is_break() {
            return Ok(());
        }
    }
    if mono.read == 0 || damaged * MIN_PACKETS_PER_DAMAGED > packets {
        return Err(damaged_audio());
    }
    if let Some((_, resampler)) = &mut mono.resampler {
        resampler.finish(&mut mono.output)?;
    }
    let _stopped = mono.pass_on(&mut take);
    Ok(())
}

fn damaged_audio() -> Unreadable {
    Unreadable("the audio is damaged".to_owned())
}

fn open_format(file: AudioFile) -> Result<Box<dyn FormatReader + 'static>, Unreadable> {
    let unknown = |_| Unreadable("the file is not wav, mp3, flac, ogg, m4a or webm".to_owned());
    let stream = MediaSourceStream::new(Box::new(Cursor::new(file)), MediaSourceStreamOptions::default());
    let (hint, options, metadata) = (Hint::new(), FormatOptions::default(), MetadataOptions::default());
    symphonia::default::get_probe().probe(&hint, stream, options, metadata).map_err(unknown)
}

/// Returns the only audio track. Rejects files with several, because the other tracks would not be checked.
fn only_track(format: &dyn FormatReader) -> Result<(u32, AudioCodecParameters), Unreadable> {
    let unreadable = |why: &str| Unreadable(why.to_owned());
    let audio_track = |track: &symphonia::core::formats::Track| {
        Some((track.id, track.codec_params.as_ref()?.audio()?.clone()))
    };
    let mut tracks = format.tracks().iter().filter_map(audio_track);
    let first = tracks.next().ok_or_else(|| unreadable("the file contains no audio"))?;
    if tracks.next().is_some() {
        Err(unreadable("the file contains more than one audio track"))
    } else {
        Ok(first)
    }
}

fn open_decoder(parameters: &AudioCodecParameters) -> Result<Decoder, Unreadable> {
    if parameters.codec == CODEC_ID_OPUS {
        let channels = parameters.channels.as_ref().map_or(1, Channels::count);
        return Ok(Decoder::Opus(Box::new(Opus::new(channels)?)));
    }
    let unknown = |_| Unreadable("the audio codec is not supported".to_owned());
    let decoder =
        symphonia::default::get_codecs().make_audio_decoder(parameters, &AudioDecoderOptions::default());
    decoder.map(Decoder::Other).map_err(unknown)
}

impl Decoder {
    /// Decodes a packet and mixes it into `mono`. Returns `false` for a damaged packet.
    fn decode(
        &mut self,
        packet: &symphonia::core::packet::Packet,
        mono: &mut Mono,
    ) -> Result<bool, Unreadable> {
        match self {
            Self::Opus(opus) => {
                let channels = opus.channels();
                let Some(samples) = opus.decode(&packet.data) else { return Ok(false) };
                mono.mix(samples, channels, RATE)?;
            }
            Self::Other(decoder) => match decoder.decode(packet) {
                Ok(decoded) => {
                    let (channels, rate) = (decoded.spec().channels().count(), decoded.spec().rate());
                    let mut samples: Vec<f32> = Vec::new();
                    decoded.copy_to_vec_interleaved(&mut samples);
                    mono.mix(&samples, channels, rate)?;
                }
                Err(Error::DecodeError(_) | Error::IoError(_)) => return Ok(false),
                Err(_) => return Err(damaged_audio()),
            },
        }
        Ok(true)
    }
}

impl Mono {
    fn mix(&mut self, samples: &[f32], channels: usize, rate: u32) -> Result<(), Unreadable> {
        if !(1..=MAX_CHANNELS).contains(&channels) {
            return Err(Unreadable(format!(
                "the audio has {channels} channels; at most {MAX_CHANNELS} are accepted"
            )));
        }
        let (known, resampler) = match &mut self.resampler {
            Some((known, resampler)) => (*known, resampler),
            none => {
                let (known, resampler) = none.insert((rate, Resampler::from_rate(rate)?));
                (*known, resampler)
            }
        };
        if known != rate {
            return Err(damaged_audio());
        }
        let mean = |frame: &[f32]| frame.iter().sum::<f32>() / channels as f32;
        let mixed: Vec<f32> = samples.chunks_exact(channels).map(mean).collect();
        self.read += mixed.len() as u64;
        if self.read > u64::from(rate) * u64::from(self.max_seconds) {
            return Err(Unreadable(format!("the audio is longer than {} seconds", self.max_seconds)));
        }
        resampler.push(&mixed, &mut self.output)
    }

    fn pass_on(&mut self, take: &mut impl FnMut(&[i16]) -> ControlFlow<()>) -> ControlFlow<()> {
        let taken = take(&self.output);
        self.output.clear();
        taken
    }
}
