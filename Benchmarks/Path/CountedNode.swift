import Foundation
import Support

/// A node whose instructions callgrind counts, once it is told to.
final class CountedNode {
    let home: NodeHome
    private let folder: String

    /// The functions before which a thread of a node sends or goes to sleep.
    private static let endings = ["send", "sendmsg", "epoll_wait"]

    /// Whether the machine has callgrind.
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind") }

    /// Starts the node of a home.
    init(_ home: NodeHome, in folder: String) throws {
        (self.home, self.folder) = (home, folder)
        try makeFolder(folder)
        let words = [
            "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder)/counts",
            "--instr-atstart=no",
            "--separate-threads=yes", "--dump-instr=yes", "--dump-line=no", "--compress-pos=no",
        ]
        try home.start(under: words + Self.endings.map { "--dump-before=\($0)" })
    }

    /// Begins to count.
    func count() throws { try control("--instr=on") }

    /// Ends what was executed so far as a part of its own.
    func mark() throws { try control("--dump=mark") }

    /// All that was executed since it began to count, in order.
    func parts() throws -> [ExecutedPart] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .map {
                try ExecutedPart(
                    callgrindFile: Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))))
            }
            .sorted { ($0.dump, $0.thread) < ($1.dump, $1.thread) }
    }

    private func control(_ word: String) throws {
        let process = try ChildProcess(
            ["callgrind_control", word, "\(try home.process)"], environment: ["PATH": "/usr/bin:/bin"],
            files: folder + "-control")
        guard try process.wait() == 0 else {
            throw BenchmarkFailure("callgrind_control: \(process.output)\(process.errors)")
        }
    }
}
