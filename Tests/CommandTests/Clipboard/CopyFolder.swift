import Foundation
import Support
import Testing

/// A folder with the files of a test that copies and pastes.
struct CopyFolder {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }

    /// Writes a file, and returns its path.
    @discardableResult func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(folder.path)/\(name)").map { Array($0) }
    }

    /// The sorted names of what is in a folder of it.
    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)").sorted()
    }
}

extension Machine {
    /// Copies bytes from a file, and returns what the command has said.
    @discardableResult func copy(
        _ bytes: [UInt8], _ options: String..., in folder: CopyFolder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let path = try folder.write(bytes, to: "copied")
        return try run(
            "baton copy \(options.joined(separator: " ")) <\(path)", sourceLocation: sourceLocation)
    }

    /// Runs a line of the shell in a folder; it must succeed.
    @discardableResult func run(
        _ line: String, in folder: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try answer(line, in: folder)
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output
    }

    /// Runs a line of the shell in a folder.
    func answer(_ line: String, in folder: String? = nil) throws -> Answer {
        try type(["bash", "-c", (folder.map { "cd '\($0)' && " } ?? "") + line])
    }

    /// Pastes into a file, and returns its bytes.
    func paste(
        _ options: String..., in folder: CopyFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [UInt8] {
        try run(
            "baton paste \(options.joined(separator: " ")) >\(folder.path)/pasted",
            sourceLocation: sourceLocation)
        return folder.read("pasted") ?? []
    }

    /// The copies on all machines, as this one lists them.
    func copies() throws -> [JSONValue] {
        try list().filter { $0["type"].string == "org.baton.clipboard" }
    }

    /// Waits until exactly these things are copied.
    @discardableResult func waitForCopies(
        _ labels: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [JSONValue] {
        try eventual(
            "copies of \(labels) on \(name): \((try? copies()) ?? [])",
            attempt: {
                let copies = try copies()
                return copies.map { $0["title"].string } == labels.map { "Copied: \($0)" } ? copies : nil
            })
    }
}

extension JSONValue {
    /// The process that holds what an activity stands for.
    var holder: pid_t? {
        instance.flatMap { $0.split(separator: "-").dropFirst().first }.flatMap { pid_t($0) }
    }

    private var instance: String? { self["instance"].string }
}

/// Whether a process has not ended.
func isAlive(_ process: pid_t) -> Bool {
    guard let text = File.read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
        return false
    }
    return !text[end...].hasPrefix(") Z") && !text[end...].hasPrefix(") X")
}
