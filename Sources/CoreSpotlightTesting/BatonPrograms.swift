import Foundation

/// The folder with the programs `baton` and `baton-node`, which tests run.
struct BatonPrograms: Sendable {
    let folder: URL
    var baton: URL { folder.appendingPathComponent("baton") }

    /// Finds both programs in the given folder; if none is given, in the usual folders.
    init(in named: URL?) throws {
        let variables = ProcessInfo.processInfo.environment
        let usual =
            [variables["BATON_PROGRAMS"], Self.ownFolder].compactMap(\.self)
            + (variables["PATH"] ?? "").split(separator: ":").map(String.init)
        let folders = named.map { [$0.path] } ?? usual
        let found = folders.first { folder in
            ["baton", "baton-node"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: folder + "/" + $0)
            }
        }
        guard let found else {
            throw TestingFailure(
                "The programs baton and baton-node are not in \(folders.joined(separator: ", ")). "
                    + "Install Baton, or set BATON_PROGRAMS to their folder.")
        }
        folder = URL(fileURLWithPath: found, isDirectory: true)
    }

    /// The folder of the program that this process runs.
    private static var ownFolder: String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    }

    /// Runs a command of `baton` and returns its output; if the command fails, throws an error with its messages.
    ///
    /// Error messages go to a file and not to a second pipe. With two pipes, one could become full and block the
    /// command while the other is read.
    func run(_ words: [String], _ environment: [String: String], in folder: URL) throws -> String {
        let errors = folder.appendingPathComponent("errors-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: errors) }
        let process = Process()
        let output = Pipe()
        (process.executableURL, process.arguments, process.environment) = (baton, words, environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle.appending(to: errors)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let complaint = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw TestingFailure(
                "baton \(words.joined(separator: " ")) ended with \(process.terminationStatus):\n\(text)\(complaint)"
            )
        }
        return text
    }
}

extension FileHandle {
    /// Opens a file at its end, and creates it if it does not exist.
    static func appending(to file: URL) throws -> FileHandle {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TestingFailure("\(file.path) can't be written: \(String(cString: strerror(errno)))")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
