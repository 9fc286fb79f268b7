//! SHA-256, by which a page names the one script that may run in it.
//!
//! The padded bytes are taken in blocks of 64; each mixes 64 words, spread from its 16, into eight (FIPS 180-4, section 6.2). The
//! constants are the first 32 bits behind the point of the roots of the first primes. Cost: some milliseconds a megabyte.

/// The first 64 primes.
fn primes() -> impl Iterator<Item = u32> {
    (2_u32..)
        .filter(|number| (2..*number).take_while(|part| part * part <= *number).all(|part| number % part != 0))
        .take(64)
}

/// The first 32 bits behind the point of the root of this `degree`, by halving in whole numbers.
fn root_bits(number: u32, degree: u32) -> u32 {
    let goal = u128::from(number) << (32 * degree);
    let (mut low, mut high) = (0_u128, 1 << 38);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= goal { low = middle } else { high = middle }
    }
    low as u32
}

/// The hash of `bytes`.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let constants: Vec<u32> = primes().map(|prime| root_bits(prime, 3)).collect();
    let mut state: Vec<u32> = primes().take(8).map(|prime| root_bits(prime, 2)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((8 * bytes.len() as u64).to_be_bytes());
    for block in padded.as_chunks::<64>().0 {
        let mut words: Vec<u32> = block.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)).collect();
        for at in 16..64 {
            let (a, b) = (words[at - 15], words[at - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            words.push(words[at - 16].wrapping_add(a).wrapping_add(words[at - 7]).wrapping_add(b));
        }
        let mut now = state.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let [a, b, c, d, e, f, g, h] = now[..] else { break };
            let chosen = (e & f) ^ (!e & g);
            let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let one = h.wrapping_add(turned).wrapping_add(chosen).wrapping_add(*constant).wrapping_add(*word);
            let most = (a & b) ^ (a & c) ^ (b & c);
            let two = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(most);
            now = vec![one.wrapping_add(two), a, b, c, d.wrapping_add(one), e, f, g];
        }
        state.iter_mut().zip(now).for_each(|(state, now)| *state = state.wrapping_add(now));
    }
    let mut hash = [0; 32];
    hash.as_chunks_mut::<4>().0.iter_mut().zip(&state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(bytes: &[u8]) -> String {
        sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The examples of FIPS 180-4, and lengths around a block.
    #[test]
    fn known_texts_have_their_known_hashes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hexadecimal(b""), empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hexadecimal(b"abc"), abc);
        let two = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(hexadecimal(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), two);
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(hexadecimal(&vec![b'a'; 1_000_000]), million);
    }
}
