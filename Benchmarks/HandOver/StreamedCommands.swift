import BatonCore
import Foundation
import Support

/// `baton start --stream` and `baton continue --stream`, as they are shipped, with two nodes between them.
enum StreamedCommands {
    /// How many mebibytes a second come from the one command, which reads a file, to the other, from its start on.
    static func rate(
        _ input: String, _ megabytes: Int, through nodes: NodePair, in folder: TemporaryFolder
    ) throws -> Double {
        let type = "org.example.stream-\(UUID().uuidString.prefix(8))"
        let said = try command("start \(type) --stream <'\(input)'", nodes.first, folder)
        try eventually("an activity with streams") {
            try nodes.second.ask(ListActivities(.goingOn)).activities.contains { $0.activity.type == type }
        }
        let clock = ContinuousClock()
        let began = clock.now
        let heard = try command("continue \(type) --stream </dev/null >/dev/null", nodes.second, folder)
        for process in [heard, said] {
            guard try process.wait() == 0 else { throw BenchmarkFailure(process.errors) }
        }
        return Double(megabytes) / ((clock.now - began) / .seconds(1))
    }

    private static func command(
        _ line: String, _ home: NodeHome, _ folder: TemporaryFolder
    ) throws -> ChildProcess {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let baton = (own as NSString).deletingLastPathComponent + "/baton"
        return try ChildProcess(
            ["/bin/sh", "-c", "exec '\(baton)' \(line)"],
            environment: [
                "HOME": home.path, "BATON_HOME": home.path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
            ],
            files: folder.path + "/\(UUID().uuidString)")
    }
}
