//! Servers that answer as a test wants, over real sockets.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// What a server was asked: its headers and its body.
pub struct Asked {
    pub headers: String,
    pub body: String,
}

/// A server that gives everybody `answer`, a whole HTTP answer, after a while; and what it is asked.
pub fn serve(answer: String, after: Duration) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/predict", listener.local_addr().unwrap());
    let (told, asked) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (answer, told) = (answer.clone(), told.clone());
            thread::spawn(move || {
                if let Some(request) = request(&stream) {
                    drop(told.send(request));
                    thread::sleep(after);
                    drop((&stream).write_all(answer.as_bytes()));
                }
            });
        }
    });
    (url, asked)
}

/// An answer that closes the connection.
pub fn answer(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn request(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut headers = String::new();
    while !headers.ends_with("\r\n\r\n") {
        if reader.read_line(&mut headers).ok()? == 0 {
            return None;
        }
    }
    let headers = headers.to_lowercase();
    let (_, length) = headers.split_once("content-length: ")?;
    let mut body = vec![0; length.lines().next()?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { headers, body: String::from_utf8(body).ok()? })
}
