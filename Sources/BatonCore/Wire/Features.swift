/// The features of a node beyond version 1 of the protocol, by numbers that the specification gives.
///
/// A feature is in force in a session if both sides offer it; only then may either side send its messages. A node
/// ignores features that it does not know.
package struct Features: Equatable, Sendable {
    /// The numbers in ascending order, each once.
    package let numbers: [UInt64]

    package init(_ numbers: some Sequence<UInt64> = []) { self.numbers = Set(numbers).sorted() }

    /// Garbage collection of tombstones, with its reports and snapshots.
    package static let collection: UInt64 = 1

    /// Comparison of the state while two nodes are in step, and repair where it differs.
    package static let repair: UInt64 = 2

    /// Pairs of byte streams between the apps of two devices.
    package static let streams: UInt64 = 3

    /// Pings, to which a peer answers as long as its program runs.
    package static let pings: UInt64 = 4

    /// The features that this program offers.
    package static let offered = Features([collection, repair, streams, pings])

    package var isEmpty: Bool { numbers.isEmpty }

    package func contains(_ number: UInt64) -> Bool { numbers.contains(number) }

    /// Returns the features that both sides have.
    package func common(with other: Features) -> Features { Features(numbers.filter(other.contains)) }

    /// The most features that a first message may name.
    static let countMost = 64

    func encode(to writer: inout CBORWriter) {
        writer.array(count: numbers.count)
        for number in numbers { writer.unsigned(number) }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        var last: UInt64?
        let numbers = try reader.array(upTo: Self.countMost) { (reader) throws(CBORError) in
            let (start, number) = (reader.offset, try reader.unsigned())
            if let last, last >= number { throw CBORError(.keysOutOfOrder, at: start) }
            last = number
            return number
        }
        if numbers.isEmpty { throw CBORError(.outOfRange, at: start) }
        self.init(numbers)
    }
}
