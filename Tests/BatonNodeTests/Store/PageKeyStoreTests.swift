import BatonCore
import BatonNode
import BatonSecurity
import BatonStore
import Support
import Testing

/// A store whose pages are encrypted with a key of the account.
@Suite struct `A store with a key for pages` {
    @Test func `has its content for the same key, and is damaged for any other`() throws {
        let folder = try TemporaryFolder()
        let content = try ContentKey(secret: .random(count: ContentKey.byteCount))
        let open = { (key: PageKey?) throws(StoreFailure) in
            try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2), cipher: key)
        }
        let note = LocalNote(space: .address, name: [1], value: Array("what is hidden".utf8))
        _ = try open(content.pageKey(for: "test")).commit(
            StoreTransaction(lane: .activities, writes: [], completing: VersionVector(), notes: [note]))
        for key in [nil, try content.pageKey(for: "another test")] {
            let failure = #expect(throws: StoreFailure.self) { try open(key) }
            #expect(failure?.code == .damaged)
        }
        #expect(try open(content.pageKey(for: "test")).notes(in: .address) == [note])
    }
}
