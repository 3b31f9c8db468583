import BatonCore

extension StoreConformance {
    /// Records of a newer version, which must come out of a store as they went in.
    static let newerVersion: [StoreCheck] = [
        StoreCheck("fields and kinds of a newer version are returned byte for byte") { home, seed in
            let newer = NewerVersion(seed: seed)
            let records = try throughStore(newer, home)
            for key in newer.records {
                let expected = Record(merging: newer.writes(to: key))
                try require(records[key.identity], is: expected, "the record \(key.identity)")
                try require(records[key.identity]?.fields, is: expected.fields, "its fields")
            }
        },
        StoreCheck("a partial update keeps fields of a newer version") { home, seed in
            let newer = NewerVersion(seed: seed)
            var older = OlderVersion(seed: seed)
            let store = try home.open()
            for transaction in newer.transactions { _ = try store.commit(transaction) }
            let records = try OlderVersion.records(of: newer, in: store)
            for change in try older.changes(records, of: newer) {
                _ = try store.commit(change)
            }
            let after = try OlderVersion.records(of: newer, in: try home.open())
            try require(OlderVersion.complaints(after, of: newer), is: [], "the lost writes")
        },
    ]

    /// Returns the records of a newer version after a store of this version has stored them, was reopened, and sent
    /// them on.
    private static func throughStore(
        _ newer: NewerVersion, _ home: StoreHome
    ) throws -> [RecordIdentity: Record] {
        do {
            let store = try home.open()
            for transaction in newer.transactions { _ = try store.commit(transaction) }
        }
        let store = try home.open()
        var records: [RecordIdentity: Record] = [:]
        for lane in Lane.allCases {
            for write in try read(store, lane, bytes: 1).writes {
                if records[write.identity]?.merge(write) == nil { records[write.identity] = Record(write) }
            }
        }
        return records
    }
}
