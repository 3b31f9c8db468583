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

    @Test func `a backup to a relative path fails, and so does waiting for a backup that was not started`()
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

    @Test func `a backup can be previewed, and restored repeatedly without leaking open files`() throws {
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

    /// Starts a node with a number of items that have the same words, and makes a backup of it.
    private func backedUp(_ count: Int) throws -> (node: RunningNode, path: String) {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("kept words"))
        let index = ClientStateName(app: "org.example.notes", index: "main")
        let items = (0..<count).map { IndexChange.item("\($0)", Item(attributes: attributes)) }
        _ = try node.ask(ChangeIndex(index, items)).get()
        let path = folder.path + "/backup"
        guard case .success(.backup) = try end(WriteBackup(path: path, replaces: false), of: node) else {
            throw DeadlinePassed(description: "no backup")
        }
        return (node, path)
    }

    private func restore(_ path: String, on node: RunningNode) throws {
        guard case .success(.restored) = try end(RestoreBackup(path: path, isConfirmed: true), of: node)
        else { throw DeadlinePassed(description: "the backup was not restored") }
    }

    @Test(arguments: Question.allCases)
    func `requests during a restoration are answered from the restored state`(
        _ question: Question
    ) throws {
        let (node, path) = try backedUp(2000)
        let persons = Persons(asking: question)
        for _ in 0..<4 { persons.begin(on: node.home) }
        for _ in 0..<8 { try restore(path, on: node) }
        let (found, failures) = try persons.end()
        #expect(failures.isEmpty && found > 0, "\(found) answers, \(failures)")
    }

    @Test func `a paged search continues after a restoration, and lists no result twice`()
        throws
    {
        let (node, path) = try backedUp(300)
        var app = try ActedApp(node)
        let query = QueryItems("*", most: 1000, at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        let words = SearchItems("kept words", most: 1000)
        for (number, begin) in [
            BeginSearch(1, words: words, pageMost: 40), BeginSearch(2, query: query, pageMost: 40),
            BeginSearch(3, query: query, order: .found, pageMost: 40),
        ].enumerated() {
            var page = try app.ask(begin).get()
            var names = page.results.compactMap(\.thing.item?.identifier)
            var pages = 1
            while !page.isLast {
                if pages % 3 == 0 {
                    try restore(path, on: node)
                    // Until all words are in the full text again, a search says that it is not whole.
                    try eventually("all words") { try node.ask(SearchItems("kept", most: 1)).get().isWhole }
                }
                page = try app.ask(NextPage(begin.search)).get()
                names += page.results.compactMap(\.thing.item?.identifier)
                pages += 1
            }
            #expect(names.count == 300 && Set(names).count == 300, "\(number): \(names.count)")
            let further = try app.ask(NextPage(begin.search))
            #expect(!further.isSuccess)
        }
    }
}

/// Something that is read in the store.
enum Question: CaseIterable {
    case words, query, pages, suggestions, explanation, activity, app, item, list, next, state, digest
}

/// Connections that ask one time after the other, each on a thread of its own.
private final class Persons: Sendable {
    private let question: Question
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var running = 0
        var found = 0
        var failures: [String] = []
    }

    init(asking question: Question) { self.question = question }

    /// Begins to ask over a connection of its own.
    func begin(on home: Home) {
        state.withLock { $0.running += 1 }
        detach { [self] in
            do {
                var peer = try LocalPeer(home)
                while !state.withLock({ $0.isOver }) { try ask(&peer) }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
            state.withLock { $0.running -= 1 }
        }
    }

    private func ask(_ peer: inout LocalPeer) throws {
        let app = "org.example.notes"
        switch question {
        case .words: note(try peer.ask(SearchItems("kept words", most: 50)).map(\.results.count))
        case .query:
            let present = PresentTime(WallTime(milliseconds: 0)) { _ in 0 }
            note(try peer.ask(QueryItems("*", most: 50, at: present)).map(\.results.count))
        case .pages:
            let words = SearchItems("kept words", most: 500)
            var page = try peer.ask(BeginSearch(1, words: words, pageMost: 50))
            note(page.map(\.results.count))
            while case .success(let told) = page, !told.isLast {
                page = try peer.ask(NextPage(1))
                note(page.map(\.results.count))
            }
        case .suggestions: note(try peer.ask(SuggestSearches("kep", most: 5)).map(\.suggestions.count))
        case .explanation:
            let explain = ExplainItem(app: app, "7", words: "kept words")
            note(try peer.ask(explain).map { $0.explanations.count { $0.outcome != .unknown } })
        case .activity:
            // It is looked for among those that go on, and then among those that have ended.
            note(try peer.ask(ExplainActivity("abcdefg")).map(\.explanations.count))
        case .app: note(try peer.ask(ExamineApp(app)).map(\.itemCount))
        case .item:
            let item = ItemName(app: app, index: "main", identifier: "7")
            note(try peer.ask(FindItem(item)).map(\.results.count))
        case .list: note(try peer.ask(ListActivities(.finished)).map { _ in 1 })
        case .next: note(try peer.ask(SuggestActivities(most: 5)).map { _ in 1 })
        case .state:
            note(try peer.ask(GetClientState(ClientStateName(app: app, index: "main"))).map { _ in 1 })
        case .digest: note(try peer.ask(GetDigest(at: WallTime(milliseconds: 0))).map { _ in 1 })
        }
    }

    /// Notes how much an answer has.
    private func note(_ answer: Result<Int, LocalFailure>) {
        state.withLock { state in
            switch answer {
            case .success(let count): state.found += count == 0 ? 0 : 1
            case .failure(let failure): state.failures.append(failure.text)
            }
        }
    }

    /// Waits until nobody asks any more; returns how many found something, and the failures of the others.
    func end() throws -> (found: Int, failures: [String]) {
        state.withLock { $0.isOver = true }
        try eventually("the last answer") { state.withLock { $0.running == 0 } }
        return state.withLock { ($0.found, $0.failures) }
    }
}
