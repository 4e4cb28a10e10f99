//! Tokens: the bytes of each, and which are not text. From `tokenizer.json` (Hugging Face) and `config.json` (CTranslate2).

use std::{collections::HashMap, fs::File, io::Read as _, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use super::model_file::Reason;

/// Upper limit for the files in bytes, four times those of Whisper.
const MAX_BYTES: u64 = 16 << 20;
/// Upper limit for lists in the configuration.
const MAX_LISTED: usize = 1024;

/// Tokens of a model.
#[derive(Debug)]
pub struct Vocabulary {
    /// The bytes of all tokens of text, and where each begins.
    bytes: Vec<u8>,
    starts: Vec<usize>,
    /// Code and token of each language.
    languages: Vec<(String, u32)>,
    /// Tokens that are never written.
    pub suppressed: Vec<u32>,
    /// Tokens that never come first.
    pub suppressed_first: Vec<u32>,
    /// Layer and head of the attention that follows the audio.
    pub alignment: Vec<[usize; 2]>,
    /// The end of a text. Tokens from here on are not text.
    pub end: u32,
    /// The start of a text.
    pub start: u32,
    /// Asks for the words that are spoken, not for a translation.
    pub transcribe: u32,
    /// Asks for a text without times.
    pub no_times: u32,
    /// There is no speech.
    pub no_speech: u32,
}

#[derive(Deserialize)]
struct Tokenizer {
    model: Model,
    added_tokens: Vec<Added>,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u32>,
}

#[derive(Deserialize)]
struct Added {
    id: u32,
    content: String,
}

#[derive(Deserialize)]
struct Config {
    alignment_heads: Vec<[usize; 2]>,
    lang_ids: Vec<u32>,
    suppress_ids: Vec<u32>,
    suppress_ids_begin: Vec<u32>,
}

impl Vocabulary {
    /// Reads both files of a model with so many tokens. An error names the file.
    pub fn read(folder: &Path, tokens: usize) -> Result<Self, Reason> {
        let (tokenizer, config) = (json(folder, "tokenizer.json")?, json(folder, "config.json")?);
        Self::of(&tokenizer, config, tokens)
    }

    fn of(tokenizer: &Tokenizer, config: Config, tokens: usize) -> Result<Self, Reason> {
        let special: HashMap<&str, u32> =
            tokenizer.added_tokens.iter().map(|added| (&*added.content, added.id)).collect();
        let find = |name: &str| {
            let token = special.get(name).copied().filter(|id| (*id as usize) < tokens);
            token.ok_or_else(|| format!("tokenizer.json has no token {name}"))
        };
        let end = find("<|endoftext|>")?;
        let (bytes, starts) = texts(&tokenizer.model.vocab, end as usize)?;
        config.check(tokens)?;
        Ok(Self {
            bytes,
            starts,
            languages: languages(&special, &config.lang_ids)?,
            suppressed: config.suppress_ids,
            suppressed_first: config.suppress_ids_begin,
            alignment: config.alignment_heads,
            end,
            start: find("<|startoftranscript|>")?,
            transcribe: find("<|transcribe|>")?,
            no_times: find("<|notimestamps|>")?,
            no_speech: find("<|nospeech|>").or_else(|_| find("<|nocaptions|>"))?,
        })
    }

    /// Returns the bytes of a token, which may be part of a character; none of a token that is not text.
    pub fn bytes(&self, token: u32) -> &[u8] {
        let token = token as usize;
        self.starts.get(token..token + 2).map_or(&[], |ends| &self.bytes[ends[0]..ends[1]])
    }

    /// Returns the tokens of the languages.
    pub fn languages(&self) -> impl Iterator<Item = u32> {
        self.languages.iter().map(|(_, token)| *token)
    }

    /// Returns the code of a language (ISO 639-1, but for a few languages without such a code) by its token.
    pub fn language(&self, token: u32) -> Option<&str> {
        self.languages.iter().find(|(_, other)| *other == token).map(|(code, _)| code.as_str())
    }
}

impl Config {
    fn check(&self, tokens: usize) -> Result<(), Reason> {
        let lists = [&self.lang_ids, &self.suppress_ids, &self.suppress_ids_begin];
        if self.alignment_heads.is_empty() || self.alignment_heads.len() > MAX_LISTED {
            return Err(format!("config.json: alignment_heads: expected 1 to {MAX_LISTED} entries"));
        }
        if self.lang_ids.is_empty() {
            return Err("config.json: lang_ids: expected at least one language".to_owned());
        }
        if lists.iter().any(|list| list.len() > MAX_LISTED || list.iter().any(|id| *id as usize >= tokens)) {
            return Err(format!("config.json: expected lists of at most {MAX_LISTED} ids below {tokens}"));
        }
        Ok(())
    }
}

fn json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, Reason> {
    let mut text = Vec::new();
    let read = File::open(folder.join(name)).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text));
    read.map_err(|error| format!("{name} cannot be read: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("{name} cannot be read: {error}"))
}

/// Returns the bytes of all tokens below `end`, and where each begins and the last ends.
fn texts(vocabulary: &HashMap<String, u32>, end: usize) -> Result<(Vec<u8>, Vec<usize>), Reason> {
    let mut tokens = vec![None; end];
    for (text, id) in vocabulary {
        if let Some(token) = tokens.get_mut(*id as usize) {
            *token = Some(text.as_str());
        }
    }
    let (mut bytes, mut starts) = (Vec::new(), vec![0]);
    for (id, text) in tokens.into_iter().enumerate() {
        let text = text.ok_or_else(|| format!("tokenizer.json has no token of id {id}"))?;
        for character in text.chars() {
            let byte = byte_of(character);
            bytes.push(
                byte.ok_or_else(|| format!("tokenizer.json has a token of id {id} that is not bytes"))?,
            );
        }
        starts.push(bytes.len());
    }
    Ok((bytes, starts))
}

/// Returns the byte that a character stands for. Printable bytes stand for themselves, and the others are numbered from 256
/// (`bytes_to_unicode` in OpenAI's GPT-2).
fn byte_of(character: char) -> Option<u8> {
    let is_printable = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let code = u32::from(character);
    let byte = if code < 256 {
        Some(code).filter(|code| is_printable(*code))
    } else {
        (0..256).filter(|byte| !is_printable(*byte)).nth(code as usize - 256)
    };
    byte.map(|byte| byte as u8)
}

/// Returns code and token of each language. Whisper's code differs from ISO 639-1 only for Javanese.
fn languages(special: &HashMap<&str, u32>, ids: &[u32]) -> Result<Vec<(String, u32)>, Reason> {
    let names: HashMap<u32, &str> = special.iter().map(|(name, id)| (*id, *name)).collect();
    let code = |id: &u32| {
        let name = names.get(id).and_then(|name| name.strip_prefix("<|")?.strip_suffix("|>"));
        let name = name.ok_or_else(|| format!("tokenizer.json has no language of id {id}"))?;
        Ok((if name == "jw" { "jv" } else { name }.to_owned(), *id))
    };
    ids.iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A vocabulary of three tokens of text and a config, changed by the test.
    fn read(change: impl FnOnce(&mut Value, &mut Value)) -> Result<Vocabulary, Reason> {
        let names = ["endoftext", "startoftranscript", "de", "jw", "transcribe", "nospeech", "notimestamps"];
        let added: Vec<_> = names
            .iter()
            .zip(3..)
            .map(|(name, id)| json!({"id": id, "content": format!("<|{name}|>")}))
            .collect();
        let mut tokenizer = json!({"model": {"vocab": {"Ġf": 0, "Ã": 1, "¼r": 2}}, "added_tokens": added});
        let mut config = json!({
            "alignment_heads": [[0, 1]], "lang_ids": [5, 6], "suppress_ids": [1], "suppress_ids_begin": [],
        });
        change(&mut tokenizer, &mut config);
        let parsed = (serde_json::from_value(tokenizer).unwrap(), serde_json::from_value(config).unwrap());
        Vocabulary::of(&parsed.0, parsed.1, 10)
    }

    #[test]
    fn joins_a_character_from_the_bytes_of_two_tokens() {
        let vocabulary = read(|_, _| {}).unwrap();
        let bytes: Vec<u8> = (0..3).flat_map(|token| vocabulary.bytes(token).to_vec()).collect();
        assert_eq!(String::from_utf8(bytes).unwrap(), " für");
        assert_eq!((vocabulary.bytes(3), vocabulary.bytes(u32::MAX - 2)), (&[][..], &[][..]));
    }

    #[test]
    fn names_languages_as_iso_does() {
        let vocabulary = read(|_, _| {}).unwrap();
        assert_eq!((vocabulary.language(5), vocabulary.language(6)), (Some("de"), Some("jv")));
        assert_eq!((vocabulary.language(7), vocabulary.languages().collect()), (None, vec![5, 6]));
    }

    #[test]
    fn every_byte_has_a_character_of_its_own() {
        let printable = (33..=126).chain(161..=172).chain(174..=255);
        let characters = printable.chain(256..=323).filter_map(char::from_u32);
        let mut bytes: Vec<u8> = characters.filter_map(byte_of).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        assert_eq!((byte_of(' '), byte_of('ń'), byte_of('Ġ')), (None, None, Some(b' ')));
    }

    #[track_caller]
    fn assert_refused(change: impl FnOnce(&mut Value, &mut Value), reason: &str) {
        assert_eq!(read(change).err().as_deref(), Some(reason));
    }

    #[test]
    fn names_what_is_missing_or_out_of_range() {
        assert_refused(
            |tokenizer, _| tokenizer["model"]["vocab"] = json!({"a": 0, "b": 2}),
            "tokenizer.json has no token of id 1",
        );
        assert_refused(
            |tokenizer, _| tokenizer["model"]["vocab"] = json!({"a": 0, "a b": 1, "b": 2}),
            "tokenizer.json has a token of id 1 that is not bytes",
        );
        assert_refused(
            |tokenizer, _| tokenizer["added_tokens"][4]["id"] = json!(10),
            "tokenizer.json has no token <|transcribe|>",
        );
        assert_refused(
            |_, config| config["lang_ids"] = json!([9, 1]),
            "tokenizer.json has no language of id 1",
        );
        assert_refused(
            |_, config| config["lang_ids"] = json!([]),
            "config.json: lang_ids: expected at least one language",
        );
        assert_refused(
            |_, config| config["alignment_heads"] = json!([]),
            "config.json: alignment_heads: expected 1 to 1024 entries",
        );
        assert_refused(
            |_, config| config["suppress_ids"] = json!([10]),
            "config.json: expected lists of at most 1024 ids below 10",
        );
    }
}
