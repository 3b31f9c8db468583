/// A record which says that more than one machine wrote in the same life, because a machine was cloned while it ran.
///
/// A dot of that life may name two different writes. A device that has one of them believes that it also has the other.
/// The machine that notices this writes the record, and the record reaches all devices, including the other machine.
/// Then each of the machines gives new dots to the writes of that life that it still has.
package struct SharedLife: RecordName {
    package let life: Life

    package static let kind = RecordKind.sharedLife
    package static let partCount = 1

    package init(_ life: Life) { self.life = life }

    package func encode(to writer: inout CBORWriter) { writer.identifier(life) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

extension Record {
    /// The life that this record declares shared; nil if it is a record of another kind, or if it can't be read.
    package var sharedLife: Life? {
        guard identity.kind == .sharedLife, isThere, let key else { return nil }
        do throws(CBORError) { return try SharedLife(key).life } catch { return nil }
    }
}

extension VersionVector {
    /// Returns this vector without the origins of these lives.
    package func without(_ lives: Set<Life>) -> VersionVector {
        guard !lives.isEmpty else { return self }
        return VersionVector(
            sorted.lazy.filter { !lives.contains($0.origin.life) }.map { ($0.origin, $0.sequence) })
    }
}
