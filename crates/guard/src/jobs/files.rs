//! The files of jobs, sealed in chunks.
//!
//! A chunk is bound to its file and place, and the last one to being the last: chunks can neither be exchanged nor cut
//! off. Every chunk but the last one has the same length.

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures::{Stream, stream};
use guardengine_vault::{DataKey, SEAL_BYTES};
use uuid::Uuid;

/// Bytes of a chunk before sealing.
const CHUNK: usize = 1 << 20;
const SEALED_CHUNK: usize = CHUNK + SEAL_BYTES;
/// File with the identifier of the folder.
const PLACE: &str = "place";

/// A file of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The audio that was sent.
    Upload,
    /// The audio with personal data muted.
    Muted,
}

impl FileKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Muted => "muted",
        }
    }
}

/// Identifies a file.
#[derive(Clone, Copy, Debug)]
pub struct FileId {
    /// Organization.
    pub org: Uuid,
    /// Job.
    pub job: Uuid,
    /// File of the job.
    pub kind: FileKind,
}

impl FileId {
    fn aad(self, index: u64, is_last: bool) -> String {
        let Self { org, job, kind } = self;
        let end = if is_last { " last" } else { "" };
        format!("organization {org} job {job} {} chunk {index}{end}", kind.name())
    }
}

/// The folder of the files. Processes that share it share its identifier.
#[derive(Clone, Debug)]
pub struct JobFiles {
    folder: PathBuf,
    /// Identifier of the folder: jobs run where their files are.
    pub place: Uuid,
}

impl JobFiles {
    /// Opens a folder, and creates it with mode 0700 if it is missing.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Self { folder: folder.to_owned(), place: place(folder)? })
    }

    fn path(&self, file: FileId) -> PathBuf {
        self.folder.join(format!("{}.{}", file.job, file.kind.name()))
    }

    /// Creates a file, or replaces the one of an earlier attempt.
    pub fn create(&self, id: FileId, key: Arc<DataKey>) -> io::Result<SealedWriter> {
        let options = File::options().write(true).create(true).truncate(true).mode(0o600).clone();
        let file = options.open(self.path(id))?;
        Ok(SealedWriter { file, key, id, index: 0, pending: Vec::new() })
    }

    /// Opens a file; `None` if it does not exist.
    pub fn read(&self, id: FileId, key: Arc<DataKey>) -> io::Result<Option<SealedFile>> {
        match File::open(self.path(id)) {
            Ok(file) => {
                let sealed = file.metadata()?.len();
                let chunks = sealed / SEALED_CHUNK as u64 + 1;
                let length = sealed.saturating_sub(chunks * SEAL_BYTES as u64);
                Ok(Some(SealedFile { file, key, id, index: 0, is_read: false, length }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes a file. A missing file is no error.
    pub fn delete(&self, id: FileId) {
        remove(&self.path(id));
    }

    /// Returns the files that were written at least that long ago, with their jobs.
    pub fn older_than(&self, age: Duration) -> io::Result<Vec<(Uuid, PathBuf)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let job = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
            let written = fs::metadata(&path).and_then(|file| file.modified());
            if let (Some(job), Ok(written)) = (job, written)
                && written.elapsed().is_ok_and(|elapsed| elapsed >= age)
            {
                found.push((job, path));
            }
        }
        Ok(found)
    }
}

/// Deletes a file. A file that cannot be deleted is found again by the next sweep.
pub fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "could not delete a file of a job");
    }
}

/// Returns the identifier of a folder, and writes it on first use. Of processes that do so at once, one wins.
fn place(folder: &Path) -> io::Result<Uuid> {
    let (path, draft) = (folder.join(PLACE), folder.join(format!("{PLACE}.{}", Uuid::now_v7().simple())));
    if !path.exists() {
        fs::write(&draft, Uuid::now_v7().to_string())?;
        let linked = fs::hard_link(&draft, &path);
        fs::remove_file(&draft)?;
        linked.or_else(|error| if path.exists() { Ok(()) } else { Err(error) })?;
    }
    fs::read_to_string(&path)?.trim().parse().map_err(io::Error::other)
}

/// Writes a file in sealed chunks.
pub struct SealedWriter {
    file: File,
    key: Arc<DataKey>,
    id: FileId,
    index: u64,
    pending: Vec<u8>,
}

impl SealedWriter {
    /// Continues with these bytes.
    pub fn push(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.pending.len() + bytes.len() >= CHUNK {
            let (now, later) = bytes.split_at(CHUNK - self.pending.len());
            self.pending.extend_from_slice(now);
            self.seal(false)?;
            bytes = later;
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }

    /// Ends the file and makes it durable.
    pub fn finish(mut self) -> io::Result<()> {
        self.seal(true)?;
        self.file.sync_all()
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        self.file.write_all(&self.key.seal(&self.id.aad(self.index, is_last), &self.pending))?;
        self.pending.clear();
        self.index += 1;
        Ok(())
    }
}

/// A sealed file that is read from its start.
pub struct SealedFile {
    file: File,
    key: Arc<DataKey>,
    id: FileId,
    index: u64,
    is_read: bool,
    length: u64,
}

impl SealedFile {
    /// Returns the number of bytes before sealing.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Streams the bytes. An altered or shortened file ends with an error.
    pub fn chunks(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self, |mut file| async move {
            if file.is_read {
                return Ok(None);
            }
            let read = move || file.next_chunk().map(|chunk| (chunk, file));
            let (chunk, file) = tokio::task::spawn_blocking(read).await.map_err(io::Error::other)??;
            Ok(Some((Bytes::from(chunk), file)))
        })
    }

    fn next_chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut sealed = Vec::with_capacity(SEALED_CHUNK);
        (&mut self.file).take(SEALED_CHUNK as u64).read_to_end(&mut sealed)?;
        self.is_read = sealed.len() < SEALED_CHUNK;
        let aad = self.id.aad(self.index, self.is_read);
        self.index += 1;
        self.key.open(&aad, &sealed).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt as _;

    use super::*;

    const ID: FileId = FileId { org: Uuid::nil(), job: Uuid::max(), kind: FileKind::Upload };

    fn written(files: &JobFiles, key: &Arc<DataKey>, bytes: &[u8]) {
        let mut writer = files.create(ID, Arc::clone(key)).unwrap();
        bytes.chunks(700_001).for_each(|piece| writer.push(piece).unwrap());
        writer.finish().unwrap();
    }

    async fn read(files: &JobFiles, id: FileId, key: &Arc<DataKey>) -> io::Result<Vec<u8>> {
        let file = files.read(id, Arc::clone(key))?.unwrap();
        let length = file.length();
        let bytes = file.chunks().try_collect::<Vec<_>>().await?.concat();
        assert_eq!(bytes.len() as u64, length);
        Ok(bytes)
    }

    #[tokio::test]
    async fn files_of_any_length_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let (files, key) = (JobFiles::open(folder.path()).unwrap(), Arc::new(DataKey::random()));
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            written(&files, &key, &bytes);
            assert!(read(&files, ID, &key).await.unwrap() == bytes, "{length}");
        }
        assert_eq!(files.older_than(Duration::ZERO).unwrap().len(), 1);
        files.delete(ID);
        assert!(files.read(ID, key).unwrap().is_none());
    }

    #[tokio::test]
    async fn altered_shortened_and_exchanged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (files, key) = (JobFiles::open(folder.path()).unwrap(), Arc::new(DataKey::random()));
        written(&files, &key, &vec![7; 2 * CHUNK + 9]);
        let sealed = fs::read(files.path(ID)).unwrap();
        assert!(!sealed.windows(16).any(|bytes| bytes == [7; 16]));
        for shortened in [&sealed[..SEALED_CHUNK], &sealed[..2 * SEALED_CHUNK], &sealed[SEALED_CHUNK..]] {
            fs::write(files.path(ID), shortened).unwrap();
            assert!(read(&files, ID, &key).await.is_err(), "{}", shortened.len());
        }
        fs::write(files.path(ID), &sealed).unwrap();
        assert!(read(&files, ID, &Arc::new(DataKey::random())).await.is_err());
        let other = FileId { job: Uuid::nil(), ..ID };
        fs::copy(files.path(ID), files.path(other)).unwrap();
        assert!(read(&files, other, &key).await.is_err());
        assert!(read(&files, ID, &key).await.is_ok());
    }

    #[test]
    fn a_folder_keeps_its_identifier() {
        let folder = tempfile::tempdir().unwrap();
        let place = JobFiles::open(folder.path()).unwrap().place;
        assert_eq!(JobFiles::open(folder.path()).unwrap().place, place);
        assert!(JobFiles::open(folder.path()).unwrap().older_than(Duration::ZERO).unwrap().is_empty());
    }
}
