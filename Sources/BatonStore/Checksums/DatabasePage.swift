/// A page of a database as it lies in the file: what SQLite keeps in it, and behind that a checksum.
///
/// The checksum is made of the bytes and of the page's number, so that a page which stands in the wrong place is noticed
/// as well. One that differs in a single byte, or in a single word of eight, never has the same checksum; any other
/// damage has it by one chance in 2^64.
enum DatabasePage {
    /// How many bytes a page has, of any database of a store.
    static let byteCount = 4096
    /// How many bytes at the end of each are SQLite's to reserve and ours to fill.
    static let checksumBytes = 8

    private static let laneCount = 4
    /// Odd numbers without a pattern, so that multiplying by one of them loses nothing; they are the first bits behind
    /// the point of the square roots of 2, 3, 5 and 7.
    private static let factors: (UInt64, UInt64, UInt64, UInt64) = (
        0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1
    )

    /// The checksum of what stands before the checksum.
    @inline(__always)
    static func checksum(_ page: UnsafeRawPointer, number: UInt64) -> UInt64 {
        // Four sums go side by side, because a processor multiplies faster than one product waits for the other. What
        // happens to a sum can be undone if the word is known, so a different word leaves a different sum.
        var (first, second, third, fourth) = (number, ~number, factors.0, factors.1)
        let words = (byteCount - checksumBytes) / 8
        var place = 0
        while place + laneCount <= words {
            first = mixed(first, unsafe word(page, place), factors.0)
            second = mixed(second, unsafe word(page, place &+ 1), factors.1)
            third = mixed(third, unsafe word(page, place &+ 2), factors.2)
            fourth = mixed(fourth, unsafe word(page, place &+ 3), factors.3)
            place &+= laneCount
        }
        while place < words {
            first = mixed(first, unsafe word(page, place), factors.2)
            place &+= 1
        }
        var sum = first
        for lane in [second, third, fourth] { sum = mixed(sum, lane, factors.3) }
        return sum ^ (sum >> 32)
    }

    /// The checksum that stands at the end of a page.
    static func standingChecksum(_ page: UnsafeRawPointer) -> UInt64 {
        unsafe word(page, (byteCount - checksumBytes) / 8)
    }

    /// Puts the checksum at the end of a page.
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
