import BatonCore

/// The events of a world, one per line, and a hash of all of them.
struct Story {
    /// Whether lines are kept; they cost more than the events themselves.
    private let isTold: Bool
    private(set) var lines: [String] = []
    /// Changes with every frame, commit and crash; two runs of one seed have the same hash.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init(isTold: Bool) { self.isTold = isTold }

    mutating func tell(_ now: Instant, _ line: () -> String) {
        if isTold {
            lines.append("\(now.told) \(line())")
        }
    }

    /// Adds numbers to the hash.
    mutating func mix(_ numbers: UInt64...) {
        for number in numbers { hash = (hash ^ number) &* 0x100_0000_01b3 }
    }
}

extension Instant {
    /// The seconds since the world began, to the millisecond.
    var told: String {
        let milliseconds = nanoseconds / 1_000_000
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }
}
