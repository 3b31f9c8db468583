import BatonCore
import BatonNode
import BatonStore
import Foundation
import Support
import Testing

/// The problems of the disk that a status shows.
@Suite struct `Problems of a disk in the status` {
    @Test(arguments: [
        (StoreFailure.Code.full, "df -h"), (.readOnly, "findmnt -T"), (.locked, "fuser -v"),
        (.failed, "smartctl -a"),
    ])
    func `a failure of the disk is shown with advice until a write succeeds`(
        code: StoreFailure.Code, command: String
    ) {
        var troubles = StoreTroubles(folder: "/nowhere", lacksChanges: false)
        #expect(troubles.texts.isEmpty)
        troubles.recordFailure(StoreFailure(code, "because"))
        #expect(troubles.texts.count == 1 && troubles.texts[0].contains(command), "\(troubles.texts)")
        troubles.recordFailure(nil)
        #expect(troubles.texts.isEmpty)
    }

    @Test func `a quarantined database is shown as long as its file exists, also after a restart`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/index.sqlite.damaged-2026-01-02"
        for part in ["", "-wal"] { try Data([1]).write(to: URL(fileURLWithPath: file + part)) }
        var troubles = StoreTroubles(folder: folder.path, lacksChanges: false)
        #expect(troubles.texts.count == 1 && troubles.texts[0].contains(file))
        troubles.recordRescued([
            LaneRescue(
                lane: .index, cause: StoreFailure(.damaged, "because"), file: file, writes: 12,
                hasLosses: true)
        ])
        #expect(troubles.texts.count == 1 && troubles.texts[0].contains("12 changes were rescued"))
        #expect(troubles.texts[0].contains("apps are asked to index their items again"))
        try FileManager.default.removeItem(atPath: file)
        #expect(troubles.texts.isEmpty)
    }

    @Test func `a journal that belongs to another database is reported`() {
        var troubles = StoreTroubles(folder: "/", lacksChanges: false)
        troubles.recordRescued([
            LaneRescue(
                lane: .activities, cause: StoreFailure(.damaged, "because"), file: "/dev/null", writes: 1,
                hasLosses: true, hasForeignJournal: true)
        ])
        let text = troubles.texts.first ?? ""
        #expect(text.contains("belongs to another database, and both were moved to /dev/null"), "\(text)")
    }

    @Test
    func
        `changes missing after a restoration are explained by the backup until all devices have sent their changes`()
    {
        let restoration = Restoration(of: WallTime(milliseconds: 0), at: WallTime(milliseconds: 86_400_000))
        var troubles = StoreTroubles(folder: "/nowhere", lacksChanges: false, restoration: restoration)
        #expect(troubles.isRestored && troubles.texts.isEmpty && !troubles.explainsSetBack)
        troubles.noteSetBack(shownBy: "far")
        let text = troubles.texts.first ?? ""
        #expect(text.contains("“far” has changes") && text.contains("in the backup of"), "\(text)")
        #expect(!text.contains("older copy"), "\(text)")
        troubles.endRestoration()
        #expect(!troubles.isRestored && troubles.texts.isEmpty)
    }

    @Test func `a loss of changes is reported`() {
        let troubles = StoreTroubles(folder: "/nowhere", lacksChanges: true)
        #expect(troubles.texts.count == 1 && troubles.texts[0].contains("lost its last changes"))
    }
}
