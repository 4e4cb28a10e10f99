//! Bindings to PocketSphinx 0.8 (5prealpha): `pocketsphinx.h` and `sphinxbase/cmd_ln.h`.

#![expect(unsafe_code, reason = "calls a C library; each call states why it is sound")]

use std::{
    ffi::{CStr, CString, c_char, c_int, c_short, c_void},
    path::Path,
    ptr::{NonNull, null_mut},
};

use super::{functions, open};
use crate::protocol::Missing;

type Handle = *mut c_void;

functions! { Functions {
    ps_args: fn() -> *const c_void;
    ps_init: fn(Handle) -> Handle;
    ps_free: fn(Handle) -> c_int;
    ps_start_utt: fn(Handle) -> c_int;
    ps_process_raw: fn(Handle, *const c_short, usize, c_int, c_int) -> c_int;
    ps_end_utt: fn(Handle) -> c_int;
    ps_seg_iter: fn(Handle) -> Handle;
    ps_seg_next: fn(Handle) -> Handle;
    ps_seg_word: fn(Handle) -> *const c_char;
    ps_seg_frames: fn(Handle, *mut c_int, *mut c_int);
    ps_set_kws: fn(Handle, *const c_char, *const c_char) -> c_int;
    ps_set_search: fn(Handle, *const c_char) -> c_int;
    ps_get_search: fn(Handle) -> *const c_char;
    cmd_ln_parse_r: fn(Handle, *const c_void, c_int, *mut *mut c_char, c_int) -> Handle;
    cmd_ln_free_r: fn(Handle) -> c_int;
} }

/// Frames per second of the decoder (its `-frate`).
pub const FRAMES: f32 = 100.0;
/// Model folder in Debian.
const MODEL: &str = "/usr/share/pocketsphinx/model/en-us";

/// A word or phrase found in an utterance.
#[derive(Clone, Debug)]
pub struct SpokenWord {
    /// The word as spelled in the dictionary.
    pub text: String,
    /// First and last frame.
    pub frames: (i32, i32),
}

/// Kind of search in an utterance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// All words.
    Words,
    /// The configured phrases.
    Phrases,
}

/// Name of the search for phrases.
const PHRASE_SEARCH: &CStr = c"phrases";

/// A PocketSphinx decoder with its model.
pub struct PocketSphinx {
    functions: Functions,
    handle: NonNull<c_void>,
    /// Name of the search for words, chosen by the library.
    word_search: CString,
    // The settings point into the arguments and are freed after the decoder.
    settings: NonNull<c_void>,
    _arguments: Vec<CString>,
}

fn load_library() -> Result<Functions, Missing> {
    let missing = || Missing::package("pocketsphinx", "libpocketsphinx3");
    let library = open(&["libpocketsphinx.so.3"]).ok_or_else(missing)?;
    Functions::of(library).map_err(|_| missing())
}

/// Returns the decoder's arguments: acoustic model, language model and dictionary in a folder with Debian's layout.
fn arguments(model: &str) -> Result<Vec<CString>, Missing> {
    let folder = Path::new(if model.is_empty() { MODEL } else { model });
    let missing = || Missing::package("PocketSphinx's model", "pocketsphinx-en-us");
    let files = [("-hmm", "en-us"), ("-lm", "en-us.lm.bin"), ("-dict", "cmudict-en-us.dict")];
    let mut arguments = vec!["pocketsphinx".to_owned()];
    for (name, file) in files {
        let path = folder.join(file);
        if !path.exists() {
            return Err(missing());
        }
        arguments.extend([name.to_owned(), path.display().to_string()]);
    }
    arguments.extend(["-logfn", "/dev/null", "-remove_silence", "no"].map(str::to_owned));
    arguments.into_iter().map(|argument| CString::new(argument).map_err(|_| missing())).collect()
}

impl PocketSphinx {
    /// Loads the model in a folder, or Debian's model if `model` is empty. The file `phrases` has one phrase per line,
    /// made of words in the dictionary, followed by its detection threshold between slashes.
    pub fn load(model: &str, phrases: &Path) -> Result<Self, Missing> {
        let (functions, arguments) = (load_library()?, arguments(model)?);
        let missing = || Missing::package("a model that PocketSphinx can load", "pocketsphinx-en-us");
        let mut pointers: Vec<*mut c_char> =
            arguments.iter().map(|argument| argument.as_ptr().cast_mut()).collect();
        // SAFETY: the strings are NUL-terminated, only read, and live as long as the settings, because one value owns
        // both. The definitions belong to the library.
        let settings = unsafe {
            let definitions = (functions.ps_args)();
            let count = pointers.len() as c_int;
            (functions.cmd_ln_parse_r)(null_mut(), definitions, count, pointers.as_mut_ptr(), 0)
        };
        let settings = NonNull::new(settings).ok_or_else(missing)?;
        // SAFETY: the settings are valid; the decoder keeps its own reference to them.
        let handle = NonNull::new(unsafe { (functions.ps_init)(settings.as_ptr()) }).ok_or_else(missing)?;
        // SAFETY: the decoder is valid. It owns the name, which is NUL-terminated and copied before anything changes
        // it.
        let word_search = unsafe { CStr::from_ptr((functions.ps_get_search)(handle.as_ptr())) }.to_owned();
        let mut engine = Self { functions, handle, word_search, settings, _arguments: arguments };
        engine.set_phrases(phrases)?;
        Ok(engine)
    }

    fn set_phrases(&mut self, file: &Path) -> Result<(), Missing> {
        let missing = || {
            Missing::package(
                "a PocketSphinx dictionary with all words of the attack phrases",
                "pocketsphinx-en-us",
            )
        };
        let file = CString::new(file.display().to_string()).map_err(|_| missing())?;
        // SAFETY: the decoder is valid and borrowed exclusively; both strings are NUL-terminated and copied.
        let status = unsafe {
            (self.functions.ps_set_kws)(self.handle.as_ptr(), PHRASE_SEARCH.as_ptr(), file.as_ptr())
        };
        if status == 0 { Ok(()) } else { Err(missing()) }
    }

    /// Searches an utterance of 16 kHz.
    pub fn search(&mut self, samples: &[i16], kind: Search) -> Vec<SpokenWord> {
        let decoder = self.handle.as_ptr();
        let name = if kind == Search::Words { self.word_search.as_ptr() } else { PHRASE_SEARCH.as_ptr() };
        // SAFETY: the decoder is valid and borrowed exclusively. The name belongs to an existing search, is
        // NUL-terminated and copied. The library reads exactly `samples.len()` samples.
        unsafe {
            (self.functions.ps_set_search)(decoder, name);
            (self.functions.ps_start_utt)(decoder);
            (self.functions.ps_process_raw)(decoder, samples.as_ptr(), samples.len(), 0, 1);
            (self.functions.ps_end_utt)(decoder);
        }
        self.results()
    }

    fn results(&self) -> Vec<SpokenWord> {
        let mut words = Vec::new();
        // SAFETY: the decoder is valid and has ended an utterance. At its end the iterator is null and already freed.
        let mut iterator = unsafe { (self.functions.ps_seg_iter)(self.handle.as_ptr()) };
        while !iterator.is_null() {
            let (mut first, mut last) = (0, 0);
            // SAFETY: the iterator is valid. Its text is NUL-terminated and copied before the iterator moves.
            let text = unsafe {
                (self.functions.ps_seg_frames)(iterator, &raw mut first, &raw mut last);
                CStr::from_ptr((self.functions.ps_seg_word)(iterator)).to_string_lossy().trim().to_owned()
            };
            words.push(SpokenWord { text, frames: (first, last) });
            // SAFETY: the iterator is valid.
            iterator = unsafe { (self.functions.ps_seg_next)(iterator) };
        }
        words
    }
}

impl Drop for PocketSphinx {
    fn drop(&mut self) {
        // SAFETY: both are valid and not used again. The arguments are dropped after this.
        unsafe {
            (self.functions.ps_free)(self.handle.as_ptr());
            (self.functions.cmd_ln_free_r)(self.settings.as_ptr());
        }
    }
}
