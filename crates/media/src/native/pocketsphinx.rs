//! PocketSphinx 0.8 (5prealpha), through `pocketsphinx.h` and `sphinxbase/cmd_ln.h`.

#![expect(unsafe_code, reason = "calls into a C library; each says why it is sound")]

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

/// Frames of a second, as the decoder counts (its `-frate`).
pub const FRAMES: f32 = 100.0;
/// Where Debian puts the model.
const MODEL: &str = "/usr/share/pocketsphinx/model/en-us";

/// A word of an utterance.
#[derive(Clone, Debug)]
pub struct Uttered {
    /// The word, as the dictionary has it.
    pub text: String,
    /// Its first and its last frame.
    pub frames: (i32, i32),
}

/// What an utterance is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Every word of it.
    Words,
    /// Phrases that were set beforehand.
    Phrases,
}

/// The name of the search for phrases.
const PHRASES: &CStr = c"phrases";

/// A recogniser with its model loaded.
pub struct PocketSphinx {
    functions: Functions,
    handle: NonNull<c_void>,
    /// The name of the search for words, which the library chose.
    words: CString,
    // The decoder's settings point into these, and are freed after it.
    settings: NonNull<c_void>,
    _arguments: Vec<CString>,
}

fn loaded() -> Result<Functions, Missing> {
    let missing = || Missing::package("pocketsphinx", "libpocketsphinx3");
    let library = open(&["libpocketsphinx.so.3"]).ok_or_else(missing)?;
    Functions::of(library).map_err(|_| missing())
}

/// The arguments of the decoder: acoustic model, language model and dictionary of a folder laid out as Debian's.
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
    /// The recogniser with the model of a folder; Debian's where that is empty. The file `phrases` has a phrase a line, of
    /// words of the dictionary, with the odds from which it counts between slashes.
    pub fn load(model: &str, phrases: &Path) -> Result<Self, Missing> {
        let (functions, arguments) = (loaded()?, arguments(model)?);
        let missing = || Missing::package("a model that PocketSphinx can load", "pocketsphinx-en-us");
        let mut pointers: Vec<*mut c_char> = arguments.iter().map(|one| one.as_ptr().cast_mut()).collect();
        // SAFETY: the strings end with zeros, are only read, and live as long as the settings, for both stand in one
        // value; the definitions are the library's own.
        let settings = unsafe {
            let definitions = (functions.ps_args)();
            let count = pointers.len() as c_int;
            (functions.cmd_ln_parse_r)(null_mut(), definitions, count, pointers.as_mut_ptr(), 0)
        };
        let settings = NonNull::new(settings).ok_or_else(missing)?;
        // SAFETY: the settings were just made; the decoder keeps a reference of its own.
        let handle = NonNull::new(unsafe { (functions.ps_init)(settings.as_ptr()) }).ok_or_else(missing)?;
        // SAFETY: the decoder lives; the name is its own, ends with a zero, and is copied before anything changes it.
        let words = unsafe { CStr::from_ptr((functions.ps_get_search)(handle.as_ptr())) }.to_owned();
        let mut engine = Self { functions, handle, words, settings, _arguments: arguments };
        engine.set_phrases(phrases)?;
        Ok(engine)
    }

    fn set_phrases(&mut self, file: &Path) -> Result<(), Missing> {
        let refused =
            || Missing::package("a dictionary that knows the words of our phrases", "pocketsphinx-en-us");
        let file = CString::new(file.display().to_string()).map_err(|_| refused())?;
        // SAFETY: the decoder lives and is ours alone (`&mut`); both strings end with zeros and are copied.
        let fault =
            unsafe { (self.functions.ps_set_kws)(self.handle.as_ptr(), PHRASES.as_ptr(), file.as_ptr()) };
        if fault == 0 { Ok(()) } else { Err(refused()) }
    }

    /// What is found in an utterance of 16,000 samples a second.
    pub fn found(&mut self, samples: &[i16], search: Search) -> Vec<Uttered> {
        let decoder = self.handle.as_ptr();
        let name = if search == Search::Words { self.words.as_ptr() } else { PHRASES.as_ptr() };
        // SAFETY: the decoder lives, and is ours alone (`&mut`); the name is that of a search which it has, ends with a
        // zero and is copied; as many samples are read as there are.
        unsafe {
            (self.functions.ps_set_search)(decoder, name);
            (self.functions.ps_start_utt)(decoder);
            (self.functions.ps_process_raw)(decoder, samples.as_ptr(), samples.len(), 0, 1);
            (self.functions.ps_end_utt)(decoder);
        }
        self.iterate()
    }

    fn iterate(&self) -> Vec<Uttered> {
        let mut words = Vec::new();
        // SAFETY: the decoder lives and has ended an utterance; an iterator that reached its end is null, and freed.
        let mut at = unsafe { (self.functions.ps_seg_iter)(self.handle.as_ptr()) };
        while !at.is_null() {
            let (mut first, mut last) = (0, 0);
            // SAFETY: the iterator is at a word, whose text ends with a zero and is copied before the iterator moves.
            let text = unsafe {
                (self.functions.ps_seg_frames)(at, &raw mut first, &raw mut last);
                CStr::from_ptr((self.functions.ps_seg_word)(at)).to_string_lossy().trim().to_owned()
            };
            words.push(Uttered { text, frames: (first, last) });
            // SAFETY: as above.
            at = unsafe { (self.functions.ps_seg_next)(at) };
        }
        words
    }
}

impl Drop for PocketSphinx {
    fn drop(&mut self) {
        // SAFETY: both live, and are not used again; the arguments are dropped after this.
        unsafe {
            (self.functions.ps_free)(self.handle.as_ptr());
            (self.functions.cmd_ln_free_r)(self.settings.as_ptr());
        }
    }
}
