/// The revocations that a device keeps in a file beside its database.
///
/// If the database is lost, this file keeps a revoked device from becoming a member again.
///
/// The revocations are signed, so they can be trusted wherever the file comes from. A thief of an owner's key can sign
/// any number of revocations. Therefore at most `most` are kept. If there are more, one is dropped. It is a revocation
/// by the owner who signed the largest number of them. If several owners signed equally many, it is one by the owner
/// who signed the added revocation. This owner's earliest revocation of a device is dropped, by the owner's own dates.
/// If the owner revoked only owners, the latest of these revocations is dropped.
///
/// So one owner can't displace another owner's revocations while the other owner has no more than an equal share. An
/// owner with more than its share loses its old revocations of devices first. A revocation of an owner, or of a device
/// that was stolen recently, is kept longer. Dates of different owners are never compared.
package struct KeptRevocations: Equatable, Sendable {
    private var entries: [Entry] = []

    private struct Entry: Equatable, Sendable {
        let revocation: Revocation
        let author: OwnerIdentifier

        /// The revoked owner; nil if a device was revoked.
        var owner: OwnerIdentifier? {
            if case .owner(let owner, _) = revocation.subject { owner } else { nil }
        }
        /// The devices that stay members although their owner is revoked.
        var kept: [DeviceIdentifier] { if case .owner(_, let kept) = revocation.subject { kept } else { [] } }

        /// Whether this revocation has an earlier date than the other one.
        ///
        /// If the dates are equal, the signatures are compared. So the result does not depend on the order in which the
        /// revocations arrived.
        func isEarlier(than other: Entry) -> Bool {
            let (mine, theirs) = (revocation, other.revocation)
            guard mine.date == theirs.date else { return mine.date < theirs.date }
            return mine.signature.lexicographicallyPrecedes(theirs.signature)
        }

        /// Whether both revocations have the same author and the same subject.
        func repeats(_ other: Entry) -> Bool {
            guard author == other.author else { return false }
            return switch (revocation.subject, other.revocation.subject) {
            case (.device(let device), .device(let other)): device == other
            case (.owner(let owner, _), .owner(let other, _)): owner == other
            case (.device, .owner), (.owner, .device): false
            }
        }
    }

    /// The largest number of revocations that are kept.
    package static let most = 500

    package init() {}

    /// The keys of the statements' records, in the order in which the statements were learned.
    package var keys: [RecordKey] { entries.map { RosterStatement.revocation($0.revocation).key } }

    /// Adds a verified statement if it is a revocation that says something new; returns whether it was added and kept.
    @discardableResult
    package mutating func add(_ statement: RosterStatement, meaning: VerifiedStatement) -> Bool {
        guard case .revocation(let revocation) = statement, let author = meaning.revoker else { return false }
        let added = Entry(revocation: revocation, author: author)
        guard isNews(added) else { return false }
        entries.append(added)
        guard entries.count > Self.most else { return true }
        return entries.remove(at: leastNeeded(adding: author)) != added
    }

    private func isNews(_ entry: Entry) -> Bool {
        guard let owner = entry.owner, entries.contains(where: entry.repeats) else {
            return !entries.contains(where: entry.repeats)
        }
        // A further revocation of the same owner says something new only if it omits a device that all earlier ones
        // keep.
        let others = entries.filter { $0.owner == owner }
        return others[0].kept.contains { device in
            others.allSatisfy { $0.kept.contains(device) } && !entry.kept.contains(device)
        }
    }

    /// Returns the index of the revocation to drop when there are too many.
    ///
    /// `adder` is the owner who signed the added revocation.
    private func leastNeeded(adding adder: OwnerIdentifier) -> Int {
        var counts: [OwnerIdentifier: Int] = [:]
        for entry in entries { counts[entry.author, default: 0] += 1 }
        let most = counts.values.max()
        let busiest = counts[adder] == most ? adder : counts.filter { $0.value == most }.keys.max()
        let places = entries.indices.filter { entries[$0].author == busiest }
        let ofDevices = places.filter { entries[$0].owner == nil }
        let least =
            ofDevices.min { entries[$0].isEarlier(than: entries[$1]) }
            ?? places.max { entries[$0].isEarlier(than: entries[$1]) }
        guard let least else { preconditionFailure("the busiest author signed a revocation") }
        return least
    }

    // MARK: The file

    /// The largest size of a file that is read, in bytes.
    package static let bytesMost = 4 << 20

    /// Encodes statements as the content of a file.
    package static func encode(_ keys: [RecordKey]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: keys.count)
        for key in keys { writer.data(key.name) }
        return writer.bytes
    }

    /// Reads the statements from the content of a file; nil if it is malformed.
    ///
    /// The statements are not verified here.
    package static func keys(in content: ArraySlice<UInt8>) -> [RecordKey]? {
        do throws(CBORError) {
            return try CBORReader.whole(content) { (reader) throws(CBORError) in
                try reader.array(upTo: most) { (reader) throws(CBORError) in
                    RecordKey(kind: .rosterStatement, name: try reader.data(upTo: RecordKey.nameBytes))
                }
            }
        } catch {
            return nil
        }
    }
}

extension VerifiedStatement {
    /// The owner who revokes; nil if the statement is not a revocation.
    fileprivate var revoker: OwnerIdentifier? {
        switch self {
        case .admission: nil
        case .deviceRevocation(_, let note), .ownerRevocation(_, _, let note): note.owner
        }
    }
}
