/// A set of transactions: for each origin, all transactions up to a sequence number.
package struct VersionVector: Equatable, Sendable {
    /// The pairs, sorted by their origins.
    ///
    /// All sequence numbers are larger than zero. The order is the same in every process.
    ///
    /// The pairs are in an array because most vectors are short. To compare a few origins takes less time than to hash
    /// one.
    package private(set) var sorted: [(origin: Origin, sequence: UInt64)] = []

    /// The largest sequence number of a transaction.
    package static let largestSequence = UInt64(Int64.max)

    package init() {}

    /// Creates a vector from pairs.
    ///
    /// If several pairs have the same origin, the largest sequence number is used.
    package init(_ pairs: some Sequence<(Origin, UInt64)>) {
        var isAscending = true
        for (origin, sequence) in pairs where sequence > 0 {
            if let last = sorted.last, last.origin >= origin { isAscending = false }
            sorted.append((origin, sequence))
        }
        if !isAscending { arrange() }
    }

    /// Sorts the pairs, and keeps only the largest sequence number of each origin.
    private mutating func arrange() {
        let pairs = sorted.sorted { ($0.origin, $1.sequence) < ($1.origin, $0.sequence) }
        sorted.removeAll(keepingCapacity: true)
        for pair in pairs where sorted.last?.origin != pair.origin { sorted.append(pair) }
    }

    private init(sorted: [(origin: Origin, sequence: UInt64)]) { self.sorted = sorted }

    // MARK: Commands

    /// Adds all transactions of an origin up to this number.
    package mutating func extend(_ origin: Origin, to sequence: UInt64) {
        guard sequence > 0 else { return }
        let place = place(of: origin)
        guard place < sorted.count, sorted[place].origin == origin else {
            return sorted.insert((origin, sequence), at: place)
        }
        if sequence > sorted[place].sequence { sorted[place].sequence = sequence }
    }

    /// Adds the transaction of a dot and all earlier transactions of its origin.
    package mutating func cover(_ dot: Dot) { extend(dot.origin, to: dot.sequence) }

    /// Adds all transactions that the other vector covers.
    package mutating func join(_ other: VersionVector) {
        guard other.count > Self.fewMost else {
            for (origin, sequence) in other.sorted { extend(origin, to: sequence) }
            return
        }
        var (merged, place) = (VersionVector(), 0)
        // The exact capacity is reserved. Otherwise, thousands of pairs could take twice the memory.
        merged.sorted.reserveCapacity(count + other.sorted.count { self[$0.origin] == 0 })
        for pair in other.sorted {
            while place < count, sorted[place].origin < pair.origin {
                merged.sorted.append(sorted[place])
                place += 1
            }
            var sequence = pair.sequence
            if place < count, sorted[place].origin == pair.origin {
                sequence = max(sequence, sorted[place].sequence)
                place += 1
            }
            merged.sorted.append((pair.origin, sequence))
        }
        merged.sorted += sorted[place...]
        self = merged
    }

    /// The largest number of pairs that are added one by one.
    ///
    /// More pairs are merged in one pass.
    private static let fewMost = 16

    /// Adds the transactions that the other vector covers, but adds no new origin when this vector has `limit` origins.
    ///
    /// The limit keeps a lying peer from making a vector grow without end. A transaction that is left out does no harm:
    /// it is not claimed, and so it is only sent again.
    package mutating func claim(_ other: VersionVector, origins limit: Int = Limits.laneOrigins) {
        guard count + other.count > limit else { return join(other) }
        for (origin, sequence) in other.sorted where self[origin] > 0 || count < limit {
            extend(origin, to: sequence)
        }
    }

    // MARK: Queries

    /// The number of the last covered transaction of an origin; zero if none is covered.
    package subscript(origin: Origin) -> UInt64 {
        let place = place(of: origin)
        return place < sorted.count && sorted[place].origin == origin ? sorted[place].sequence : 0
    }

    /// Returns the index of an origin in the pairs, or the index at which to insert it.
    private func place(of origin: Origin) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].origin < origin { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.sorted.elementsEqual(right.sorted) { $0 == $1 }
    }

    package var isEmpty: Bool { sorted.isEmpty }

    package var count: Int { sorted.count }

    package func covers(_ dot: Dot) -> Bool { self[dot.origin] >= dot.sequence }

    /// Whether the other vector covers all transactions that this vector covers.
    package func isWithin(_ other: VersionVector) -> Bool {
        sorted.allSatisfy { other[$0.origin] >= $0.sequence }
    }

    /// Returns the origins of which this vector covers more transactions than the other vector, each with its last
    /// transaction here.
    package func beyond(_ other: VersionVector) -> VersionVector {
        VersionVector(sorted: sorted.filter { other[$0.origin] < $0.sequence })
    }

    /// Returns the number of transactions that this vector covers and the other vector does not.
    package func count(beyond other: VersionVector) -> UInt64 {
        sorted.reduce(0) { sum, pair in
            let known = other[pair.origin]
            return pair.sequence > known
                ? sum.addingReportingOverflow(pair.sequence - known).partialValue : sum
        }
    }

    /// Returns the transactions that both vectors cover.
    package func meet(_ other: VersionVector) -> VersionVector {
        VersionVector(sorted.lazy.map { ($0.origin, min($0.sequence, other[$0.origin])) })
    }

    /// Returns the part of the vector that belongs to one lane.
    package func restricted(to lane: Lane) -> VersionVector {
        VersionVector(sorted: sorted.filter { $0.origin.lane == lane })
    }

    /// The length of a digest in bytes.
    package static let digestBytes = 32

    /// The SHA-256 of the encoding.
    ///
    /// Different vectors have different digests.
    package var digest: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return SHA256.digest(writer.bytes)
    }
}

extension VersionVector {
    /// Writes the vector as triples of life, lane and sequence number, in ascending order.
    package func encode(to writer: inout CBORWriter) {
        writer.array(count: count)
        for (origin, sequence) in sorted {
            writer.array(count: 3)
            writer.identifier(origin.life)
            writer.unsigned(UInt64(origin.lane.rawValue))
            writer.unsigned(sequence)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var last: Origin?
        let pairs = try reader.array(upTo: Limits.vectorOrigins) { (reader) throws(CBORError) in
            let start = reader.offset
            try reader.array(count: 3)
            let origin = Origin(life: try reader.identifier(), lane: try Lane(from: &reader))
            let sequence = try reader.unsigned(upTo: Self.largestSequence)
            if let last, last >= origin { throw CBORError(.keysOutOfOrder, at: start) }
            guard sequence > 0 else { throw CBORError(.outOfRange, at: start) }
            last = origin
            return (origin, sequence)
        }
        self.init(pairs)
    }
}

extension Lane {
    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        guard let lane = Lane(rawValue: UInt8(try reader.unsigned(upTo: 255))) else {
            throw CBORError(.outOfRange, at: start)
        }
        self = lane
    }
}
