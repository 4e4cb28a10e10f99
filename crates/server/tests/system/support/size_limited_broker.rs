//! A proxy before the fake Kafka cluster that refuses large batches, as a topic with `max.message.bytes` does. Source of
//! the formats: kafka.apache.org/protocol, Metadata and Produce version 7.

use std::io::Result;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

const PRODUCE: [u8; 4] = [0, 0, 0, 7];
const MESSAGE_TOO_LARGE: i16 = 10;

/// Starts a proxy before a broker and returns its address.
#[expect(clippy::disallowed_methods, reason = "it ends with the test's runtime")]
pub async fn limit_size(broker: &str, largest: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (broker, own) = (broker.to_owned(), listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(through(client, broker.clone(), own, largest));
        }
    });
    format!("127.0.0.1:{own}")
}

async fn through(mut client: TcpStream, address: String, own: u16, largest: usize) -> Result<()> {
    let mut broker = TcpStream::connect(&address).await?;
    let (host, port) = address.split_once(':').unwrap();
    let listening = |port: u16| [host.as_bytes(), &u32::from(port).to_be_bytes()].concat();
    let (theirs, ours) = (listening(port.parse().unwrap()), listening(own));
    loop {
        let request = frame(&mut client).await?;
        let answer = if request.starts_with(&PRODUCE) && request.len() > largest {
            too_large(&request)
        } else {
            send(&mut broker, &request).await?;
            replaced(frame(&mut broker).await?, &theirs, &ours)
        };
        send(&mut client, &answer).await?;
    }
}

async fn frame(stream: &mut TcpStream) -> Result<Vec<u8>> {
    let mut frame = vec![0; stream.read_u32().await? as usize];
    stream.read_exact(&mut frame).await?;
    Ok(frame)
}

async fn send(stream: &mut TcpStream, frame: &[u8]) -> Result<()> {
    stream.write_u32(frame.len() as u32).await?;
    stream.write_all(frame).await
}

/// Replaces the address of the broker with that of the proxy, which has the same length.
fn replaced(mut answer: Vec<u8>, theirs: &[u8], ours: &[u8]) -> Vec<u8> {
    if let Some(at) = answer.windows(theirs.len()).position(|bytes| bytes == theirs) {
        answer[at..at + ours.len()].copy_from_slice(ours);
    }
    answer
}

/// Returns the response to a request for one partition of one topic.
fn too_large(request: &[u8]) -> Vec<u8> {
    let text = |at: usize| 2 + usize::from(u16::from_be_bytes([request[at], request[at + 1]]));
    // Type and version, correlation id, client name, no transaction, acks, timeout, one topic, one partition.
    let topic = 8 + text(8) + 2 + 2 + 4 + 4;
    let partition = topic + text(topic) + 4;
    let one = 1_u32.to_be_bytes();
    let nothing = [0xff; 24];
    [
        &request[4..8],
        &one,
        &request[topic..topic + text(topic)],
        &one,
        &request[partition..partition + 4],
        &MESSAGE_TOO_LARGE.to_be_bytes(),
        &nothing,
        &0_u32.to_be_bytes(),
    ]
    .concat()
}
