import BatonCore
import BatonStore
import Foundation
import Support
import Testing

/// The folder of a store on a real disk.
@Suite struct `The folder of a store` {
    @Test func `renaming a file succeeds, or fails with a reason`() throws {
        let folder = try TemporaryFolder()
        let files = StoreFolder(path: folder.path)
        let (old, new) = (folder.path + "/old", folder.path + "/new")
        let failure = #expect(throws: StoreFailure.self) { try files.move(old, new) }
        #expect(failure?.text.contains("can't be renamed") == true)
        try Data([1]).write(to: URL(fileURLWithPath: old))
        try Data([2]).write(to: URL(fileURLWithPath: new))
        try files.move(old, new)
        #expect(!files.exists(old) && files.exists(new))
        #expect(try Data(contentsOf: URL(fileURLWithPath: new)) == Data([1]))
    }

    @Test func `removing a file succeeds even if it does not exist, or fails with a reason`() throws {
        let folder = try TemporaryFolder()
        let files = StoreFolder(path: folder.path)
        let path = folder.path + "/file"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try files.remove(path)
        #expect(!files.exists(path))
        try files.remove(path)
        // A folder is no file that can be removed like one.
        let failure = #expect(throws: StoreFailure.self) { try files.remove(folder.path) }
        #expect(failure?.text.contains("can't be removed") == true)
    }

    @Test func `opening a missing store for reading creates no files`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: StoreFailure.self) {
            try SQLiteStore(
                readOnly: StoreFolder(path: folder.path), account: StoreSeries.account,
                device: StoreSeries.own)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
