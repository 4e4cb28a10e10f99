//! Local servers that send a fixed response.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// A request that a server received: its headers in lower case and its body.
pub struct ReceivedRequest {
    pub headers: String,
    pub body: String,
}

/// Starts a server that sends `response`, a complete HTTP response, after `delay`. Returns its URL and the received
/// requests.
pub fn serve(response: String, delay: Duration) -> (String, Receiver<ReceivedRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/predict", listener.local_addr().unwrap());
    let (sender, received) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (response, sender) = (response.clone(), sender.clone());
            thread::spawn(move || {
                if let Some(request) = read_request(&stream) {
                    drop(sender.send(request));
                    thread::sleep(delay);
                    drop((&stream).write_all(response.as_bytes()));
                }
            });
        }
    });
    (url, received)
}

/// Returns an HTTP response that closes the connection.
pub fn response(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn read_request(stream: &TcpStream) -> Option<ReceivedRequest> {
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
    Some(ReceivedRequest { headers, body: String::from_utf8(body).ok()? })
}
