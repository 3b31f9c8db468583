import BatonCore
import Foundation
import Support
import Synchronization
import Testing

/// Backups that a node makes on request over the local socket.
@Suite struct `Backups of a running node` {
    /// Makes a call about a backup, and waits for its end.
    private func end<Call: LocalCall>(
        _ call: Call, of node: RunningNode
    ) throws -> Result<BackupReply, LocalFailure> where Call.Reply == BackupReply {
        var peer = try node.connect()
        var answer = try peer.ask(call)
        while case .success(.working) = answer { answer = try peer.ask(AwaitBackup()) }
        return answer
    }

    /// Returns how often this process has each database in a folder open.
    ///
    /// Journals are left out, as they are open only after writes.
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

    @Test func `a backup to a relative path fails, and so does waiting for a backup that was never started`()
        throws
    {
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
                Issue.record("\(answer) did not fail")
                continue
            }
        }
    }

    @Test func `a backup can be previewed, and restored many times without leaking open files`() throws {
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
                case .success(.restored(seen, let quarantined)) = try end(
                    RestoreBackup(path: path, isConfirmed: true), of: node)
            else { throw DeadlinePassed(description: "the backup was not restored") }
            #expect(quarantined.count == 2)
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

    @Test func `searches that are under way while a backup is restored are made on the restored state`()
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("kept words"))
        let index = ClientStateName(app: "org.example.notes", index: "main")
        let items = (0..<2000).map { IndexChange.item("\($0)", Item(attributes: attributes)) }
        _ = try node.ask(ChangeIndex(index, items)).get()
        let path = folder.path + "/backup"
        guard case .success(.backup) = try end(WriteBackup(path: path, replaces: false), of: node) else {
            throw DeadlinePassed(description: "no backup")
        }
        let searches = Searches()
        for _ in 0..<4 { searches.begin(on: node.home) }
        for _ in 0..<8 {
            guard case .success(.restored) = try end(RestoreBackup(path: path, isConfirmed: true), of: node)
            else { throw DeadlinePassed(description: "the backup was not restored") }
        }
        let (found, failures) = try searches.end()
        #expect(failures.isEmpty && found > 0, "\(found) answers, \(failures)")
    }
}

/// Connections that search one time after the other, each on a thread of its own.
private final class Searches: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var running = 0
        var found = 0
        var failures: [String] = []
    }

    /// Begins to search over a connection of its own.
    func begin(on home: Home) {
        state.withLock { $0.running += 1 }
        detach { [self] in
            do {
                var peer = try LocalPeer(home)
                while !state.withLock({ $0.isOver }) {
                    let answer = try peer.ask(SearchItems("kept words", most: 50))
                    state.withLock { state in
                        switch answer {
                        case .success(let reply): state.found += reply.results.isEmpty ? 0 : 1
                        case .failure(let failure): state.failures.append(failure.text)
                        }
                    }
                }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
            state.withLock { $0.running -= 1 }
        }
    }

    /// Ends all searches; returns how many found something, and the failures of the others.
    func end() throws -> (found: Int, failures: [String]) {
        state.withLock { $0.isOver = true }
        try eventually("the end of all searches") { state.withLock { $0.running == 0 } }
        return state.withLock { ($0.found, $0.failures) }
    }
}
