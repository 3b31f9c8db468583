import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// A person waits for a change of an activity, and so for the disk whenever SQLite moves its log.
@Suite struct `The activities of a store` {
    @Test func `are synced to the disk less than once per hundred changes`() throws {
        let disk = TestDisk()
        let store = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        let name = ActivityName(device: StoreSeries.own, app: "org.example.editor", instance: "1")
        var (waits, didWait) = (0, false)
        disk.observe = { if $0 == .beforeSync { didWait = true } }
        defer { disk.observe = nil }
        let count = 1000
        for number in 1...count {
            var activity = Activity(type: "org.example.editing", started: WallTime(milliseconds: 0))
            activity.title = "Draft \(number)"
            activity.info = [.string("text"): .data([UInt8](repeating: 7, count: 512))]
            let transaction = journal.transaction(
                .activities, [Journal.Draft(.full(activity.content), name.key)],
                now: WallTime(milliseconds: Int64(number)))
            didWait = false
            _ = try store.commit(try #require(transaction))
            if didWait { waits += 1 }
        }
        #expect(waits > 0, "the journal is moved now and then")
        #expect(waits * 100 < count, "\(waits)")
    }
}
