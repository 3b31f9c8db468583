import BatonCore

/// Stands for all that decides what words an item has in the full-text table.
///
/// A row is removed by saying again what was put in; said otherwise, the table would be damaged. So whatever this
/// depends on counts, also the tables of Unicode that came with the program.
enum SearchRules {
    /// The rules of this program.
    static let current: Int64 = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let mix = { (value: UInt64) in hash = (hash ^ value) &* 0x100_0000_01b3 }
        for version in [Folding.version, WordCutter.version, SearchText.version] { mix(UInt64(version)) }
        for value in stride(from: UInt32(0x80), to: 0x3_4000, by: 8) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch WordClass(scalar) {
            case .word: mix(1)
            case .unspaced: mix(2)
            case .mark: mix(3)
            case .separator: mix(4)
            }
        }
        // Zero means that the table was never made.
        return Int64(bitPattern: hash | 1)
    }()
}
