import BatonCore
import Foundation
import Support
import Testing

/// Backups as a node makes them for whoever asks over the local socket.
@Suite struct `A node that makes a backup` {
    /// Asks until it is over.
    private func end<Call: LocalCall>(
        _ call: Call, of node: RunningNode
    ) throws -> Result<BackupReply, LocalFailure> where Call.Reply == BackupReply {
        var peer = try node.connect()
        var answer = try peer.ask(call)
        while case .success(.working) = answer { answer = try peer.ask(AwaitBackup()) }
        return answer
    }

    /// How often each file in a folder is open in this process; of the databases' journals it depends on what was
    /// written.
    private func openFiles(in folder: TemporaryFolder) throws -> [String: Int] {
        var files: [String: Int] = [:]
        for number in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard
                let path = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(number)"),
                path.hasPrefix(folder.path), path.contains(".sqlite"), !path.contains(".sqlite-")
            else { continue }
            files[path, default: 0] += 1
        }
        return files
    }

    @Test func `says so where none is under way, and takes no path that is not whole`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let answers = [
            try end(AwaitBackup(), of: node),
            try end(WriteBackup(path: "relative", replaces: true), of: node),
            try end(WriteBackup(path: "", replaces: true), of: node),
            try end(RestoreBackup(path: "", isConfirmed: true), of: node),
        ]
        for answer in answers {
            guard case .failure = answer else {
                Issue.record("\(answer) was done")
                continue
            }
        }
    }

    @Test func `looks at it first, and puts it back as often as one likes`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let path = folder.path + "/backup"
        let files = try openFiles(in: folder)
        guard case .success(.backup(let made)) = try end(WriteBackup(path: path, replaces: false), of: node),
            case .success(.backup(let seen)) = try end(
                RestoreBackup(path: path, isConfirmed: false), of: node)
        else { throw DeadlinePassed(description: "no backup") }
        #expect(made == seen && made.device.isHere)
        for _ in 0..<10 {
            guard
                case .success(.restored(seen, let aside)) = try end(
                    RestoreBackup(path: path, isConfirmed: true), of: node)
            else { throw DeadlinePassed(description: "it was not put back") }
            #expect(aside.count == 2)
            guard case .success = try node.ask(GetStatus()) else {
                throw DeadlinePassed(description: "no status")
            }
        }
        let now = try openFiles(in: folder)
        #expect(now == files, "each state is closed before the next one is opened: \(now), \(files)")
        node.stop()
        #expect(node.failure == nil)
        #expect(!node.lines.contains { $0.contains("could not") || $0.contains("trouble") }, "\(node.lines)")
    }
}
