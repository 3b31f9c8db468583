package import BatonCore

/// The description of what was copied: its kind, its size and the names of files, without the content.
///
/// `Protocol.md` specifies its form in an activity, and in the line at the beginning of a stream.
package struct CopiedContent: Equatable, Sendable {
    package let kind: Kind

    package enum Kind: Equatable, Sendable {
        /// Bytes of one type.
        case data(type: String, size: Int)
        case files([File])
    }

    /// A file, by the last component of its path.
    package struct File: Equatable, Sendable {
        package let name: String
        package let size: Int

        package init(name: String, size: Int) { (self.name, self.size) = (name, size) }
    }

    package init(_ kind: Kind) { self.kind = kind }

    /// The most bytes that are kept in memory.
    package static let mostBytes = 64 << 20
    /// The most files that are copied together.
    package static let mostFiles = 100
    /// The longest name of a file, as in the usual file systems.
    static let nameBytes = 255
    /// The longest line at the beginning of a stream, with room for names whose every byte is escaped.
    static let lineBytes = 256 << 10

    /// The number of bytes of everything.
    package var size: Int {
        switch kind {
        case .data(_, let size): size
        case .files(let files): files.reduce(0) { $0 + $1.size }
        }
    }

    /// Whether it is text.
    package var isText: Bool { if case .data(ContentType.text, _) = kind { true } else { false } }

    /// The type of content in memory; nil for files.
    package var type: String? { if case .data(let type, _) = kind { type } else { nil } }

    /// The name of the only file; nil if there is none, or several.
    package var onlyName: String? {
        guard case .files(let files) = kind, files.count == 1 else { return nil }
        return files[0].name
    }

    /// The name under which content without one is saved.
    package var fileName: String { "pasted.\(ContentType.ending(type ?? ContentType.unknown))" }

    /// The lines of a text as a terminal may show them; tabs stay.
    package static func lines(_ text: String) -> [VisibleText] {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { VisibleText($0) }
                .joined(VisibleText(harmless: "\t"))
        }
    }

    /// The description for a person: `text, 12 bytes`.
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
    /// The payload of the copy's activity, with the identifiers of the activities that it replaces.
    package func info(replacing replaced: [String]) -> [PropertyValue: PropertyValue] {
        var info: [PropertyValue: PropertyValue] = [.string("size"): .integer(Int64(size))]
        switch kind {
        case .data(let type, _): info[.string("content")] = .string(type)
        case .files(let files): info[.string("files")] = .array(files.map { .string($0.name) })
        }
        if !replaced.isEmpty { info[.string("replaces")] = .array(replaced.map { .string($0) }) }
        return info
    }

    /// The change that makes an activity stand for this copy.
    package func change(replacing replaced: [String], until end: WallTime) -> ActivityChange {
        var change = ActivityChange()
        change.title = "Copied: \(label)"
        change.set = info(replacing: replaced)
        // A copy is neither found by searches nor suggested.
        (change.eligibility, change.supportsStreams, change.expiration) = (.handoff, true, end)
        return change
    }
}

extension ActivitySummary {
    /// The identifiers of the earlier copies that this copy replaced.
    package var replacedCopies: [String] {
        guard case .array(let values)? = activity.info[.string("replaces")] else { return [] }
        return values.compactMap(\.string)
    }

    /// Whether this copy is later than another one.
    ///
    /// The clocks of machines differ, so a copy that names the other as replaced is later; the start times decide if
    /// neither names the other.
    package func isCopied(after other: ActivitySummary) -> Bool {
        if replacedCopies.contains(other.identifier) { return true }
        if other.replacedCopies.contains(identifier) { return false }
        return (activity.started, identifier) > (other.activity.started, other.identifier)
    }
}

// MARK: As the line before the bytes

extension CopiedContent {
    /// The line at the beginning of a stream.
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

    /// Parses the line; nil if it lacks the kind or the size of the content.
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
