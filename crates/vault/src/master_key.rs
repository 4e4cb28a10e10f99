//! The master key, which encrypts the keys of organizations and of the installation.
//!
//! Each line of its file is a key: base64 of 32 bytes. The first key encrypts. The others are previous keys, for values
//! that are not re-encrypted yet. A running service reloads the file before it encrypts, and when it meets an unknown
//! key, so that a rotation needs no restart.

use std::{
    fs::{self, File},
    io::Write as _,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use zeroize::Zeroizing;

use super::{DataKey, Error};

/// The master key; cheap to clone.
#[derive(Clone)]
pub struct MasterKey(Arc<Inner>);

struct Inner {
    keys: RwLock<Vec<DataKey>>,
    file: Option<PathBuf>,
}

impl MasterKey {
    /// Creates the master key from the configured value, base64 of 32 bytes.
    pub fn configured(text: &str) -> Result<Self, Error> {
        let key = decode(text).ok_or(Error::MasterKey {
            path: "master_key".to_owned(),
            why: "must be base64 of 32 bytes".to_owned(),
        })?;
        Ok(Self::with(vec![key], None))
    }

    /// Loads the key file of an installation that has data sealed under the key. Never creates it.
    pub fn of_existing_file(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::MissingMasterKey(path.display().to_string()));
        }
        check_mode(path)?;
        Ok(Self::with(read(path)?, Some(path.to_owned())))
    }

    /// Loads the key file. Creates it with mode 0600 if it is missing. Refuses a file that other users can read or write.
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            create(path).map_err(|why| unusable(path, &why))?;
        }
        check_mode(path)?;
        Ok(Self::with(read(path)?, Some(path.to_owned())))
    }

    fn with(keys: Vec<DataKey>, file: Option<PathBuf>) -> Self {
        Self(Arc::new(Inner { keys: RwLock::new(keys), file }))
    }

    /// Encrypts `value` with the newest key, with `aad` as associated data.
    pub fn seal(&self, aad: &str, value: &[u8]) -> Vec<u8> {
        self.reload();
        self.newest().seal(aad, value)
    }

    /// Decrypts a value that was encrypted with `aad` as associated data.
    pub fn open(&self, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        if self.key_of(sealed).is_none() {
            self.reload();
        }
        self.key_of(sealed).ok_or(Error::CannotDecrypt)?.open(aad, sealed)
    }

    /// Returns a keyed digest of `value` for `purpose`, as [`DataKey::digest`] does, under the newest key. It is another one
    /// after a rotation.
    pub fn digest(&self, purpose: &str, value: &[u8]) -> [u8; 32] {
        self.reload();
        self.newest().digest(purpose, value)
    }

    /// Returns true if `sealed` was encrypted with the newest key.
    pub fn is_newest(&self, sealed: &[u8]) -> bool {
        self.newest().sealed(sealed)
    }

    /// Returns the id of the newest key, in hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:016x}", u64::from_be_bytes(self.newest().id()))
    }

    /// Starts to encrypt with a new key, or resumes an interrupted rotation.
    pub fn rotate(&self) -> Result<Rotation<'_>, Error> {
        let Some(path) = &self.0.file else {
            let why =
                "set in the configuration and cannot be rotated; move the key to master_key_file".to_owned();
            return Err(Error::MasterKey { path: "master_key".to_owned(), why });
        };
        let lock = lock(path).map_err(|why| unusable(path, &why))?;
        let mut keys = read(path)?;
        if keys.len() == 1 {
            keys.insert(0, DataKey::random());
            write(path, &keys).map_err(|why| unusable(path, &why))?;
        }
        self.add_keys(keys);
        Ok(Rotation { master: self, path, _lock: lock })
    }

    fn newest(&self) -> DataKey {
        // There is at least one key: an empty file is refused.
        self.0.keys.read().unwrap_or_else(PoisonError::into_inner)[0].clone()
    }

    fn key_of(&self, sealed: &[u8]) -> Option<DataKey> {
        let keys = self.0.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.iter().find(|key| key.sealed(sealed)).cloned()
    }

    /// Loads keys that another process wrote. Keeps the known keys if the file cannot be read.
    fn reload(&self) {
        match self.0.file.as_deref().map(read) {
            Some(Ok(keys)) => self.add_keys(keys),
            Some(Err(error)) => tracing::warn!(%error, "could not reload the master key file"),
            None => {}
        }
    }

    /// Adds `newer` keys in front. Keeps the known ones, so that this process can decrypt everything it encrypted.
    fn add_keys(&self, newer: Vec<DataKey>) {
        let mut keys = self.0.keys.write().unwrap_or_else(PoisonError::into_inner);
        let older: Vec<DataKey> = keys.drain(..).filter(|key| !newer.contains(key)).collect();
        keys.extend(newer);
        keys.extend(older);
    }
}

/// A rotation in progress. Only one can run at a time.
pub struct Rotation<'m> {
    master: &'m MasterKey,
    path: &'m Path,
    _lock: File,
}

impl Rotation<'_> {
    /// Ends the rotation: removes the previous keys from the file. Nothing may be encrypted with them any more.
    pub fn end(self) -> Result<(), Error> {
        write(self.path, &[self.master.newest()]).map_err(|why| unusable(self.path, &why))
    }
}

fn unusable(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::MasterKey { path: path.display().to_string(), why: why.to_string() }
}

/// Returns an error if users other than the owner and the group can read or write the file. A group is accepted: that is
/// how orchestrators hand out secrets.
fn check_mode(path: &Path) -> Result<(), Error> {
    let mode = fs::metadata(path).map_err(|why| unusable(path, &why))?.permissions().mode() & 0o777;
    if mode & 0o006 == 0 {
        return Ok(());
    }
    let why = format!(
        "other users of this machine can access it (mode {mode:04o}); run chmod 600 {}",
        path.display()
    );
    Err(unusable(path, &why))
}

fn decode(text: &str) -> Option<DataKey> {
    DataKey::of(&Zeroizing::new(BASE64_STANDARD.decode(text.trim()).ok()?))
}

fn read(path: &Path) -> Result<Vec<DataKey>, Error> {
    let text = Zeroizing::new(fs::read_to_string(path).map_err(|why| unusable(path, &why))?);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let keys: Option<Vec<DataKey>> = lines.map(decode).collect();
    keys.filter(|keys| !keys.is_empty()).ok_or_else(|| unusable(path, &"must contain base64 of 32 bytes"))
}

/// Creates the file with a new key, unless another process was first.
fn create(path: &Path) -> std::io::Result<()> {
    let temporary = write_temporary(path, &[DataKey::random()])?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder(path),
    }
}

/// Replaces the file atomically: readers see either the old keys or the new ones.
fn write(path: &Path, keys: &[DataKey]) -> std::io::Result<()> {
    fs::rename(write_temporary(path, keys)?, path)?;
    sync_folder(path)
}

/// Writes `keys` to a temporary file beside `path`, with mode 0600. Returns its path.
fn write_temporary(path: &Path, keys: &[DataKey]) -> std::io::Result<PathBuf> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    for key in keys {
        writeln!(file, "{}", *Zeroizing::new(BASE64_STANDARD.encode(key.bytes())))?;
    }
    file.sync_all()?;
    Ok(draft.into())
}

fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Takes the lock that a rotation holds.
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
    fn creates_a_missing_master_key_with_mode_0600() {
        let (_folder, path) = folder();
        let first = MasterKey::of_file(&path).unwrap();
        assert_eq!(MasterKey::of_file(&path).unwrap().id(), first.id());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "too short").unwrap();
        assert!(MasterKey::of_file(&path).is_err());
    }

    #[test]
    fn refuses_a_master_key_that_others_can_read() {
        let (_folder, path) = folder();
        MasterKey::of_file(&path).unwrap();
        let opened = |mode| {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            MasterKey::of_file(&path).map(|key| key.id()).map_err(|error| error.to_string())
        };
        for mode in [0o400, 0o600, 0o440, 0o640] {
            assert!(opened(mode).is_ok(), "{mode:o}");
        }
        for mode in [0o644, 0o604, 0o602] {
            let error = opened(mode).unwrap_err();
            assert!(error.contains(&format!("(mode {mode:04o}); run chmod 600 /")), "{error}");
        }
    }

    #[test]
    fn a_running_service_sees_a_rotation_and_the_file_drops_the_old_key() {
        let (_folder, path) = folder();
        let (operator, service) = (MasterKey::of_file(&path).unwrap(), MasterKey::of_file(&path).unwrap());
        let old = service.seal("here", b"old");
        let rotation = operator.rotate().unwrap();
        assert!(operator.rotate().is_err(), "only one rotation runs at a time");
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
    fn an_interrupted_rotation_resumes_with_its_key() {
        let (_folder, path) = folder();
        let operator = MasterKey::of_file(&path).unwrap();
        drop(operator.rotate().unwrap());
        let begun = operator.id();
        operator.rotate().unwrap().end().unwrap();
        assert_eq!((operator.id(), fs::read_to_string(&path).unwrap().lines().count()), (begun, 1));
    }

    #[test]
    fn refuses_to_rotate_a_configured_key() {
        let text = BASE64_STANDARD.encode([7; 32]);
        assert!(MasterKey::configured(&text).unwrap().rotate().is_err());
        assert!(MasterKey::configured("nonsense").is_err());
    }
}
