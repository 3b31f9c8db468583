/// That more than one machine wrote in a life, because one was cloned while it ran: a dot of that life may name two
/// writes, and whoever has the one takes the other for known.
///
/// The machine that notices it says so in a record, which all others come to know, the other machine among them. Each
/// machine of that device then names once more what it still holds of the life.
package struct SharedLife: RecordName {
    package let life: Life

    package static let kind = RecordKind.sharedLife
    package static let partCount = 1

    package init(_ life: Life) { self.life = life }

    package func encode(to writer: inout CBORWriter) { writer.identifier(life) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

extension Record {
    /// The life of which this record says that it is shared; nothing if it says something else, or in a form of a newer
    /// version.
    package var sharedLife: Life? {
        guard identity.kind == .sharedLife, isThere, let key else { return nil }
        do throws(CBORError) { return try SharedLife(key).life } catch { return nil }
    }
}

extension VersionVector {
    /// What is covered of other lives than those.
    package func without(_ lives: Set<Life>) -> VersionVector {
        guard !lives.isEmpty else { return self }
        return VersionVector(
            sorted.lazy.filter { !lives.contains($0.origin.life) }.map { ($0.origin, $0.sequence) })
    }
}
