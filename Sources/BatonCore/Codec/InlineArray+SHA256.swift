extension InlineArray<8, UInt32> {
    /// Updates the state of the hash with whole blocks of 64 bytes.
    package mutating func compress(_ blocks: Span<UInt8>) {
        for start in stride(from: 0, to: blocks.count, by: 64) {
            compress(block: blocks.extracting(start..<start + 64))
        }
    }

    @inline(__always)
    private mutating func compress(block: Span<UInt8>) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for place in 0..<16 { words[place] = block.word(place) }
        var a = self[0]
        var b = self[1]
        var c = self[2]
        var d = self[3]
        var e = self[4]
        var f = self[5]
        var g = self[6]
        var h = self[7]
        let constants = roundConstants.span
        var turn = 0
        while true {
            // Each round uses the variables in rotated roles, so that no values have to be moved. After sixteen rounds,
            // each variable has its first role again.
            Self.round(a, b, c, &d, e, f, g, &h, words[0] &+ constants[turn &+ 0])
            Self.round(h, a, b, &c, d, e, f, &g, words[1] &+ constants[turn &+ 1])
            Self.round(g, h, a, &b, c, d, e, &f, words[2] &+ constants[turn &+ 2])
            Self.round(f, g, h, &a, b, c, d, &e, words[3] &+ constants[turn &+ 3])
            Self.round(e, f, g, &h, a, b, c, &d, words[4] &+ constants[turn &+ 4])
            Self.round(d, e, f, &g, h, a, b, &c, words[5] &+ constants[turn &+ 5])
            Self.round(c, d, e, &f, g, h, a, &b, words[6] &+ constants[turn &+ 6])
            Self.round(b, c, d, &e, f, g, h, &a, words[7] &+ constants[turn &+ 7])
            Self.round(a, b, c, &d, e, f, g, &h, words[8] &+ constants[turn &+ 8])
            Self.round(h, a, b, &c, d, e, f, &g, words[9] &+ constants[turn &+ 9])
            Self.round(g, h, a, &b, c, d, e, &f, words[10] &+ constants[turn &+ 10])
            Self.round(f, g, h, &a, b, c, d, &e, words[11] &+ constants[turn &+ 11])
            Self.round(e, f, g, &h, a, b, c, &d, words[12] &+ constants[turn &+ 12])
            Self.round(d, e, f, &g, h, a, b, &c, words[13] &+ constants[turn &+ 13])
            Self.round(c, d, e, &f, g, h, a, &b, words[14] &+ constants[turn &+ 14])
            Self.round(b, c, d, &e, f, g, h, &a, words[15] &+ constants[turn &+ 15])
            turn += 16
            if turn == 64 { break }
            words.extend()
        }
        let working: InlineArray<8, UInt32> = [a, b, c, d, e, f, g, h]
        for place in 0..<8 { self[place] &+= working[place] }
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
        _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let first = h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice &+ word
        d &+= first
        h = first &+ (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
    }
}

extension InlineArray<16, UInt32> {
    /// Advances from sixteen words of the message schedule to the next sixteen.
    @inline(__always)
    fileprivate mutating func extend() {
        extend(0)
        extend(1)
        extend(2)
        extend(3)
        extend(4)
        extend(5)
        extend(6)
        extend(7)
        extend(8)
        extend(9)
        extend(10)
        extend(11)
        extend(12)
        extend(13)
        extend(14)
        extend(15)
    }

    @inline(__always)
    private mutating func extend(_ place: Int) {
        let (early, late) = (self[(place &+ 1) & 15], self[(place &+ 14) & 15])
        let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
        let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
        self[place] = self[place] &+ first &+ self[(place &+ 9) & 15] &+ second
    }
}

extension Span<UInt8> {
    /// Returns the big-endian word number `place` of a block.
    @inline(__always)
    fileprivate func word(_ place: Int) -> UInt32 {
        let first = 4 &* place
        return UInt32(self[first]) << 24 | UInt32(self[first &+ 1]) << 16
            | UInt32(self[first &+ 2]) << 8 | UInt32(self[first &+ 3])
    }
}

extension UInt32 {
    /// Rotates the bits to the right.
    @inline(__always)
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

/// The constants of the 64 rounds of SHA-256.
private let roundConstants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
