import Foundation

/// A folder of notes, each of them a Markdown file.
///
/// Keep the folder in step between your machines with the program of your choice: the search index is shared by all of
/// them, and leads to the files.
struct Notebook: Sendable {
    let folder: URL

    /// The name of a note and the time of its last change.
    struct Entry: Sendable {
        let name: String
        let modified: Date
    }

    /// Returns the notes of a folder and those below it, or all notes, in the order of their names.
    func entries(in subfolder: String? = nil) -> [Entry] {
        let keys: [URLResourceKey] = [.contentModificationDateKey, .isRegularFileKey]
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
        let root = folder.standardizedFileURL.path + "/"
        var entries: [Entry] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "md",
                let values = try? file.resourceValues(forKeys: Set(keys)),
                values.isRegularFile == true, let modified = values.contentModificationDate
            else { continue }
            let path = file.standardizedFileURL.path
            guard path.hasPrefix(root) else { continue }
            let name = String(path.dropFirst(root.count).dropLast(".md".count))
            if let subfolder, !name.hasPrefix(subfolder + "/") { continue }
            entries.append(Entry(name: name, modified: modified))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// Returns a note, or nil if its file is not in this folder.
    func note(named name: String) throws -> Note? {
        let file = try file(of: name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return Note(name: name, text: text, modified: attributes[.modificationDate] as? Date ?? .now)
    }

    func save(_ note: Note) throws {
        let file = try file(of: note.name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try note.text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.modificationDate: note.modified], ofItemAtPath: file.path)
    }

    func delete(_ name: String) throws {
        try FileManager.default.removeItem(at: file(of: name))
    }

    /// Deletes a folder of notes with all that is below it.
    func delete(folder name: String) throws {
        try FileManager.default.removeItem(at: file(of: name).deletingPathExtension())
    }

    /// Returns the file of a note.
    ///
    /// Names also come from other machines, so none may lead out of the folder.
    private func file(of name: String) throws -> URL {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !name.contains("\0") else {
            throw NotebookError.badName(name)
        }
        return folder.appendingPathComponent(name + ".md")
    }
}

enum NotebookError: LocalizedError {
    case badName(String)
    /// There is a note of this name already.
    case nameIsTaken(String)
    /// The file of the note is not in the folder.
    case isMissing(String)

    var errorDescription: String? {
        switch self {
        case .badName(let name): "“\(name)” can't be the name of a note."
        case .nameIsTaken(let name): "There is a note “\(name)” already. Choose another name."
        case .isMissing(let name): "The note “\(name)” is not in the folder on this machine."
        }
    }
}
