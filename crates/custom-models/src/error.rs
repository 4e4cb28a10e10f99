//! Why a model cannot be used.

#[cfg(feature = "local")]
use std::path::Path;
use std::path::PathBuf;

/// Why a model cannot be used: which file, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read, or does not hold what it should.
    #[error("{}: {why}", file.display())]
    File {
        /// The file, or the folder where none was found.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A label is mapped that the model does not have.
    #[error("{}: the model has no label {label:?}; it has {}", file.display(), known.join(", "))]
    Label {
        /// The file that names the model's labels.
        file: PathBuf,
        /// The label.
        label: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// The client of a remote classifier cannot be made.
    #[error("no HTTP client: {0}")]
    Client(String),
}

impl Error {
    /// `why` about `file`, in one line: candle and ONNX add backtraces to theirs.
    #[cfg(feature = "local")]
    pub(crate) fn in_file(file: &Path, why: &(impl ToString + ?Sized)) -> Self {
        let why = why.to_string();
        let why = why.lines().next().unwrap_or_default().trim().to_owned();
        Self::File { file: file.to_owned(), why }
    }
}
