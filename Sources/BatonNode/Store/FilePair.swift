import BatonCore
import BatonNetwork
import BatonStore
import Glibc

/// Two files with the same content in the folder of an account's databases.
///
/// Damage to a database does not reach this content.
///
/// Each file is replaced as a whole. The second file is replaced only when the first is on the disk. Therefore, at
/// least one of the files can be read at any time. A checksum shows whether a file is damaged.
package struct FilePair: Sendable {
    private let folder: String
    private let name: String
    /// The largest size in bytes of a file that is read.
    private let bytesMost: Int
    /// Called before each step of writing a file.
    private let beforeStep: @Sendable (Step) throws(StoreFailure) -> Void

    /// A step of writing a file.
    ///
    /// A process may be killed before each step.
    package enum Step: CaseIterable, Sendable {
        case create, write, sync, rename, syncFolder
    }

    /// The content of a file, or the reason why there is none.
    enum Reading {
        case missing
        /// The file can't be read, or a byte of it was changed.
        case damaged
        case content(ArraySlice<UInt8>)
    }

    init(
        _ name: String, in folder: String, bytesMost: Int,
        beforeStep: @escaping @Sendable (Step) throws(StoreFailure) -> Void
    ) {
        self.name = name
        self.folder = folder
        self.bytesMost = bytesMost
        self.beforeStep = beforeStep
    }

    /// The paths of the files, in the order in which they are written.
    var paths: [String] { ["\(folder)/\(name)", "\(folder)/\(name).copy"] }

    // MARK: Reading

    /// Reads both files.
    func read() -> [Reading] { paths.map(read) }

    private func read(_ path: String) -> Reading {
        do throws(NetworkError) {
            // If the file is longer than the limit, the bytes that are read don't match the checksum.
            let bytes = try FileDescriptor.contents(
                of: path, limit: bytesMost, flags: O_NOFOLLOW | O_NONBLOCK)
            return CheckedBytes.content(of: bytes).map(Reading.content) ?? .damaged
        } catch {
            return error.number == ENOENT ? .missing : .damaged
        }
    }

    // MARK: Writing

    /// Removes both files.
    func remove() throws(StoreFailure) {
        for path in paths where unlink(path) != 0 && errno != ENOENT {
            throw StoreFolder.failure("\(path) can't be removed")
        }
    }

    /// Writes both files.
    ///
    /// Returns when both files would survive a power failure.
    func write(_ content: [UInt8]) throws(StoreFailure) {
        let bytes = CheckedBytes.sealed(content)
        for path in paths { try write(bytes, to: path) }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(StoreFailure) {
        let part = "\(path).new"
        try beforeStep(.create)
        let file = try Self.open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try beforeStep(.write)
        var rest = bytes[...]
        while !rest.isEmpty {
            let number = file.number
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFolder.failure("\(part) can't be written") }
            rest = rest.dropFirst(count)
        }
        try beforeStep(.sync)
        guard fsync(file.number) == 0 else { throw StoreFolder.failure("\(part) can't be synced") }
        try beforeStep(.rename)
        guard rename(part, path) == 0 else { throw StoreFolder.failure("\(part) can't be renamed") }
        try beforeStep(.syncFolder)
        try StoreFolder.sync(folder)
    }

    private static func open(_ path: String, _ flags: Int32) throws(StoreFailure) -> FileDescriptor {
        do throws(NetworkError) {
            return try FileDescriptor.open(path, flags: flags, mode: 0o600)
        } catch {
            errno = error.number
            throw StoreFolder.failure("\(path) can't be opened")
        }
    }
}
