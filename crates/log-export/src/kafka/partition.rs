//! Partition of a key, computed as Kafka's own clients do.

/// Returns the partition of a key: the positive part of its murmur2 hash, modulo the number of partitions.
/// Source: org.apache.kafka.clients.producer.internals.BuiltInPartitioner, `partitionForKey`.
pub fn of(key: &[u8], partitions: i32) -> i32 {
    (murmur2(key) & 0x7fff_ffff) as i32 % partitions.max(1)
}

/// Source: org.apache.kafka.common.utils.Utils, `murmur2`: Austin Appleby's MurmurHash2 with a fixed seed.
fn murmur2(data: &[u8]) -> u32 {
    const SEED: u32 = 0x9747_b28c;
    const M: u32 = 0x5bd1_e995;
    const R: u32 = 24;
    let (words, rest) = data.as_chunks::<4>();
    let mut hash = SEED ^ data.len() as u32;
    for word in words {
        let mut word = u32::from_le_bytes(*word).wrapping_mul(M);
        word ^= word >> R;
        hash = hash.wrapping_mul(M) ^ word.wrapping_mul(M);
    }
    if !rest.is_empty() {
        let bytes = rest.iter().zip([0, 8, 16]);
        hash ^= bytes.fold(0, |sum, (byte, shift)| sum | u32::from(*byte) << shift);
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^ (hash >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `testMurmur2` of Kafka's UtilsTest.
    #[test]
    fn hashes_match_kafka() {
        for (key, hash) in [
            ("21", -973_932_308),
            ("foobar", -790_332_482),
            ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            ("abc", 479_470_107),
        ] {
            assert_eq!(murmur2(key.as_bytes()) as i32, hash, "{key}");
        }
    }

    #[test]
    fn partitions_are_in_range() {
        assert_eq!(of(b"abc", 4), 479_470_107 % 4);
        for partitions in [1, 3, 12] {
            for key in 0_u16..100 {
                assert!((0..partitions).contains(&of(&key.to_be_bytes(), partitions)));
            }
        }
    }
}
