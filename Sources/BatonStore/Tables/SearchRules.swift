import BatonCore

/// A hash of everything that decides which words an item has in the full-text table, and which facts it has.
///
/// To remove a row, FTS5 must be given its texts again; if the texts gave other words by then, the table would be
/// damaged. So everything on which the words depend is hashed, including the Unicode tables of the Swift library.
enum SearchRules {
    /// The rules of this program.
    static let current: Int64 = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let mix = { (value: UInt64) in hash = (hash ^ value) &* 0x100_0000_01b3 }
        for version in [Folding.version, WordCutter.version, SearchText.version, ItemFact.version] {
            mix(UInt64(version))
        }
        for value in stride(from: UInt32(0x80), to: 0x3_4000, by: 8) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch WordClass(scalar) {
            case .word: mix(1)
            case .unspaced: mix(2)
            case .mark: mix(3)
            case .separator: mix(4)
            }
        }
        // Zero stands for a table that was never filled, so the hash is never zero.
        return Int64(bitPattern: hash | 1)
    }()
}
