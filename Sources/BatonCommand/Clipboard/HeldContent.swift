import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// Content that a process holds until it is pasted: bytes in memory, or the paths of files.
///
/// A file in memory contains a line of JSON, followed by the bytes of content. Other processes of this person on this
/// machine open the file by the number of its descriptor.
package final class HeldContent: Sendable {
    package let content: CopiedContent
    /// The absolute paths of the files; empty if the content is in memory.
    private let paths: [String]
    private let memory: MemoryFile
    /// The size of the file in memory, in bytes.
    private let size: Int

    /// Holds the given bytes in memory.
    package convenience init(_ bytes: [UInt8], type: String) throws(LocalFailure) {
        try self.init(CopiedContent(.data(type: type, size: bytes.count)), paths: [], bytes)
    }

    /// Reads a descriptor to its end, and holds the bytes in memory.
    package convenience init(readingFrom descriptor: Int32) throws(LocalFailure) {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.read(descriptor, most: CopiedContent.mostBytes)
        } catch {
            switch error {
            case .refused(let number):
                throw LocalFailure(.failed, "Reading the input failed: \(SystemText.of(number)).")
            case .tooLarge:
                throw LocalFailure(
                    .tooLarge,
                    "The input is larger than \(CopiedContent.mostBytes >> 20) MiB, the limit for copies in memory.\nSave it in a file, and type: baton copy FILE"
                )
            }
        }
        guard !bytes.isEmpty else {
            throw LocalFailure(.usage, "The input is empty, so nothing was copied.")
        }
        try self.init(bytes, type: ContentType.of(bytes))
    }

    /// Holds the paths of files.
    ///
    /// The files stay at their places, and are read when they are pasted.
    package convenience init(files paths: [String]) throws(LocalFailure) {
        guard paths.count <= CopiedContent.mostFiles else {
            throw LocalFailure(
                .tooLarge,
                "\(paths.count) files were named, but at most \(CopiedContent.mostFiles) can be copied together.\nCopy an archive: tar c FILE… | baton copy"
            )
        }
        var (whole, files): ([String], [CopiedContent.File]) = ([], [])
        for path in paths {
            let file = try Self.look(at: path)
            whole.append(file.path)
            files.append(CopiedContent.File(name: HeldFile.name(of: file.path), size: file.size))
        }
        try self.init(CopiedContent(.files(files)), paths: whole, [])
    }

    private init(_ content: CopiedContent, paths: [String], _ bytes: [UInt8]) throws(LocalFailure) {
        (self.content, self.paths) = (content, paths)
        let line: JSON =
            paths.isEmpty
            ? content.json : .object([.init("paths", .array(paths.map { .string($0) }))])
        let head = Array((line.text + "\n").utf8)
        size = head.count + bytes.count
        do throws(NetworkError) {
            memory = try MemoryFile(name: "baton-copied")
            try memory.append(head[...])
            try memory.append(bytes[...])
        } catch {
            throw LocalFailure(.failed, "The content can't be held in memory: \(error)")
        }
    }

    /// The descriptor of the file in memory.
    package var descriptor: Int32 { memory.descriptor }

    /// Checks that a file can be copied; returns its absolute path and its size.
    private static func look(at path: String) throws(LocalFailure) -> (path: String, size: Int) {
        let shown = VisibleText(path).text
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw LocalFailure(.failed, "“\(shown)” can't be copied: \(SystemText.of(errno)).")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw LocalFailure(
                .failed, "“\(shown)” is a folder.\nCopy an archive of it: tar c \(shown) | baton copy")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LocalFailure(.failed, "“\(shown)” is not a file.")
        }
        guard access(path, R_OK) == 0 else {
            throw LocalFailure(.failed, "“\(shown)” can't be read: \(SystemText.of(errno)).")
        }
        // If the last component of the path is a link, it is not resolved, so the file keeps the name that was typed.
        guard path.hasPrefix("/") else {
            guard let folder = getcwd(nil, 0) else {
                throw LocalFailure(.failed, "The present folder is gone: \(SystemText.of(errno)).")
            }
            defer { free(folder) }
            return ("\(String(cString: folder))/\(path)", Int(status.st_size))
        }
        return (path, Int(status.st_size))
    }

    // MARK: Passing it on

    /// Passes the line and the bytes to a closure, piece by piece.
    ///
    /// If a file does not exist any more, the line says so, and no bytes follow.
    func send(to sink: (ArraySlice<UInt8>) throws(LocalFailure) -> Void) throws(LocalFailure) {
        guard paths.isEmpty else { return try sendFiles(to: sink) }
        var place = 0
        while place < size {
            let bytes: [UInt8]
            do throws(NetworkError) {
                bytes = try memory.read(min(Self.portion, size - place), at: place)
            } catch {
                throw LocalFailure(.failed, "The content can't be read: \(error)")
            }
            try sink(bytes[...])
            place += bytes.count
        }
    }

    private func sendFiles(to sink: (ArraySlice<UInt8>) throws(LocalFailure) -> Void) throws(LocalFailure) {
        var files: [HeldFile] = []
        for path in paths {
            guard let file = HeldFile(path) else {
                let missing = JSON.object([.init("missing", .string(HeldFile.name(of: path)))])
                return try sink(Array((missing.text + "\n").utf8)[...])
            }
            files.append(file)
        }
        let content = CopiedContent(.files(files.map(\.description)))
        try sink(Array((content.json.text + "\n").utf8)[...])
        for file in files {
            while let bytes = try file.next(Self.portion) { try sink(bytes[...]) }
        }
    }

    private static let portion = 64 << 10
}

/// An open file whose bytes are sent.
///
/// Bytes that were appended after it was opened are not sent.
final class HeldFile {
    let description: CopiedContent.File
    private let descriptor: Int32
    private var left: Int

    /// Opens a file; returns nil if there is no readable file at that path.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        left = Int(status.st_size)
        description = CopiedContent.File(name: Self.name(of: path), size: left)
    }

    deinit { close(descriptor) }

    /// Returns the next bytes, at most `most` of them, or nil at the end.
    ///
    /// Throws if the file has become shorter. Otherwise, the receiver would take a part of the file for the whole.
    func next(_ most: Int) throws(LocalFailure) -> [UInt8]? {
        guard left > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(most, left))
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count > 0 {
                left -= count
                return Array(bytes.prefix(count))
            }
            guard count < 0, errno == EINTR else {
                throw LocalFailure(
                    .streamBroken,
                    "“\(VisibleText(description.name).text)” was cut off while it was read. It is incomplete."
                )
            }
        }
    }

    /// The last component of a path.
    static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }
}
