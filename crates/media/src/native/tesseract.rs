//! Tesseract 5, through its C interface (`tesseract/capi.h`).

#![expect(unsafe_code, reason = "calls into a C library; each says why it is sound")]

use std::{
    ffi::{CStr, CString, c_char, c_float, c_int, c_uchar, c_void},
    ptr::{NonNull, null},
    time::Duration,
};

use super::{functions, open};
use crate::protocol::Missing;

type Handle = *mut c_void;

functions! { #[expect(non_snake_case, reason = "functions keep the names of their header")] Functions {
    TessBaseAPICreate: fn() -> Handle;
    TessBaseAPIDelete: fn(Handle);
    TessBaseAPIInit3: fn(Handle, *const c_char, *const c_char) -> c_int;
    TessBaseAPISetPageSegMode: fn(Handle, c_int);
    TessBaseAPISetSourceResolution: fn(Handle, c_int);
    TessBaseAPISetImage: fn(Handle, *const c_uchar, c_int, c_int, c_int, c_int);
    TessBaseAPIRecognize: fn(Handle, Handle) -> c_int;
    TessBaseAPIGetIterator: fn(Handle) -> Handle;
    TessBaseAPIClear: fn(Handle);
    TessResultIteratorGetPageIterator: fn(Handle) -> Handle;
    TessResultIteratorGetUTF8Text: fn(Handle, c_int) -> *mut c_char;
    TessResultIteratorConfidence: fn(Handle, c_int) -> c_float;
    TessResultIteratorNext: fn(Handle, c_int) -> c_int;
    TessResultIteratorDelete: fn(Handle);
    TessPageIteratorBoundingBox: fn(Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    TessPageIteratorIsAtBeginningOf: fn(Handle, c_int) -> c_int;
    TessDeleteText: fn(*const c_char);
    TessMonitorCreate: fn() -> Handle;
    TessMonitorDelete: fn(Handle);
    TessMonitorSetDeadlineMSecs: fn(Handle, c_int);
} }

// `PageIteratorLevel` of publictypes.h.
const LINE: c_int = 2;
const WORD: c_int = 3;

/// How a page is taken apart (`PageSegMode` of publictypes.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Columns, blocks and lines, in reading order.
    Page = 3,
    /// As much text as there is, in no particular order.
    Sparse = 11,
}

/// A word of a page, in pixels of the picture that was given.
#[derive(Clone, Debug)]
pub struct PageWord {
    /// The word.
    pub text: String,
    /// 0 to 100.
    pub confidence: f32,
    /// Left, top, right, bottom.
    pub corners: [i32; 4],
    /// Whether it begins a line.
    pub begins_line: bool,
}

/// An engine with its model loaded.
pub struct Tesseract {
    functions: Functions,
    handle: NonNull<c_void>,
}

fn loaded() -> Result<Functions, Missing> {
    let missing = || Missing::package("tesseract 5", "libtesseract5");
    let library = open(&["libtesseract.so.5", "libtesseract.5.dylib"]).ok_or_else(missing)?;
    Functions::of(library).map_err(|_| missing())
}

impl Tesseract {
    /// The engine for `languages`, as `eng+deu`.
    pub fn load(languages: &str) -> Result<Self, Missing> {
        let functions = loaded()?;
        let missing = || {
            let packages: Vec<_> = languages.split('+').map(|code| format!("tesseract-ocr-{code}")).collect();
            Missing::package(format!("tesseract's model of {languages}"), packages.join(" "))
        };
        let named = CString::new(languages).map_err(|_| missing())?;
        // SAFETY: takes nothing, and gives a new engine that we own.
        let handle = NonNull::new(unsafe { (functions.TessBaseAPICreate)() }).ok_or_else(missing)?;
        let engine = Self { functions, handle };
        // SAFETY: the engine lives, the string ends with a zero and is copied; without a path the library looks in its own.
        let fault = unsafe { (engine.functions.TessBaseAPIInit3)(handle.as_ptr(), null(), named.as_ptr()) };
        if fault == 0 { Ok(engine) } else { Err(missing()) }
    }

    /// The words of a picture of one byte a pixel; `None` when they were not read within `time`.
    pub fn words(
        &mut self,
        pixels: &[u8],
        (width, height): (u32, u32),
        layout: Layout,
        time: Duration,
    ) -> Option<Vec<PageWord>> {
        assert_eq!(pixels.len(), width as usize * height as usize, "one byte a pixel");
        let (handle, (width, height)) = (self.handle.as_ptr(), (width as c_int, height as c_int));
        // SAFETY: the engine lives, and is ours alone (`&mut`); the picture is copied, and is as large as said.
        unsafe {
            (self.functions.TessBaseAPISetPageSegMode)(handle, layout as c_int);
            (self.functions.TessBaseAPISetImage)(handle, pixels.as_ptr(), width, height, 1, width);
            (self.functions.TessBaseAPISetSourceResolution)(handle, RESOLUTION);
        }
        let words = self.recognise(time).then(|| self.iterate());
        // SAFETY: the engine lives, and nothing points into its results any more.
        unsafe { (self.functions.TessBaseAPIClear)(handle) };
        words
    }

    fn recognise(&self, time: Duration) -> bool {
        let deadline = c_int::try_from(time.as_millis()).unwrap_or(c_int::MAX).max(1);
        // SAFETY: the monitor is made, used for this one call, and deleted; the engine lives.
        unsafe {
            let monitor = (self.functions.TessMonitorCreate)();
            (self.functions.TessMonitorSetDeadlineMSecs)(monitor, deadline);
            let fault = (self.functions.TessBaseAPIRecognize)(self.handle.as_ptr(), monitor);
            (self.functions.TessMonitorDelete)(monitor);
            fault == 0
        }
    }

    fn iterate(&self) -> Vec<PageWord> {
        // SAFETY: the engine lives and was asked to recognise; the iterator is null where there is no word.
        let iterator = unsafe { (self.functions.TessBaseAPIGetIterator)(self.handle.as_ptr()) };
        if iterator.is_null() {
            return Vec::new();
        }
        let mut words = Vec::new();
        loop {
            words.extend(self.word(iterator));
            // SAFETY: the iterator lives until it is deleted below.
            if unsafe { (self.functions.TessResultIteratorNext)(iterator, WORD) } == 0 {
                break;
            }
        }
        // SAFETY: the iterator is ours, and is not used again.
        unsafe { (self.functions.TessResultIteratorDelete)(iterator) };
        words
    }

    fn word(&self, iterator: Handle) -> Option<PageWord> {
        let mut corners = [0; 4];
        let [left, top, right, bottom] = &mut corners;
        // SAFETY: the iterator lives; the page iterator is a view of it that nobody owns. The text is null or ends with a
        // zero, is copied, and is given back to the library that made it.
        unsafe {
            let page = (self.functions.TessResultIteratorGetPageIterator)(iterator);
            let text = (self.functions.TessResultIteratorGetUTF8Text)(iterator, WORD);
            if text.is_null() {
                return None;
            }
            let word = CStr::from_ptr(text).to_string_lossy().trim().to_owned();
            (self.functions.TessDeleteText)(text);
            let has_box =
                (self.functions.TessPageIteratorBoundingBox)(page, WORD, left, top, right, bottom) != 0;
            let begins_line = (self.functions.TessPageIteratorIsAtBeginningOf)(page, LINE) != 0;
            let confidence = (self.functions.TessResultIteratorConfidence)(iterator, WORD);
            (has_box && !word.is_empty()).then_some(PageWord { text: word, confidence, corners, begins_line })
        }
    }
}

/// What pictures are said to have, dots per inch: text of the size that the model was trained on.
const RESOLUTION: c_int = 300;

impl Drop for Tesseract {
    fn drop(&mut self) {
        // SAFETY: the engine lives, and is not used again.
        unsafe { (self.functions.TessBaseAPIDelete)(self.handle.as_ptr()) };
    }
}
