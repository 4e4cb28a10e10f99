//! Files to samples.

use std::io::Cursor;

use symphonia::core::{
    audio::Channels,
    codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions, well_known::CODEC_ID_OPUS},
    errors::Error,
    formats::{FormatOptions, FormatReader, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions},
    meta::MetadataOptions,
};

use super::{RATE, Unreadable, opus::Opus, resample};

/// Share of packets that may be damaged: more, and what was said there may matter.
const DAMAGED: usize = 20;
/// Channels of a recording, at most.
const CHANNELS: usize = 8;

enum Decoder {
    Opus(Box<Opus>),
    Other(Box<dyn AudioDecoder>),
}

/// Samples of one channel, and their rate.
struct Mono {
    samples: Vec<f32>,
    rate: u32,
    /// Samples, at most.
    most: usize,
    seconds: u32,
}

/// The recording at 16 kHz, its channels mixed.
pub fn mono(file: &[u8], seconds: u32) -> Result<Vec<i16>, Unreadable> {
    let mut format = format(file)?;
    let (track, parameters) = track(&*format)?;
    let (mut decoder, mut mono) = (decoder(&parameters)?, Mono::new(seconds));
    let (mut packets, mut damaged) = (0, 0);
    // A file that ends too early is heard as far as it goes.
    while let Ok(Some(packet)) = format.next_packet() {
        if packet.track_id != track {
            continue;
        }
        packets += 1;
        if !decoder.decode(&packet, &mut mono)? {
            damaged += 1;
        }
    }
    if mono.samples.is_empty() || damaged * DAMAGED > packets {
        return Err(damage());
    }
    resample::to_16_khz(&mono.samples, mono.rate)
}

fn damage() -> Unreadable {
    Unreadable("the recording is damaged".to_owned())
}

fn format(file: &[u8]) -> Result<Box<dyn FormatReader + 'static>, Unreadable> {
    let unknown = |_| Unreadable("the file is not wav, mp3, flac, ogg, m4a or webm".to_owned());
    let stream =
        MediaSourceStream::new(Box::new(Cursor::new(file.to_vec())), MediaSourceStreamOptions::default());
    let (hint, options, metadata) = (Hint::new(), FormatOptions::default(), MetadataOptions::default());
    symphonia::default::get_probe().probe(&hint, stream, options, metadata).map_err(unknown)
}

/// The only track: what would be said on another one must not go unheard.
fn track(format: &dyn FormatReader) -> Result<(u32, AudioCodecParameters), Unreadable> {
    let refused = |why: &str| Unreadable(why.to_owned());
    let audio = |track: &symphonia::core::formats::Track| {
        Some((track.id, track.codec_params.as_ref()?.audio()?.clone()))
    };
    let mut tracks = format.tracks().iter().filter_map(audio);
    let first = tracks.next().ok_or_else(|| refused("the file holds no recording"))?;
    if tracks.next().is_some() { Err(refused("the file holds more than one recording")) } else { Ok(first) }
}

fn decoder(parameters: &AudioCodecParameters) -> Result<Decoder, Unreadable> {
    if parameters.codec == CODEC_ID_OPUS {
        let channels = parameters.channels.as_ref().map_or(1, Channels::count);
        return Ok(Decoder::Opus(Box::new(Opus::new(channels)?)));
    }
    let unknown = |_| Unreadable("the recording is coded in a way that is not accepted".to_owned());
    let made =
        symphonia::default::get_codecs().make_audio_decoder(parameters, &AudioDecoderOptions::default());
    made.map(Decoder::Other).map_err(unknown)
}

impl Decoder {
    /// Whether the packet could be decoded.
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
                Err(_) => return Err(damage()),
            },
        }
        Ok(true)
    }
}

impl Mono {
    const fn new(seconds: u32) -> Self {
        Self { samples: Vec::new(), rate: 0, most: 0, seconds }
    }

    fn mix(&mut self, samples: &[f32], channels: usize, rate: u32) -> Result<(), Unreadable> {
        if !(1..=CHANNELS).contains(&channels) {
            return Err(Unreadable(format!(
                "the recording has {channels} channels; at most {CHANNELS} are accepted"
            )));
        }
        if self.rate == 0 {
            resample::admit(rate)?;
            (self.rate, self.most) = (rate, rate as usize * self.seconds as usize);
        }
        if self.rate != rate {
            return Err(damage());
        }
        let mean = |frame: &[f32]| frame.iter().sum::<f32>() / channels as f32;
        self.samples.extend(samples.chunks_exact(channels).map(mean));
        let seconds = self.seconds;
        let too_long = || Unreadable(format!("the recording is longer than {seconds} seconds"));
        if self.samples.len() > self.most { Err(too_long()) } else { Ok(()) }
    }
}
