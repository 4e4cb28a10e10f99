//! Bindings to Tesseract 5 through its C interface (`tesseract/capi.h`).

#![expect(unsafe_code, reason = "calls a C library; each call states why it is sound")]

use std::{
    ffi::{CStr, CString, c_char, c_float, c_int, c_uchar, c_void},
    ptr::{NonNull, null},
    time::Duration,
};

use super::{functions, open};
use crate::protocol::Missing;

type Handle = *mut c_void;

functions! { #[expect(non_snake_case, reason = "names of the C header")] Functions {
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

/// Page segmentation mode (`PageSegMode` of publictypes.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Columns, blocks and lines, in reading order.
    Page = 3,
    /// As much text as possible, in no particular order.
    Sparse = 11,
}

/// A word of a page, with its position in pixels of the input image.
#[derive(Clone, Debug)]
pub struct PageWord {
    /// Text of the word.
    pub text: String,
    /// Confidence from 0 to 100.
    pub confidence: f32,
    /// Left, top, right, bottom.
    pub corners: [i32; 4],
    /// True if the word is the first of a line.
    pub starts_line: bool,
}

/// A Tesseract engine with its model.
pub struct Tesseract {
    functions: Functions,
    handle: NonNull<c_void>,
}

fn load_library() -> Result<Functions, Missing> {
    let missing = || Missing::package("tesseract 5", "libtesseract5");
    let library = open(&["libtesseract.so.5", "libtesseract.5.dylib"]).ok_or_else(missing)?;
    Functions::of(library).map_err(|_| missing())
}

impl Tesseract {
    /// Loads the engine for `languages`, such as `eng+deu`.
    pub fn load(languages: &str) -> Result<Self, Missing> {
        let functions = load_library()?;
        let missing = || {
            let packages: Vec<_> = languages.split('+').map(|code| format!("tesseract-ocr-{code}")).collect();
            Missing::package(format!("tesseract's model of {languages}"), packages.join(" "))
        };
        let name = CString::new(languages).map_err(|_| missing())?;
        // SAFETY: returns a new engine that this value owns.
        let handle = NonNull::new(unsafe { (functions.TessBaseAPICreate)() }).ok_or_else(missing)?;
        let engine = Self { functions, handle };
        // SAFETY: the engine is valid; the string is NUL-terminated and copied. A null path selects the library's
        // default.
        let status = unsafe { (engine.functions.TessBaseAPIInit3)(handle.as_ptr(), null(), name.as_ptr()) };
        if status == 0 { Ok(engine) } else { Err(missing()) }
    }

    /// Recognizes the words of a grayscale image with one byte per pixel. Returns `None` if that takes longer than
    /// `time`.
    pub fn recognize(
        &mut self,
        pixels: &[u8],
        (width, height): (u32, u32),
        layout: Layout,
        time: Duration,
    ) -> Option<Vec<PageWord>> {
        assert_eq!(pixels.len(), width as usize * height as usize, "one byte per pixel");
        let (handle, (width, height)) = (self.handle.as_ptr(), (width as c_int, height as c_int));
        // SAFETY: the engine is valid and borrowed exclusively; the image is copied and has the given size.
        unsafe {
            (self.functions.TessBaseAPISetPageSegMode)(handle, layout as c_int);
            (self.functions.TessBaseAPISetImage)(handle, pixels.as_ptr(), width, height, 1, width);
            (self.functions.TessBaseAPISetSourceResolution)(handle, RESOLUTION);
        }
        let words = self.run(time).then(|| self.results());
        // SAFETY: the engine is valid and nothing points into its results.
        unsafe { (self.functions.TessBaseAPIClear)(handle) };
        words
    }

    /// Runs recognition. Returns `false` if it fails or reaches the deadline.
    fn run(&self, time: Duration) -> bool {
        let deadline = c_int::try_from(time.as_millis()).unwrap_or(c_int::MAX).max(1);
        // SAFETY: the engine is valid; the monitor is created, used for one call and deleted.
        unsafe {
            let monitor = (self.functions.TessMonitorCreate)();
            (self.functions.TessMonitorSetDeadlineMSecs)(monitor, deadline);
            let status = (self.functions.TessBaseAPIRecognize)(self.handle.as_ptr(), monitor);
            (self.functions.TessMonitorDelete)(monitor);
            status == 0
        }
    }

    fn results(&self) -> Vec<PageWord> {
        // SAFETY: the engine is valid and recognition has run. The iterator is null if there are no words.
        let iterator = unsafe { (self.functions.TessBaseAPIGetIterator)(self.handle.as_ptr()) };
        if iterator.is_null() {
            return Vec::new();
        }
        let mut words = Vec::new();
        loop {
            words.extend(self.word(iterator));
            // SAFETY: the iterator is valid until it is deleted below.
            if unsafe { (self.functions.TessResultIteratorNext)(iterator, WORD) } == 0 {
                break;
            }
        }
        // SAFETY: this function owns the iterator and does not use it again.
        unsafe { (self.functions.TessResultIteratorDelete)(iterator) };
        words
    }

    fn word(&self, iterator: Handle) -> Option<PageWord> {
        let mut corners = [0; 4];
        let [left, top, right, bottom] = &mut corners;
        // SAFETY: the iterator is valid; the page iterator is a view of it without an owner. The text is null or
        // NUL-terminated; it is copied and then freed by the library.
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
            let starts_line = (self.functions.TessPageIteratorIsAtBeginningOf)(page, LINE) != 0;
            let confidence = (self.functions.TessResultIteratorConfidence)(iterator, WORD);
            (has_box && !word.is_empty()).then_some(PageWord { text: word, confidence, corners, starts_line })
        }
    }
}

/// Resolution reported to Tesseract in dots per inch, which gives text the size that the model was trained on.
const RESOLUTION: c_int = 300;

impl Drop for Tesseract {
    fn drop(&mut self) {
        // SAFETY: the engine is valid and not used again.
        unsafe { (self.functions.TessBaseAPIDelete)(self.handle.as_ptr()) };
    }
}
