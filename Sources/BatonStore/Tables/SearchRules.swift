import BatonCore

/// A hash of all rules that decide which words and facts an item has in the tables of searches.
///
/// To remove a row, FTS5 must be given the texts of the row again. If other rules made other words of the texts by
/// then, the table would be damaged. So the hash covers everything on which the words depend, including the Unicode
/// tables of the Swift library.
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
        // The hash is never zero, because zero means that the table was never filled.
        return Int64(bitPattern: hash | 1)
    }()
}
