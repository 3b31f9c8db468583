/// How long several ways of doing one thing take, measured in turn.
///
/// Each round measures every contender once, so that other load on the machine affects them all. The results are
/// medians over the rounds, and for two contenders the median of the ratios of their times in the same round.
struct Measurement {
    private var rounds: [String: [Double]] = [:]

    /// One way of doing it.
    struct Contender {
        let name: String
        /// Does it that many times, and answers with the nanoseconds that each time took.
        let time: (Int) throws -> Double

        init(_ name: String, time: @escaping (Int) throws -> Double) { (self.name, self.time) = (name, time) }

        /// One that is done here, with the number of the time as what it may choose its values by.
        init(_ name: String, each operation: @escaping (Int) throws -> Void) {
            self.init(name) { count in
                let started = ContinuousClock.now
                for number in 0..<count { try operation(number) }
                return (ContinuousClock.now - started).nanoseconds / Double(count)
            }
        }
    }

    init(_ contenders: [Contender], _ settings: Settings) throws {
        let share = settings.pick(20_000_000.0, quick: 2_000_000)  // nanoseconds for a contender in a round
        let counts = try contenders.map { contender in
            // The first times fetch code and memory.
            _ = try contender.time(100)
            return max(1, Int(share / (try contender.time(100))))
        }
        for _ in 0..<settings.pick(41, quick: 7) {
            for (contender, count) in zip(contenders, counts) {
                rounds[contender.name, default: []].append(try contender.time(count))
            }
        }
    }

    /// The nanoseconds that it takes.
    func nanoseconds(_ name: String) -> Double { rounds[name, default: []].median }

    /// How many times as long one takes as another.
    func ratio(_ name: String, over other: String) -> Double {
        zip(rounds[name, default: []], rounds[other, default: []]).map { $0 / $1 }.median
    }
}

extension [Double] {
    /// The value that half of the others do not exceed.
    var median: Double {
        let sorted = sorted()
        guard let middle = sorted.dropFirst(count / 2).first else { return .nan }
        return count % 2 == 1 ? middle : (middle + sorted[count / 2 - 1]) / 2
    }
}

extension Duration {
    var nanoseconds: Double { self / .nanoseconds(1) }
    var seconds: Double { self / .seconds(1) }
}

/// Takes a value as if it were needed, so that making it is not left out.
@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }
