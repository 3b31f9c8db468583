import BatonClient
package import BatonCore
import Glibc

/// Reads content that is pasted: first its description, and then its bytes in order.
package final class PasteSource {
    package let content: CopiedContent
    private let reader: Reader

    /// Gets the content of a copy.
    ///
    /// A copy of this machine is read from the memory of the process that holds it. A copy of another machine arrives
    /// by a stream.
    package convenience init(_ summary: ActivitySummary, in home: Home) throws(LocalFailure) {
        guard summary.device.isHere else {
            let stream = try AppStream.open(.named(summary.identifier), in: home)
            // This side sends nothing.
            stream.closeOutput()
            try self.init(from: .stream(stream), on: summary.device.name)
            return
        }
        guard let descriptor = HolderName(summary.instance)?.open() else {
            throw LocalFailure(.notFound, "The copy on this machine has ended. Copy it again.")
        }
        try self.init(from: .descriptor(descriptor), on: summary.device.name)
    }

    private init(from origin: Reader.Origin, on device: String) throws(LocalFailure) {
        reader = Reader(origin)
        let line = try reader.line()
        let json: JSON
        do throws(JSONError) { json = try JSON(reading: line) } catch { throw Self.unknown(device) }
        if let name = json["missing"]?.string { throw Self.missing(name, device) }
        if case .descriptor = origin, let paths = json["paths"]?.array {
            let names = paths.compactMap(\.string)
            var files: [HeldFile] = []
            for path in names {
                guard let file = HeldFile(path) else { throw Self.missing(HeldFile.name(of: path), device) }
                files.append(file)
            }
            reader.read(files)
            content = CopiedContent(.files(files.map(\.description)))
            return
        }
        guard let content = CopiedContent(json) else { throw Self.unknown(device) }
        self.content = content
    }

    private static func missing(_ name: String, _ device: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "“\(VisibleText(name).text)” can't be read on “\(VisibleText(device).text)” any more. Copy it again there."
        )
    }

    private static func unknown(_ device: String) -> LocalFailure {
        LocalFailure(
            .versionMismatch,
            "“\(VisibleText(device).text)” describes the copied content in a form that this version of Baton does not know."
        )
    }

    /// Passes the next `count` bytes to a closure, in pieces; throws if the content ends before that.
    package func copy(
        _ count: Int, to sink: (ArraySlice<UInt8>) throws(LocalFailure) -> Void
    ) throws(LocalFailure) {
        var left = count
        while left > 0 {
            let bytes = try reader.next(left)
            left -= bytes.count
            try sink(bytes)
        }
    }

    /// Returns all bytes of the content, which must not be files.
    package func bytes() throws(LocalFailure) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(content.size)
        try copy(content.size) { all += $0 }
        return all
    }
}

/// Reads bytes from a stream, from the memory of a process, or from several files in turn.
private final class Reader {
    enum Origin {
        case stream(AppStream)
        case descriptor(Int32)
        case files([HeldFile])
    }

    private var origin: Origin
    /// The bytes that were read and have not been returned yet.
    private var rest: ArraySlice<UInt8> = []

    init(_ origin: Origin) { self.origin = origin }

    deinit { closeDescriptor() }

    private func closeDescriptor() { if case .descriptor(let descriptor) = origin { close(descriptor) } }

    /// Continues with the content of the given files, in place of the present origin.
    func read(_ files: [HeldFile]) {
        closeDescriptor()
        (origin, rest) = (.files(files), [])
    }

    /// Returns the bytes before the next newline.
    func line() throws(LocalFailure) -> ArraySlice<UInt8> {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest = rest[(end + 1)...] }
                return rest[..<end]
            }
            guard rest.count < CopiedContent.lineBytes else { throw Self.incomplete }
            rest += try more()
        }
    }

    /// Returns the next bytes: at least one, and at most `most`.
    func next(_ most: Int) throws(LocalFailure) -> ArraySlice<UInt8> {
        if rest.isEmpty { rest = try more() }
        defer { rest = rest.dropFirst(most) }
        return rest.prefix(most)
    }

    private static let portion = 64 << 10

    private static var incomplete: LocalFailure {
        LocalFailure(
            .streamBroken,
            "The copy could not be read to its end. The data is incomplete. Copy it again.")
    }

    /// Reads at least one byte from the origin; throws if there are no more.
    private func more() throws(LocalFailure) -> ArraySlice<UInt8> {
        switch origin {
        case .stream(let stream):
            switch stream.read(most: Self.portion) {
            case .bytes(let bytes): return bytes
            case .failed(let failure): throw failure
            case .end, .closed: throw Self.incomplete
            }
        case .descriptor(let descriptor):
            var bytes = [UInt8](repeating: 0, count: Self.portion)
            while true {
                let count = Glibc.read(descriptor, &bytes, bytes.count)
                if count > 0 { return bytes.prefix(count) }
                guard count < 0, errno == EINTR else { throw Self.incomplete }
            }
        case .files(let files):
            for file in files { if let bytes = try file.next(Self.portion) { return bytes[...] } }
            throw Self.incomplete
        }
    }
}
