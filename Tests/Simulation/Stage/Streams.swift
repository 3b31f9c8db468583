package import Support

/// The random numbers of a world: each concern has a stream of its own.
///
/// A concern that is switched off takes no numbers from the others, which then do what they did before.
struct Streams {
    private let seed: UInt64
    private var generators: [String: SeededGenerator] = [:]

    init(seed: UInt64) { self.seed = seed }

    /// The stream of a concern.
    subscript(concern: String) -> SeededGenerator {
        get { generators[concern] ?? SeededGenerator(seed: seed, for: concern) }
        _modify {
            yield &generators[concern, default: SeededGenerator(seed: seed, for: concern)]
        }
    }
}

extension SeededGenerator {
    /// The stream of one concern of a seed.
    package init(seed: UInt64, for concern: String) {
        // FNV-1a, because a hash of the library differs from process to process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in concern.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.init(state: (seed &* 0x2545_f491_4f6c_dd1d ^ hash) &* 0x9e37_79b9_7f4a_7c15)
    }
}
