/// The last transactions that a device's current life has named.
///
/// No device can have later writes of this life.
///
/// This is certain because a write is named before it is stored or sent.
package struct JournalPosition: Equatable, Sendable {
    package let life: Life
    /// The number of the last transaction in each lane.
    package let sequences: [Lane: UInt64]

    package init(life: Life, sequences: [Lane: UInt64]) { (self.life, self.sequences) = (life, sequences) }

    /// Whether the life has made the transaction of a dot.
    ///
    /// It is true for a dot of another life.
    package func made(_ dot: Dot) -> Bool {
        dot.origin.life != life || dot.sequence <= sequences[dot.origin.lane] ?? 0
    }

    /// Whether the life has made all of its own transactions that the vector covers.
    package func made(_ vector: VersionVector) -> Bool {
        Lane.allCases.allSatisfy { vector[Origin(life: life, lane: $0)] <= sequences[$0] ?? 0 }
    }
}
