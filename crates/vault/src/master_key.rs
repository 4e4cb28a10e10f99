//! The master key, which seals the keys of organisations and of the installation.
//!
//! Its file holds base64 of 32 bytes a line: the first line seals; the others are keys before it, which open what has
//! not been sealed anew yet. A running service reads the file again before it seals, and when it meets a key that it
//! does not know, so that a rotation needs no restart.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::{DataKey, Error};

/// The master key; cheap to clone.
#[derive(Clone)]
pub struct MasterKey(Arc<Kept>);

struct Kept {
    keys: RwLock<Vec<DataKey>>,
    file: Option<PathBuf>,
}

impl MasterKey {
    /// The key that the configuration itself holds, as base64.
    pub fn configured(written: &str) -> Result<Self, Error> {
        let key = decode(written).ok_or(Error::MasterKey {
            path: "master_key".to_owned(),
            why: "must be base64 of 32 bytes".to_owned(),
        })?;
        Ok(Self::with(vec![key], None))
    }

    /// The key of a file, which is made with mode 0600 when missing.
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            create(path).map_err(|why| unusable(path, &why))?;
        }
        Ok(Self::with(read(path)?, Some(path.to_owned())))
    }

    fn with(keys: Vec<DataKey>, file: Option<PathBuf>) -> Self {
        Self(Arc::new(Kept { keys: RwLock::new(keys), file }))
    }

    /// Seals `value` for `place` under the newest key.
    pub fn seal(&self, place: &str, value: &[u8]) -> Vec<u8> {
        self.read_again();
        self.newest().seal(place, value)
    }

    /// Opens a value that was sealed for `place`.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        if self.key_of(sealed).is_none() {
            self.read_again();
        }
        self.key_of(sealed).ok_or(Error::CannotDecrypt)?.open(place, sealed)
    }

    /// Whether `sealed` is under the newest key.
    pub fn is_newest(&self, sealed: &[u8]) -> bool {
        self.newest().sealed(sealed)
    }

    /// The newest key's id, in hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}", u64::from_be_bytes(self.newest().id()))
    }

    /// Begins to seal under a new key, or goes on with a rotation that was interrupted.
    pub fn rotate(&self) -> Result<Rotation<'_>, Error> {
        let Some(path) = &self.0.file else {
            let why =
                "stands in the configuration: put it into master_key_file, which can be rotated".to_owned();
            return Err(Error::MasterKey { path: "master_key".to_owned(), why });
        };
        let lock = lock(path).map_err(|why| unusable(path, &why))?;
        let mut keys = read(path)?;
        if keys.len() == 1 {
            keys.insert(0, DataKey::random());
            write(path, &keys).map_err(|why| unusable(path, &why))?;
        }
        self.know(keys);
        Ok(Rotation { master: self, path, _lock: lock })
    }

    fn newest(&self) -> DataKey {
        // There is always one: a file without any is refused.
        self.0.keys.read().unwrap_or_else(PoisonError::into_inner)[0].clone()
    }

    fn key_of(&self, sealed: &[u8]) -> Option<DataKey> {
        let keys = self.0.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.iter().find(|key| key.sealed(sealed)).cloned()
    }

    /// Takes up what another process wrote; a file that cannot be read leaves the keys as they are.
    fn read_again(&self) {
        match self.0.file.as_deref().map(read) {
            Some(Ok(keys)) => self.know(keys),
            Some(Err(fault)) => tracing::warn!(%fault, "the master key's file could not be read again"),
            None => {}
        }
    }

    /// Keys that were known stay known, behind `newer`: what this process sealed, it opens.
    fn know(&self, newer: Vec<DataKey>) {
        let mut keys = self.0.keys.write().unwrap_or_else(PoisonError::into_inner);
        let older: Vec<DataKey> = keys.drain(..).filter(|key| !newer.contains(key)).collect();
        keys.extend(newer);
        keys.extend(older);
    }
}

/// A rotation that has begun; one at a time.
pub struct Rotation<'m> {
    master: &'m MasterKey,
    path: &'m Path,
    _lock: File,
}

impl Rotation<'_> {
    /// Ends it: the file forgets the keys before the newest. Nothing may be sealed under them any more.
    pub fn end(self) -> Result<(), Error> {
        write(self.path, &[self.master.newest()]).map_err(|why| unusable(self.path, &why))
    }
}

fn unusable(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::MasterKey { path: path.display().to_string(), why: why.to_string() }
}

fn decode(written: &str) -> Option<DataKey> {
    DataKey::of(&BASE64_STANDARD.decode(written.trim()).ok()?)
}

fn read(path: &Path) -> Result<Vec<DataKey>, Error> {
    let written = fs::read_to_string(path).map_err(|why| unusable(path, &why))?;
    let lines = written.lines().filter(|line| !line.trim().is_empty());
    let keys: Option<Vec<DataKey>> = lines.map(decode).collect();
    keys.filter(|keys| !keys.is_empty()).ok_or_else(|| unusable(path, &"must hold base64 of 32 bytes"))
}

/// Makes the file with a new key, unless another process is faster.
fn create(path: &Path) -> std::io::Result<()> {
    let draft = draft(path, &[DataKey::random()])?;
    let made = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match made {
        Err(fault) if fault.kind() != std::io::ErrorKind::AlreadyExists => Err(fault),
        _ => sync_folder(path),
    }
}

/// Replaces the file whole: whoever reads it sees the old keys or the new ones.
fn write(path: &Path, keys: &[DataKey]) -> std::io::Result<()> {
    fs::rename(draft(path, keys)?, path)?;
    sync_folder(path)
}

/// A file beside `path` with `keys`, for its owner alone.
fn draft(path: &Path, keys: &[DataKey]) -> std::io::Result<PathBuf> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    for key in keys {
        writeln!(file, "{}", BASE64_STANDARD.encode(key.bytes()))?;
    }
    file.sync_all()?;
    Ok(draft.into())
}

fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Held while a rotation runs.
fn lock(path: &Path) -> std::io::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(name)?;
    file.try_lock().map_err(|_| std::io::Error::other("another rotation is running"))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        (folder, path)
    }

    #[test]
    fn a_missing_master_key_is_made_once_for_the_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, path) = folder();
        let first = MasterKey::of_file(&path).unwrap();
        assert_eq!(MasterKey::of_file(&path).unwrap().id(), first.id());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "too short").unwrap();
        assert!(MasterKey::of_file(&path).is_err());
    }

    #[test]
    fn a_rotation_is_seen_by_a_running_service_and_forgets_the_old_key_at_its_end() {
        let (_folder, path) = folder();
        let (operator, service) = (MasterKey::of_file(&path).unwrap(), MasterKey::of_file(&path).unwrap());
        let old = service.seal("here", b"old");
        let rotation = operator.rotate().unwrap();
        assert!(operator.rotate().is_err(), "two at once");
        let new = operator.seal("here", b"new");
        assert_eq!(service.open("here", &new).unwrap(), b"new");
        assert!(service.is_newest(&service.seal("here", b"newer")) && !service.is_newest(&old));
        rotation.end().unwrap();
        assert_eq!(service.open("here", &old).unwrap(), b"old");
        let late = MasterKey::of_file(&path).unwrap();
        assert_eq!(late.open("here", &new).unwrap(), b"new");
        assert!(late.open("here", &old).is_err());
    }

    #[test]
    fn an_interrupted_rotation_goes_on_with_its_key() {
        let (_folder, path) = folder();
        let operator = MasterKey::of_file(&path).unwrap();
        drop(operator.rotate().unwrap());
        let begun = operator.id();
        operator.rotate().unwrap().end().unwrap();
        assert_eq!((operator.id(), fs::read_to_string(&path).unwrap().lines().count()), (begun, 1));
    }

    #[test]
    fn a_key_in_the_configuration_is_not_rotated() {
        let written = BASE64_STANDARD.encode([7; 32]);
        assert!(MasterKey::configured(&written).unwrap().rotate().is_err());
        assert!(MasterKey::configured("nonsense").is_err());
    }
}
