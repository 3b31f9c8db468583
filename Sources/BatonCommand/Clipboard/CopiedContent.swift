package import BatonClient
package import BatonCore

/// Describes content that was copied: its kind, its size and the names of files, but not the content itself.
///
/// `Protocol.md` specifies how an activity contains this description, and how the first line of a stream contains it.
package struct CopiedContent: Equatable, Sendable {
    package let kind: Kind

    package enum Kind: Equatable, Sendable {
        /// Bytes of one type.
        case data(type: String, size: Int)
        case files([File])
    }

    /// A file.
    ///
    /// Its name is the last component of its path.
    package struct File: Equatable, Sendable {
        package let name: String
        package let size: Int

        package init(name: String, size: Int) { (self.name, self.size) = (name, size) }
    }

    package init(_ kind: Kind) { self.kind = kind }

    /// The maximum number of bytes of content that is kept in memory.
    package static let mostBytes = 64 << 20
    /// The largest number of files that are copied together.
    package static let mostFiles = 100
    /// The maximum length of a file's name in bytes, which is that of the usual file systems.
    static let nameBytes = 255
    /// The maximum length of the first line of a stream.
    ///
    /// It leaves room for names in which every byte is escaped.
    static let lineBytes = 256 << 10

    /// The number of bytes of the whole content.
    package var size: Int {
        switch kind {
        case .data(_, let size): size
        case .files(let files): files.reduce(0) { $0 + $1.size }
        }
    }

    /// Whether the content is text.
    package var isText: Bool { if case .data(ContentType.text, _) = kind { true } else { false } }

    /// The type of content in memory; nil for files.
    package var type: String? { if case .data(let type, _) = kind { type } else { nil } }

    /// The name of the file if the content is exactly one file, and otherwise nil.
    package var onlyName: String? {
        guard case .files(let files) = kind, files.count == 1 else { return nil }
        return files[0].name
    }

    /// The name under which content without a name is saved.
    package var fileName: String { "pasted.\(ContentType.ending(type ?? ContentType.unknown))" }

    /// Splits a text into lines that a terminal can show safely.
    ///
    /// Tabs are kept.
    package static func lines(_ text: String) -> [VisibleText] {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { VisibleText($0) }
                .joined(VisibleText(harmless: "\t"))
        }
    }

    /// A description for a person, such as `text, 12 bytes`.
    package var label: String {
        let amount = BackupText.size(size)
        switch kind {
        case .data(let type, _): return "\(ContentType.label(type)), \(amount)"
        case .files(let files) where files.count == 1: return "\(files[0].name), \(amount)"
        case .files(let files): return "\(files.count) files, \(amount)"
        }
    }
}

// MARK: As the payload of an activity

extension CopiedContent {
    /// The payload of the activity for this copy.
    ///
    /// `replaced` are the identifiers of the earlier copies that it replaces.
    package func info(replacing replaced: [String]) -> [PropertyValue: PropertyValue] {
        var info: [PropertyValue: PropertyValue] = [.string("size"): .integer(Int64(size))]
        switch kind {
        case .data(let type, _): info[.string("content")] = .string(type)
        case .files(let files): info[.string("files")] = .array(files.map { .string($0.name) })
        }
        if !replaced.isEmpty { info[.string("replaces")] = .array(replaced.map { .string($0) }) }
        return info
    }

    /// The change that gives an activity the title and payload for this copy.
    package func change(replacing replaced: [String], until end: WallTime) -> ActivityChange {
        var change = ActivityChange()
        change.title = "Copied: \(label)"
        change.set = info(replacing: replaced)
        // Searches don't find a copy, and a copy is not suggested.
        (change.eligibility, change.supportsStreams, change.expiration) = (.handoff, true, end)
        return change
    }
}

extension ActivitySummary {
    /// The identifiers of the earlier copies that this copy replaces.
    package var replacedCopies: [String] {
        guard case .array(let values)? = activity.info[.string("replaces")] else { return [] }
        return values.compactMap(\.string)
    }

    /// Whether this copy was made after the other one.
    ///
    /// The clocks of machines differ. So if one copy names the other as replaced, it is the later copy. Otherwise, the
    /// start times decide.
    package func isCopied(after other: ActivitySummary) -> Bool {
        if replacedCopies.contains(other.identifier) { return true }
        if other.replacedCopies.contains(identifier) { return false }
        return (activity.started, identifier) > (other.activity.started, other.identifier)
    }
}

// MARK: As the line before the bytes

extension CopiedContent {
    /// The first line of a stream with this content.
    package var json: JSON {
        switch kind {
        case .data(let type, let size):
            .object([.init("content", .string(type)), .init("size", .integer(Int64(size)))])
        case .files(let files):
            .object([
                .init(
                    "files",
                    .array(
                        files.map { file in
                            .object([
                                .init("name", .string(file.name)), .init("size", .integer(Int64(file.size))),
                            ])
                        }))
            ])
        }
    }

    /// Parses the first line of a stream; returns nil if the line is malformed or the content exceeds a limit.
    package init?(_ json: JSON) {
        if let type = json["content"]?.string, let size = json["size"]?.integer {
            guard ContentType.isValid(type), 0...Int64(Self.mostBytes) ~= size else { return nil }
            self.init(.data(type: type, size: Int(size)))
            return
        }
        guard let values = json["files"]?.array, 1...Self.mostFiles ~= values.count else { return nil }
        var files: [File] = []
        for value in values {
            guard let name = value["name"]?.string, let size = value["size"]?.integer, size >= 0,
                name.utf8.count <= 4 * Self.nameBytes
            else { return nil }
            files.append(File(name: name, size: Int(size)))
        }
        self.init(.files(files))
    }
}
