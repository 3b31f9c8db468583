import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Testing

/// Files that are given as backups, and the file of a backup that is written.
@Suite struct `The file of a backup` {
    private func refusal(_ bytes: [UInt8], _ stage: BackedUpStore) throws -> StoreFailure? {
        try stage.write(bytes, "hostile")
        let names = stage.disk.image.fileNames
        do {
            try stage.prepare("hostile")
            return nil
        } catch let failure as StoreFailure {
            #expect(stage.disk.image.fileNames == names, "nothing is left of it")
            return failure
        }
    }

    @Test func `a truncated backup is refused, whatever its length`() throws {
        let stage = try BackedUpStore(seed: 1, steps: 20)
        try stage.backUp()
        let bytes = try stage.bytes()
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let failure = try refusal(Array(bytes.prefix(count)), stage)
            let text = try #require(failure?.text, "cut at \(count)")
            #expect(text.contains(count < 16 ? "is not a backup" : "cut or damaged"), "\(text)")
        }
        #expect(try refusal(bytes + [0], stage)?.text.contains("cut or damaged") == true)
        #expect(try refusal(bytes, stage) == nil)
    }

    @Test func `a backup with any changed byte is refused`() throws {
        let stage = try BackedUpStore(seed: 2, steps: 20)
        try stage.backUp()
        let bytes = try stage.bytes()
        var generator = SeededGenerator(seed: Seeds.replayed ?? 2)
        for _ in 0..<300 {
            var flipped = bytes
            flipped[generator.number(0...bytes.count - 1)] ^= UInt8(generator.number(1...255))
            #expect(try refusal(flipped, stage)?.code == .failed)
        }
        let before = try BackedUpStore.views(stage.store)
        #expect(try BackedUpStore.views(stage.store) == before)
    }

    /// A person who can change a backup can also make its checksum right; its content must still not break anything.
    @Test func `a forged backup with a valid checksum is refused, or restores to a sound store`() throws {
        let stage = try BackedUpStore(seed: 3, steps: 40)
        try stage.backUp()
        let bytes = Array(try stage.bytes().dropLast(32))
        stage.close()
        var generator = SeededGenerator(seed: Seeds.replayed ?? 3)
        var (refused, taken) = (0, 0)
        for _ in 0..<150 {
            var changed = bytes
            for _ in 0...generator.number(0...2) {
                changed[generator.number(16...bytes.count - 1)] = UInt8(generator.number(0...255))
            }
            try stage.write(changed + SHA256.digest(changed), "forged")
            do {
                try stage.prepare("forged")
            } catch is StoreFailure {
                refused += 1
                continue
            }
            taken += 1
            try StoreRestoration.decide(in: StoreFolder(stage.disk))
            let store = try stage.openFinished()
            _ = try BackedUpStore.views(store)
            for lane in Lane.allCases {
                let troubles = try LaneDump(lane, on: stage.disk).troubles
                #expect(troubles.isEmpty, "\(troubles)")
            }
        }
        print("Forged backups: \(refused) were refused, \(taken) made a sound store")
        #expect(refused > 0 && taken > 0)
    }

    @Test
    func `a backup with a column that is not in the schema is refused, even if SQLite accepts its name`()
        throws
    {
        let stage = try BackedUpStore(seed: 8, steps: 10)
        try stage.backUp()
        var bytes = Array(try stage.bytes().dropLast(32))
        // SQLite also knows the place of a write by this name, and would accept the rows.
        let column = try #require(bytes.firstRange(of: [0x67] + Array("arrival".utf8)))
        bytes.replaceSubrange(column, with: [0x67] + Array("_rowid_".utf8))
        let failure = try refusal(bytes + SHA256.digest(bytes), stage)
        #expect(failure?.text.contains("a table that is not in its schema") == true)
    }

    @Test func `a backup whose rows have values in the wrong columns is refused`() throws {
        let stage = try BackedUpStore(seed: 8, steps: 10)
        try stage.backUp()
        var bytes = Array(try stage.bytes().dropLast(32))
        let (kind, hash) = ([0x64] + Array("kind".utf8), [0x64] + Array("hash".utf8))
        let columns = try #require(bytes.firstRange(of: kind + hash))
        bytes.replaceSubrange(columns, with: hash + kind)
        let failure = try refusal(bytes + SHA256.digest(bytes), stage)
        #expect(failure?.text.contains("a row does not fit") == true, "\(failure as Any)")
    }

    @Test func `a backup whose rows have more values than columns is refused`() throws {
        let stage = try BackedUpStore(seed: 8, steps: 10)
        try stage.backUp()
        var bytes = Array(try stage.bytes().dropLast(32))
        // The last of eleven columns is left out of a table that has one row. The piece begins with its length; its
        // form, its number and the lane stand before the name of the table.
        let name = try #require(bytes.firstRange(of: [0x68] + Array("progress".utf8) + [0x8b]))
        let column = [0x65] + Array("owner".utf8)
        let place = try #require(bytes[name.upperBound...].firstRange(of: column))
        bytes.removeSubrange(place)
        bytes[name.upperBound - 1] -= 1
        bytes[name.lowerBound - 5] -= UInt8(column.count)
        let failure = try refusal(bytes + SHA256.digest(bytes), stage)
        #expect(failure?.text.contains("a table that is not in its schema") == true, "\(failure as Any)")
    }

    @Test(arguments: ["0x7ffffffffffffff0", "9e18"])
    func `a backup that has nearly used up the places of arrival is refused`(_ forged: String) throws {
        let stage = try BackedUpStore(seed: 8, steps: 10)
        stage.close()
        _ = try RawDatabase(.index, on: stage.disk)?.texts("UPDATE progress SET head = \(forged)")
        try stage.backUp()
        let failure = try refusal(stage.bytes(), stage)
        #expect(failure?.text.contains("more places than") == true, "\(failure as Any)")
    }

    @Test func `backups of another account, another machine and a newer version are refused with a reason`()
        throws
    {
        let stage = try BackedUpStore(seed: 4, steps: 10)
        try stage.backUp()
        let path = stage.path("backup")
        let others: [(StoreRestoration.Request, String)] = [
            (
                .init(
                    account: AccountIdentifier(high: 1, low: 3), device: StoreSeries.own,
                    order: BackedUpStore.order, date: BackedUpStore.date), "another account"
            ),
            (
                .init(
                    account: StoreSeries.account, device: DeviceIdentifier(high: 1, low: 3),
                    order: BackedUpStore.order, date: BackedUpStore.date), "another machine, “laptop”"
            ),
        ]
        for (request, words) in others {
            let failure = #expect(throws: StoreFailure.self) {
                let input = try BackupInput(path: path, watch: BackupWatch())
                try StoreRestoration.prepare(
                    input, for: request, in: StoreFolder(stage.disk), watch: BackupWatch())
            }
            #expect(failure?.text.contains(words) == true)
        }
        // The manifest's last field is the schema, behind the build.
        let bytes = try stage.bytes()
        let build = try #require(bytes.firstRange(of: Array(BackedUpStore.manifest.build.utf8)))
        let schema = build.upperBound
        var newer = Array(bytes.dropLast(32))
        #expect(newer[schema...schema + 1] == [7, UInt8(Schema.lane.newest)])
        newer[schema + 1] += 1
        #expect(try refusal(newer + SHA256.digest(newer), stage)?.code == .newer)
        // A later format of the file.
        let form = try #require(bytes.firstRange(of: [0xa7, 1, 1] as [UInt8]))
        newer = Array(bytes.dropLast(32))
        newer[form.lowerBound + 2] = 2
        #expect(try refusal(newer + SHA256.digest(newer), stage)?.code == .newer)
    }

    @Test func `a backup path that is not a file is refused without waiting`() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path + "/pipe", 0o600)
        for name in ["pipe", "nothing", "."] {
            #expect(throws: StoreFailure.self) {
                _ = try BackupInput(path: folder.path + "/" + name, watch: BackupWatch())
            }
        }
    }

    @Test(arguments: [(0, true), (1, false)] as [(UInt8, Bool)])
    func `a backup's pieces of up to 32 MiB are read, and larger ones are refused unread`(
        _ beyond: UInt8, _ isRead: Bool
    ) throws {
        let stage = try BackedUpStore(seed: 8, steps: 1)
        try stage.backUp()
        // The mark and the length of a piece of 32 MiB or one byte more, in a file that is long enough.
        try stage.write(Array(try stage.bytes().prefix(16)) + [2, 0, 0, beyond], "large")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: stage.path("large")))
        try file.truncate(atOffset: UInt64(32 << 20) + 1000)
        try file.close()
        let watch = BackupWatch()
        let failure = #expect(throws: StoreFailure.self) {
            _ = try BackupInput(path: stage.path("large"), watch: watch)
        }
        #expect(failure?.text.contains("cut or damaged") == true)
        let bytes = watch.progress.bytes
        #expect(isRead ? bytes > 32 << 20 : bytes < 100, "\(bytes) bytes are read")
    }

    /// A forged backup may list records that are no activities, so the list is made again from the records.
    @Test func `a forged list of activities in a backup is replaced when the backup is restored`() throws {
        let stage = try BackedUpStore(seed: 6, steps: 60)
        let before = try finished(in: stage.store)
        stage.close()
        let forged = """
            INSERT INTO activities (record, ended, hash, changed, started, finish, type, bytes)
            SELECT number, 1, hash, 1, 1, 1, hash, 1 FROM records WHERE kind NOT IN (8, 10) LIMIT 1
            """
        _ = try RawDatabase(.activities, on: stage.disk)?.texts(forged)
        do {
            let store = try stage.open()
            #expect(try finished(in: store).count == before.count + 1)
            try stage.backUp()
            withExtendedLifetime(store) {}
        }
        try stage.restore()
        #expect(try finished(in: stage.store) == before)
    }

    /// Returns the activities that a store lists as ended.
    private func finished(in store: SQLiteStore?) throws -> [RecordIdentity] {
        var found: [RecordIdentity] = []
        try store?.lane(.activities).visitActivities(.finished, at: WallTime(milliseconds: .min)) { entry in
            found.append(entry.identity)
            return true
        }
        return found
    }

    // MARK: Writing

    @Test func `a backup is readable by its user only, and replaced only on request`() throws {
        let stage = try BackedUpStore(seed: 5, steps: 10)
        try stage.backUp()
        let attributes = try FileManager.default.attributesOfItem(atPath: stage.path("backup"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let failure = #expect(throws: StoreFailure.self) {
            _ = try BackupOutput(path: stage.path("backup"), replaces: false)
        }
        #expect(failure?.text.contains("--force") == true)
        // A file that appeared while the backup was written is not overwritten, either.
        let output = try BackupOutput(path: stage.path("other"), replaces: false)
        try output.write([1])
        try stage.write([9], "other")
        #expect(throws: StoreFailure.self) { try output.end() }
        #expect(try stage.bytes("other") == [9])
    }

    @Test func `an unfinished backup never has its final name, and the file of a killed backup is replaced`()
        throws
    {
        let stage = try BackedUpStore(seed: 6, steps: 10)
        try stage.backUp {
            #expect(!FileManager.default.fileExists(atPath: stage.path("backup")))
            // No other backup can begin in between.
            let failure = #expect(throws: StoreFailure.self) { try stage.backUp() }
            #expect(failure?.code == .locked)
        }
        try stage.write(Array(try stage.bytes().prefix(1000)), "second.baton-part")
        try stage.backUp("second")
        #expect(try stage.bytes("second") == stage.bytes())
        #expect(!FileManager.default.fileExists(atPath: stage.path("second.baton-part")))
        // A process was killed between naming its file and removing the other name: the complete file is not
        // overwritten.
        try FileManager.default.linkItem(
            atPath: stage.path("second"), toPath: stage.path("second.baton-part"))
        let output = try BackupOutput(path: stage.path("second"), replaces: true)
        #expect(try stage.bytes("second") == stage.bytes())
        try output.write([1, 2, 3])
        try output.end()
        #expect(try stage.bytes("second") == [1, 2, 3])
    }

    @Test func `a backup removes the unfinished files of killed backups, and no other files`() throws {
        let stage = try BackedUpStore(seed: 6, steps: 10)
        try stage.backUp("first")
        let beginning = Array(try stage.bytes("first").prefix(1000))
        try stage.write(beginning, "killed.baton-part")
        try stage.write([1, 2, 3], "foreign.baton-part")
        let other = try BackupOutput(path: stage.path("other"), replaces: false)
        try other.write(beginning)
        try stage.backUp("second")
        let isThere = { FileManager.default.fileExists(atPath: stage.path($0 + ".baton-part")) }
        #expect(!isThere("killed") && isThere("foreign"))
        #expect(isThere("other"), "it is still being written")
        withExtendedLifetime(other) {}
    }

    @Test func `a backup is not written over a file that is not a backup`() throws {
        let folder = try TemporaryFolder()
        let part = folder.path + "/b.baton-part"
        _ = FileManager.default.createFile(atPath: part, contents: Data("mine".utf8))
        #expect(throws: StoreFailure.self) { _ = try BackupOutput(path: folder.path + "/b", replaces: true) }
        #expect(FileManager.default.contents(atPath: part) == Data("mine".utf8))
        symlink("/dev/null", folder.path + "/link")
        #expect(throws: StoreFailure.self) {
            _ = try BackupOutput(path: folder.path + "/link", replaces: true)
        }
    }

    @Test func `a backup on a full disk fails with that reason, and leaves no file`() throws {
        let stage = try BackedUpStore(seed: 7, steps: 10)
        let failure = #expect(throws: StoreFailure.self) {
            _ = try StoreBackup.write(
                BackedUpStore.manifest, of: "", to: FullSink(), watch: BackupWatch(),
                fileSystem: stage.disk.name)
        }
        #expect(failure?.code == .full)
    }

    /// Accepts some bytes, and then fails.
    private struct FullSink: BackupSink {
        var room = 500

        mutating func write(_ bytes: [UInt8]) throws(StoreFailure) {
            room -= bytes.count
            if room < 0 { throw StoreFailure(.full, "no room") }
        }
    }
}
