import BatonCore
import BatonStore
import Disks
import Support
import Testing

/// Every page of a small store, each damaged in turn.
@Suite struct `A store with one damaged page` {
    @Test(arguments: Lane.allCases)
    func `a store with a damaged page opens, reports the losses, and does not change the other lane`(
        _ lane: Lane
    ) throws {
        let store = try KilledStore("near", number: 1, settled: 40, inJournal: 0)
        // The log is moved into the databases, so that each page counts.
        let sound = try store.open { _, _, disk in disk }.image
        let name = lane == .activities ? "activities.sqlite" : "index.sqlite"
        let other = lane == .activities ? "index.sqlite" : "activities.sqlite"
        let all = Set((0..<40).map { "near \($0)" })
        let pages = sound.count(of: name) / 4096
        #expect(pages > 20 && sound.count(of: name + "-wal") == 0)
        var generator = SeededGenerator(seed: Seeds.replayed ?? 1)
        var rescued = 0
        for page in 0..<pages {
            for place in [8, 1000, generator.number(0...4095)] {
                var damaged = store
                damaged.image = sound
                damaged.image.flip(name, at: page * 4096 + place, by: UInt8(generator.number(1...255)))
                try damaged.open { opened, rescues, disk in
                    #expect(rescues.allSatisfy { $0.lane == lane }, "page \(page + 1)")
                    #expect(!disk.image.fileNames.contains { $0.hasPrefix(other + ".damaged-") })
                    _ = try opened.summary()
                    rescued += rescues.count
                    // A damaged page that is not read at once is found when it is read.
                    guard !rescues.isEmpty else { return }
                    let lost = all.subtracting(try KilledStore.items(opened))
                    #expect(lost.isEmpty || rescues.contains(where: \.hasLosses), "page \(page + 1)")
                    #expect(try !opened.notes(in: .reindex).isEmpty || lost.isEmpty, "page \(page + 1)")
                }
            }
        }
        print("Damaged pages: of \(pages) pages of \(lane), 3 bytes each, \(rescued) were rescued at once")
        #expect(rescued > pages / 2)
    }
}
