import BatonStore

/// A weak cipher for the pages of a store.
///
/// It changes each word of eight bytes by itself, in another way for each key, number and place.
package struct TestCipher: PageCipher {
    private let key: UInt64

    package init(key: UInt64 = 1) { self.key = key }

    package func encrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
        change(bytes, count, number) { word, mask in
            let product = (word ^ mask) &* Self.factor
            return (product << 23 | product >> 41) &+ mask
        }
    }

    package func decrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
        change(bytes, count, number) { word, mask in
            let sum = word &- mask
            return ((sum >> 23 | sum << 41) &* Self.inverse) ^ mask
        }
    }

    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
    /// The number by which a product with `factor` is multiplied to get back the word.
    private static let inverse: UInt64 = {
        // Each step doubles the number of right bits.
        var inverse = factor
        for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
        return inverse
    }()

    private func change(
        _ bytes: UnsafeMutableRawPointer, _ count: Int, _ number: UInt64, by body: (UInt64, UInt64) -> UInt64
    ) -> Bool {
        guard count >= 16, count % 8 == 0 else { return false }
        let start = Self.mixed(Self.mixed(key) ^ number)
        for place in stride(from: 0, to: count, by: 8) {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let changed = body(word, Self.mixed(start &+ UInt64(place)))
            bytes.storeBytes(of: changed, toByteOffset: place, as: UInt64.self)
        }
        return true
    }

    /// Spreads each bit of a number over all bits.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ factor
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
