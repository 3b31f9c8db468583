/// A page of a database file, which ends with a checksum.
///
/// The checksum covers the bytes and the number of the page, so a page in the wrong place is noticed, too. If a single
/// byte or a single word of eight bytes was changed, the checksum is always different. Any other damaged page has the
/// right checksum with a probability of 2^-64.
enum DatabasePage {
    /// The number of bytes in each page of a store's databases.
    static let byteCount = 4096
    /// The number of bytes that SQLite reserves at the end of each page for the checksum.
    static let checksumBytes = 8

    private static let sumCount = 4
    /// The factors of the checksum: the first bits of the fractional parts of the square roots of 2, 3, 5 and 7.
    ///
    /// The factors are odd, so multiplying by them loses no information. Their bits have no pattern.
    private static let factors: (UInt64, UInt64, UInt64, UInt64) = (
        0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1
    )

    /// Computes the checksum of a page, without the bytes of the stored checksum.
    @inline(__always)
    static func checksum(_ page: UnsafeRawPointer, number: UInt64) -> UInt64 {
        // Four sums are computed side by side, because a processor can begin a multiplication before the previous one
        // is done. Each step can be undone if the word is known, so a different word always gives a different sum.
        var first = number
        var second = ~number
        var third = factors.0
        var fourth = factors.1
        let words = (byteCount - checksumBytes) / 8
        var place = 0
        while place + sumCount <= words {
            first = mixed(first, unsafe word(page, place), factors.0)
            second = mixed(second, unsafe word(page, place &+ 1), factors.1)
            third = mixed(third, unsafe word(page, place &+ 2), factors.2)
            fourth = mixed(fourth, unsafe word(page, place &+ 3), factors.3)
            place &+= sumCount
        }
        while place < words {
            first = mixed(first, unsafe word(page, place), factors.2)
            place &+= 1
        }
        var sum = first
        for other in [second, third, fourth] { sum = mixed(sum, other, factors.3) }
        return sum ^ (sum >> 32)
    }

    /// Returns the checksum that is stored at the end of a page.
    static func standingChecksum(_ page: UnsafeRawPointer) -> UInt64 {
        unsafe word(page, (byteCount - checksumBytes) / 8)
    }

    /// Computes the checksum of a page, and stores it at the end of the page.
    static func seal(_ page: UnsafeMutableRawPointer, number: UInt64) {
        let sum = unsafe checksum(page, number: number).littleEndian
        unsafe page.storeBytes(of: sum, toByteOffset: byteCount - checksumBytes, as: UInt64.self)
    }

    @inline(__always)
    private static func word(_ page: UnsafeRawPointer, _ place: Int) -> UInt64 {
        unsafe UInt64(littleEndian: page.loadUnaligned(fromByteOffset: place &* 8, as: UInt64.self))
    }

    @inline(__always)
    private static func mixed(_ sum: UInt64, _ word: UInt64, _ factor: UInt64) -> UInt64 {
        let product = (sum ^ word) &* factor
        return product << 29 | product >> 35
    }
}
