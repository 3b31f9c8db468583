/// A statement of the roster that is stored, but not read when the process starts.
///
/// A thief of an owner's key can sign any number of statements without effect: admissions beyond the limit, and
/// revocations of devices that no owner admitted. To verify all of them would take a minute. They may have an effect
/// later. So each skipped statement is noted with its device, and is read when something depends on that device
/// (`Roster.sought`).
package struct SkippedStatement: Equatable, Sendable {
    package let identity: RecordIdentity
    package let subject: Subject

    /// The kind of statement, and the device that it is about.
    package enum Subject: Equatable, Sendable {
        case admission(DeviceIdentifier)
        case revocation(DeviceIdentifier)
    }

    package init(_ identity: RecordIdentity, _ subject: Subject) {
        (self.identity, self.subject) = (identity, subject)
    }

    /// Reads a skipped statement from a note; nil if the note is malformed or has another space.
    package init?(_ note: LocalNote) {
        guard note.space == .skippedStatement, let hash = KeyHash(bytes: note.name), let value = note.value,
            let number = value.first, let device = DeviceIdentifier(bytes: Array(value.dropFirst()))
        else { return nil }
        identity = RecordIdentity(kind: .rosterStatement, hash: hash)
        switch number {
        case Number.admission: subject = .admission(device)
        case Number.revocation: subject = .revocation(device)
        default: return nil
        }
    }

    private enum Number {
        static let admission: UInt8 = 1
        static let revocation: UInt8 = 2
    }

    /// The note that stores this statement's identity and subject.
    package var note: LocalNote {
        let value =
            switch subject {
            case .admission(let device): [Number.admission] + device.bytes
            case .revocation(let device): [Number.revocation] + device.bytes
            }
        return LocalNote(space: .skippedStatement, name: identity.hash.bytes, value: value)
    }
}
