/// The features of a node beyond version 1 of the protocol.
///
/// The specification gives each feature a number.
///
/// A feature is used in a session only if both sides offer it. Otherwise, neither side may send the feature's messages.
/// A node ignores features that it does not know.
package struct Features: Equatable, Sendable {
    /// The numbers of the features, in ascending order and without repetitions.
    package let numbers: [UInt64]

    package init(_ numbers: some Sequence<UInt64> = []) { self.numbers = Set(numbers).sorted() }

    /// Garbage collection of tombstones, including reports and snapshots.
    package static let collection: UInt64 = 1

    /// Comparison of the states of two nodes in step, and repair of differences.
    package static let repair: UInt64 = 2

    /// Pairs of byte streams between the apps of two devices.
    package static let streams: UInt64 = 3

    /// Pings.
    ///
    /// A peer answers them as long as its program runs.
    package static let pings: UInt64 = 4

    /// The features that this program offers.
    package static let offered = Features([collection, repair, streams, pings])

    package var isEmpty: Bool { numbers.isEmpty }

    package func contains(_ number: UInt64) -> Bool { numbers.contains(number) }

    /// Returns the features that both sides offer.
    package func common(with other: Features) -> Features { Features(numbers.filter(other.contains)) }

    /// The largest number of features in a first message.
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
