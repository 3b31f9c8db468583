import BatonCore
import Support

extension Vector {
    /// Hashes that peers compute from their records.
    static let derivedValues: [Vector] =
        keys.map { name, description, key in
            Vector(
                "key-hash-\(name)", description,
                [
                    ("kind", .number(key.kind.rawValue)), ("hex", .text(key.name.hex)),
                    ("decoded", .text(Diagnostic.text(of: key.name))),
                    ("key_hash", .text(key.identity.hash.bytes.hex)),
                ])
        }
        + [("empty", VersionVector()), ("two-lives", PeerMessage.vectorSample)].map { name, vector in
            var writer = CBORWriter()
            vector.encode(to: &writer)
            return Vector(
                "vector-digest-\(name)", "What a hello says of this vector.",
                [
                    ("hex", .text(writer.bytes.hex)), ("decoded", .text(Diagnostic.text(of: writer.bytes))),
                    ("sha256", .text(vector.digest.hex)),
                ])
        }

    private static let keys: [(name: String, description: String, key: RecordKey)] =
        [
            ("current-activity", "A current activity: device, app and instance.", Sample.activityName.key),
            (
                "current-activity-moved", "The same under another name, with an epoch.",
                ActivityName(
                    device: Sample.activityName.device, app: Sample.activityName.app,
                    instance: Sample.activityName.instance, epoch: 1_700_000_000
                ).key
            ),
            ("device", "A device of the account.", Device.key(Sample.desktop)),
            ("entity-type", "A type of entities: app and type.", Sample.entityType.name.key),
            ("clear", "A clear: the scope is the name.", PeerMessage.itemScope.clearKey(in: .index)),
            (
                "unknown-kind", "A kind of a newer version.",
                RecordKey(kind: RecordKind(rawValue: 1000), parts: 1) { $0.text("name") }
            ),
        ] + statements

    /// Statements of the roster, with certificates and signatures of a few bytes.
    private static var statements: [(name: String, description: String, key: RecordKey)] {
        guard let owner = RosterStatement.Certificate([0x30, 0x01]),
            let device = RosterStatement.Certificate([0x30, 0x02]),
            let ofDevice = Revocation(
                subject: .device(Sample.desktop), date: WallTime(milliseconds: 1_700_000_000_000),
                owner: owner, signature: [1, 2, 3]),
            let ofOwner = Revocation(
                subject: .owner(OwnerIdentifier(high: 1, low: 2), kept: [Sample.desktop]),
                date: WallTime(milliseconds: 1_700_000_000_000), owner: owner, signature: [4, 5, 6])
        else { preconditionFailure("a few bytes fit") }
        return [
            (
                "admission", "A device is admitted.",
                RosterStatement.admission(owner: owner, device: device).key
            ),
            ("device-revocation", "A device is revoked.", RosterStatement.revocation(ofDevice).key),
            (
                "owner-revocation", "An owner is revoked, and a device stays.",
                RosterStatement.revocation(ofOwner).key
            ),
        ]
    }

    /// The results of writes, in whatever order they are merged.
    static let merges: [Vector] = [
        merge("full", "A full write.", [PeerMessage.item]),
        merge(
            "partial", "A partial write changes one field and adds another.",
            [PeerMessage.item, PeerMessage.partial]),
        merge(
            "two-partials", "Of two partial writes to a field the one with the larger stamp is seen.",
            [PeerMessage.item, PeerMessage.earlierPartial, PeerMessage.partial]),
        merge(
            "partial-alone", "A partial write waits for the full one that it changes; nothing is seen of it.",
            [PeerMessage.partial]),
        merge(
            "deletion", "A deletion ends the incarnation, and with it the partial write to it.",
            [PeerMessage.item, PeerMessage.partial, deletion(at: Sample.stamp(22))]),
        merge(
            "earlier-deletion", "A deletion with a smaller stamp does nothing.",
            [PeerMessage.item, deletion(at: Sample.stamp(9))]),
        merge(
            "count", "A counter is seen beside the fields of the full write.",
            [PeerMessage.item, PeerMessage.count]),
        merge(
            "count-after-deletion", "A counter that was begun after a deletion lives beside it.",
            [PeerMessage.item, deletion(at: Sample.stamp(22)), PeerMessage.count]),
        merge(
            "count-before-deletion", "A deletion with a larger stamp than a counter's beginning ends it.",
            [PeerMessage.item, PeerMessage.count, deletion(at: Sample.stamp(27))]),
        merge(
            "clear", "A clear of a domain ends what stands in the domains below it.",
            [PeerMessage.item, PeerMessage.partial, PeerMessage.itemClear]),
        merge(
            "clear-of-another-domain", "The domain `note` does not hold `notes.work`.",
            [PeerMessage.item, PeerMessage.otherClear]),
        merge(
            "equal-stamps-deletion", "Of a full write and a deletion with one stamp the deletion stands.",
            [PeerMessage.item, deletion(at: PeerMessage.item.stamp)]),
        merge(
            "equal-stamps-updates", "Of two values with one stamp the larger bytes stand, whatever the dots.",
            [PeerMessage.item, partial(sequence: 7, "zz"), partial(sequence: 8, "aa")]),
    ]

    private static func partial(sequence: UInt64, _ value: String) -> Write {
        var fields = Fields()
        fields.set(2) { $0.text(value) }
        return Write(
            dot: Sample.dot(sequence, Sample.life, .index), key: PeerMessage.itemKey,
            stamp: Sample.stamp(50), action: .partial(of: PeerMessage.item.stamp, fields))
    }

    private static func deletion(at stamp: Stamp) -> Write {
        Write(deleting: PeerMessage.itemKey.identity, dot: Sample.dot(9, Sample.life, .index), stamp: stamp)
    }

    private static func merge(_ name: String, _ description: String, _ writes: [Write]) -> Vector {
        let store = InMemoryStore()
        store.keep(StoreTransaction(lane: .index, writes: writes, completing: VersionVector()))
        let frames = writes.map { write in
            PeerMessage.batch(Batch(number: 1, lane: .index, writes: [write], complete: nil, upTo: 1)).frame
        }
        let record = store.record(PeerMessage.itemKey.identity)
        let fields = record?.fields
        return Vector(
            name, description,
            [
                ("frames", .texts(frames.map(\.encoded.hex))),
                ("decoded", .texts(frames.map { Diagnostic.text(of: $0.body) })),
                ("fields", .text(fields.map { Diagnostic.text(of: $0.encoded) } ?? "null")),
                ("digest", .text(store.digest(at: Sample.noon).bytes.hex)),
            ])
    }
}
