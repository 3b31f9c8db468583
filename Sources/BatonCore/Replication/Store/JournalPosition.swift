/// How far a device's present life has come in naming writes: no device can have later writes of the life.
///
/// A write is named before it is stored or sent.
package struct JournalPosition: Equatable, Sendable {
    package let life: Life
    /// The last transaction of each lane.
    package let sequences: [Lane: UInt64]

    package init(life: Life, sequences: [Lane: UInt64]) { (self.life, self.sequences) = (life, sequences) }

    /// Whether the life made the dot's transaction; true for dots of other lives.
    package func made(_ dot: Dot) -> Bool {
        dot.origin.life != life || dot.sequence <= sequences[dot.origin.lane] ?? 0
    }

    /// Whether the life made all of its transactions that the vector covers.
    package func made(_ vector: VersionVector) -> Bool {
        Lane.allCases.allSatisfy { vector[Origin(life: life, lane: $0)] <= sequences[$0] ?? 0 }
    }
}
