//! Errors of loading a model.

#[cfg(feature = "local")]
use std::path::Path;
use std::path::PathBuf;

/// Reason why a model cannot be loaded, with the file that causes it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or its content is invalid.
    #[error("{}: {why}", file.display())]
    File {
        /// The file, or its folder if the file is missing.
        file: PathBuf,
        /// Description of the problem.
        why: String,
    },
    /// A mapped label is not one of the model's labels.
    #[error("{}: the model has no label {label:?}; it has {}", file.display(), known.join(", "))]
    Label {
        /// The file that lists the model's labels.
        file: PathBuf,
        /// The mapped label.
        label: String,
        /// The model's labels.
        known: Vec<String>,
    },
    /// The HTTP client of a remote classifier cannot be created.
    #[error("cannot create the HTTP client: {0}")]
    Client(String),
}

impl Error {
    /// Creates an error about `file`. Keeps the first line of `why`, because candle and ONNX append backtraces.
    #[cfg(feature = "local")]
    pub(crate) fn in_file(file: &Path, why: &(impl ToString + ?Sized)) -> Self {
        let why = why.to_string();
        let why = why.lines().next().unwrap_or_default().trim().to_owned();
        Self::File { file: file.to_owned(), why }
    }
}
