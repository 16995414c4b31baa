//! A table for kernels that compress eight bytes at a time with a shuffle.

#![forbid(unsafe_code)]

/// Entry *m*: the indexes of the set bits of *m*, in order.
pub(super) static KEPT_BYTES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut keep = 0;
    while keep < 256 {
        let (mut byte, mut count) = (0u8, 0);
        while byte < 8 {
            if keep >> byte & 1 == 1 {
                table[keep][count] = byte;
                count += 1;
            }
            byte += 1;
        }
        keep += 1;
    }
    table
};
