import Foundation

/// The MIME types that this machine knows, from the shared-mime-info database of freedesktop.org.
///
/// The database is read once, when it is first needed. A machine without the database knows only the declared types.
package struct SharedMIMEInfo: Sendable {
    /// The MIME types of files with an extension, the best type first; the key is the extension.
    package private(set) var types: [String: [String]] = [:]
    /// The extensions of files with a MIME type; the key is the MIME type.
    package private(set) var extensions: [String: [String]] = [:]
    /// The more general MIME types of a MIME type, which is the key.
    package private(set) var parents: [String: [String]] = [:]
    /// The usual name of a MIME type, keyed by its other names.
    package private(set) var names: [String: String] = [:]

    /// The database of this machine.
    static let machine = SharedMIMEInfo(folders: dataFolders(ProcessInfo.processInfo.environment))

    /// Reads the databases in these folders; an entry in an earlier folder takes precedence.
    package init(folders: [URL]) {
        var weights: [(weight: Int, type: String, suffix: String)] = []
        for folder in folders {
            let folder = folder.appendingPathComponent("mime")
            weights += Self.lines(of: folder.appendingPathComponent("globs2")).compactMap(Self.glob)
            for (name, usual) in Self.lines(of: folder.appendingPathComponent("aliases")).compactMap(
                Self.pair)
            where names[name] == nil {
                names[name] = usual
            }
            for (type, parent) in Self.lines(of: folder.appendingPathComponent("subclasses")).compactMap(
                Self.pair)
            {
                Self.add(parent, to: &parents[type, default: []])
            }
        }
        // Sorting by the index, too, keeps entries with the same weight in their order.
        for (_, glob) in weights.enumerated().sorted(by: { ($1.1.weight, $0.0) < ($0.1.weight, $1.0) }) {
            Self.add(glob.type, to: &types[glob.suffix, default: []])
            Self.add(glob.suffix, to: &extensions[glob.type, default: []])
        }
    }

    /// Returns the folders for shared data, beginning with the person's own folder.
    package static func dataFolders(_ environment: [String: String]) -> [URL] {
        let value = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let own = value("XDG_DATA_HOME") ?? value("HOME").map { $0 + "/.local/share" }
        let shared = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        let paths =
            [own].compactMap { $0 } + shared.split(separator: ":").prefix(foldersMost).map(String.init)
        return paths.filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    // MARK: Reading

    /// The maximum numbers of folders, of bytes in a file, and of lines in a file; the database of Debian has 35 KiB.
    private static let foldersMost = 32
    private static let bytesMost = 4 << 20
    private static let linesMost = 100_000

    /// Returns the lines of a file; empty if it can't be read or is too large, as on a machine without the database.
    private static func lines(of file: URL) -> [Substring] {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let size = attributes[.size] as? NSNumber,
                size.intValue <= bytesMost
            else { return [] }
            let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
            return lines.prefix(linesMost).filter { !$0.hasPrefix("#") }
        } catch {
            return []
        }
    }

    /// Parses a line such as `50:text/html:*.html`; nil if the pattern is more than an extension.
    private static func glob(_ line: Substring) -> (weight: Int, type: String, suffix: String)? {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let weight = Int(parts[0]), parts[2].hasPrefix("*.") else { return nil }
        let suffix = parts[2].dropFirst(2).lowercased()
        guard !suffix.isEmpty, !suffix.contains(where: { "*?[]".contains($0) }) else { return nil }
        return (weight, parts[1].lowercased(), suffix)
    }

    /// Parses a line that consists of two names.
    private static func pair(_ line: Substring) -> (String, String)? {
        let parts = line.split(separator: " ")
        return parts.count == 2 ? (parts[0].lowercased(), parts[1].lowercased()) : nil
    }

    private static func add(_ text: String, to list: inout [String]) {
        if !list.contains(text) { list.append(text) }
    }

    // MARK: Looking up

    /// Returns the MIME type and all more general MIME types, without repetitions, the nearest type first.
    package func ancestry(of type: String) -> [String] {
        var (found, place) = ([names[type] ?? type], 0)
        while place < found.count {
            for parent in parents[found[place]] ?? [] { Self.add(names[parent] ?? parent, to: &found) }
            place += 1
        }
        return found
    }
}
