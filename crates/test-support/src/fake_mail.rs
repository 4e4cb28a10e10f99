//! A mail server (RFC 5321) without encryption, and the sessions that it served.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

/// A mail server of 127.0.0.1. It ends with the runtime of the test.
#[derive(Clone, Debug)]
pub struct FakeMailServer {
    /// Port.
    pub port: u16,
    lines: Arc<Mutex<Vec<String>>>,
    refusal: Arc<Mutex<Option<&'static str>>>,
}

impl FakeMailServer {
    /// Starts a server.
    #[expect(clippy::disallowed_methods, reason = "a server of a test ends with the test")]
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self { port, lines: Arc::default(), refusal: Arc::default() };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that breaks off ends its session only.
                let _ended = serving.converse(stream).await;
            }
        });
        server
    }

    /// Answers recipients with this reply from now on; `None` accepts them.
    pub fn refuse_recipients(&self, reply: Option<&'static str>) {
        *self.refusal.lock().unwrap() = reply;
    }

    /// Returns the lines that clients sent so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    async fn converse(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 mail.example ESMTP\r\n").await?;
        let (mut line, mut is_content) = (String::new(), false);
        while stream.read_line(&mut line).await? > 0 {
            let text = line.trim_end_matches(['\r', '\n']).to_owned();
            line.clear();
            let reply =
                if is_content { (text == ".").then_some("250 accepted") } else { Some(self.reply(&text)) };
            is_content = if is_content { text != "." } else { text == "DATA" };
            self.lines.lock().unwrap().push(text.clone());
            if let Some(reply) = reply {
                stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
            }
            if text == "QUIT" {
                break;
            }
        }
        Ok(())
    }

    fn reply(&self, command: &str) -> &'static str {
        let verb = command.split([' ', ':']).next().unwrap_or_default();
        match verb {
            "EHLO" => "250-mail.example\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME",
            "RCPT" => self.refusal.lock().unwrap().unwrap_or("250 accepted"),
            "DATA" => "354 go on",
            "QUIT" => "221 bye",
            "AUTH" => "235 welcome",
            "MAIL" | "NOOP" => "250 accepted",
            _ => "502 unknown",
        }
    }
}
