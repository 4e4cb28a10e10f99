//! A small disk that tests fill.

use std::{
    ffi::OsStr,
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::support::{process::guardengine, program};

/// A file system of its own, which only the services on it see. It outlives them.
pub struct SmallDisk {
    folder: TempDir,
    /// Keeps the file system.
    holder: Child,
}

impl SmallDisk {
    /// Makes a disk of a size such as `24m`. Where mounting is not allowed, prints a note and returns `None`.
    pub fn of(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(
            "mount -t tmpfs -o size=$SIZE store \"$FOLDER\" && touch \"$FOLDER/mounted\" && exec sleep 1d",
        );
        command.env("SIZE", size).env("FOLDER", folder.path()).stdin(Stdio::null());
        let mut disk = Self { holder: command.spawn().ok()?, folder };
        let began = Instant::now();
        while !disk.file("mounted").exists() {
            if disk.holder.try_wait().unwrap().is_some() {
                eprintln!("skipped: this user may not mount a file system of their own");
                return None;
            }
            assert!(began.elapsed() < Duration::from_secs(10), "not mounted");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(disk)
    }

    /// Returns a command that sees the disk.
    fn command(&self, program: &OsStr) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.holder.id().to_string(), "--user", "--preserve-credentials"]);
        command.arg("--mount").arg(program);
        command
    }

    /// Returns the command of a service whose data is on the disk.
    pub fn serve(&self) -> Command {
        let service = guardengine(self.folder.path(), &["serve"]);
        let mut command = self.command(service.get_program());
        let variables = service.get_envs().filter_map(|(name, value)| Some((name, value?)));
        command.args(service.get_args()).env_clear().envs(variables);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// Locks a database on the disk against writers for so many seconds. SQLite follows the links of a path, so that this
    /// process cannot open it.
    pub fn lock(&self, database: &str, seconds: f32) {
        let python = program(&["python3"]).expect("python3 is installed");
        let lock = "import sqlite3, sys, time; connection = sqlite3.connect(sys.argv[1], timeout=10); \
                    connection.execute('BEGIN IMMEDIATE'); time.sleep(float(sys.argv[2]))";
        let mut command = self.command(python.as_os_str());
        command.args(["-c", lock]).arg(self.folder.path().join(database)).arg(seconds.to_string());
        assert!(command.status().unwrap().success());
    }

    /// Returns the path of a file on the disk, as others see it.
    pub fn file(&self, name: &str) -> PathBuf {
        let root = format!("/proc/{}/root", self.holder.id());
        Path::new(&root).join(self.folder.path().strip_prefix("/").unwrap()).join(name)
    }

    /// Writes a file of zeros until the disk is full, and returns its path.
    pub fn fill(&self) -> PathBuf {
        let path = self.file("filler");
        let mut file = File::create(&path).unwrap();
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.kill());
        drop(self.holder.wait());
    }
}
