/// How far a device's present life has come in naming writes: nobody can have more of it.
///
/// A write is named before it is kept or sent.
package struct JournalPosition: Equatable, Sendable {
    package let life: Life
    /// The last transaction of each lane.
    package let sequences: [Lane: UInt64]

    package init(life: Life, sequences: [Lane: UInt64]) { (self.life, self.sequences) = (life, sequences) }

    /// Whether that life made a transaction of this dot.
    package func made(_ dot: Dot) -> Bool {
        dot.origin.life != life || dot.sequence <= sequences[dot.origin.lane] ?? 0
    }

    /// Whether that life made all that is covered of it.
    package func made(_ vector: VersionVector) -> Bool {
        Lane.allCases.allSatisfy { vector[Origin(life: life, lane: $0)] <= sequences[$0] ?? 0 }
    }
}
