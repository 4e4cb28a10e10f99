//! The checksum of tokens of GitHub and npm.

/// Digits of base 62, in order of their value.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Characters of the checksum at the end of a token.
const LENGTH: usize = 6;

/// Returns whether the last six characters of `random` are the CRC-32 of the others, in base 62 with leading zeros
/// (GitHub, "Behind GitHub's new authentication token formats", 2021).
pub fn holds(random: &str) -> bool {
    let Some((body, check)) = random.len().checked_sub(LENGTH).and_then(|at| random.split_at_checked(at))
    else {
        return false;
    };
    check.bytes().eq(base62(crc32(body.as_bytes())))
}

/// CRC-32 of ISO 3309, as in Ethernet and zip.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

fn base62(number: u32) -> [u8; LENGTH] {
    let mut digits = [b'0'; LENGTH];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard_is_reached() {
        // The published check value of this CRC.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_body_with_its_checksum_holds_and_any_other_does_not() {
        let body = "q8Zr2Lk0Vw5Xy7Tb3Nm1Gs9Hd4Jf6C";
        let check: String = base62(crc32(body.as_bytes())).map(char::from).iter().collect();
        assert!(holds(&format!("{body}{check}")));
        assert!(!holds(&format!("{}{check}", body.replace('q', "p"))) && !holds("abc") && !holds("éé"));
    }

    #[test]
    fn digits_of_base_62_begin_with_zeros() {
        assert_eq!(&base62(61 * 62 + 10), b"0000zA");
        assert_eq!(&base62(u32::MAX), b"4gfFC3");
    }
}
