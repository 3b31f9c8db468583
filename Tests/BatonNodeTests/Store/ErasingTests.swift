import BatonCore
import BatonNode
import Foundation
import Glibc
import Support
import Testing

/// The text of removed items in the files of a node's home.
@Suite struct `Erasing by a node` {
    private static let index = ClientStateName(app: "org.example.notes", index: "main")

    @Test func `removed words are erased after a time, also those removed before a restart`() throws {
        let folder = try TemporaryFolder()
        _ = try RunningNode.home(folder).makeAccount(name: "first")
        do {
            let node = try RunningNode(folder)
            try Self.write(0..<200, to: node)
            try Self.remove(0..<50, from: node)
            #expect(!Self.left(0..<50, in: node.home).isEmpty)
        }
        #expect(!Self.left(0..<50, in: try RunningNode.home(folder)).isEmpty, "the node erased nothing yet")
        let node = try RunningNode(folder) { limits in
            (limits.erasingTime, limits.erasingPause) = (.milliseconds(200), .milliseconds(20))
        }
        try eventually("the end of what was removed before") { Self.left(0..<50, in: node.home).isEmpty }
        try Self.remove(50..<100, from: node)
        try eventually("the end of what was removed now") { Self.left(0..<100, in: node.home).isEmpty }
        #expect(Self.left(100..<200, in: node.home).count == 100)
        #expect(try node.ask(SearchItems(Self.word(150), most: 5)).get().items.count == 1)
    }

    @Test func `a failed step of erasing is retried soon, long before the next round`() throws {
        let folder = try TemporaryFolder()
        _ = try RunningNode.home(folder).makeAccount(name: "first")
        let program: OtherProgram
        do {
            let node = try RunningNode(folder)
            try Self.write(0..<60, to: node)
            try Self.remove(0..<50, from: node)
            program = try OtherProgram(node)
        }
        try program.run(
            """
            CREATE TRIGGER refusal BEFORE DELETE ON search_data
            BEGIN SELECT RAISE(ABORT, 'on purpose'); END;
            """)
        let node = try RunningNode(folder) { limits in
            (limits.erasingPause, limits.retryPause) = (
                .milliseconds(20), Duration.milliseconds(50)...Duration.seconds(1)
            )
        }
        try eventually("a failed step: \(node.lines)") {
            node.lines.contains { $0.contains("could not erase what was removed") }
        }
        #expect(!Self.left(0..<50, in: node.home).isEmpty)
        try program.run("DROP TRIGGER refusal")
        try eventually("the end of what was removed: \(node.lines)") {
            Self.left(0..<50, in: node.home).isEmpty
        }
    }

    @Test
    func `no file names a deleted item, even if a device that had opened it was away during the deletion`()
        throws
    {
        var nodes = try ConnectedNodes(["laptop", "desktop"]) { limits in
            (limits.erasingTime, limits.erasingPause) = (.milliseconds(400), .milliseconds(20))
        }
        let names = (0..<3).map { ItemName(app: Self.index.app, index: "main", identifier: Self.word($0)) }
        let items = names.indices.map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("Note \(Self.word(number + 3))"))
            return IndexChange.item(
                names[number].identifier, Item(domain: Self.word(number + 6), attributes: attributes))
        }
        _ = try nodes[0].ask(ChangeIndex(Self.index, items)).get()
        // This count is deleted with the item.
        #expect(try nodes[0].ask(CountOpening(names[0])).get().passedOver == 0)
        try eventually("the items on the other device") {
            try nodes[1].ask(SearchItems("note", most: 5)).get().items.count == 3
        }
        let count = "SELECT count(*) FROM records WHERE kind = 13 AND name NOT NULL"
        let counts = { (place: Int) in
            try SQLiteScript.number(count, on: nodes[place].home.account() + "/index.sqlite")
        }
        try eventually("the count on the other device") { try counts(1) == 1 }
        try nodes.stop(0)
        for name in names { #expect(try nodes[1].ask(CountOpening(name)).get().passedOver == 0) }
        nodes.end(1)
        try nodes.start(0)
        let removals = names.prefix(2).map { IndexChange.deletion($0.identifier) }
        _ = try nodes[0].ask(ChangeIndex(Self.index, removals)).get()
        try nodes.start(1)
        try nodes.waitUntilConnected()
        for (place, name) in ["laptop", "desktop"].enumerated() {
            try eventually("the end of the items on \(name)") {
                Self.left([0, 1, 3, 4, 6, 7], in: nodes[place].home).isEmpty
            }
            try eventually("the end of their counts on \(name)") { try counts(place) == 1 }
        }
        #expect(Self.left([2, 5, 8], in: nodes[1].home).count == 3)
        let rank = try nodes[0].ask(SearchItems("note", most: 5)).get().results.first?.rank
        #expect(rank?.use ?? 0 > 1, "the count of what is still there was deleted")
    }

    @Test func `earlier searches are suggested until they are forgotten`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        try Self.write(0..<3, to: node)
        let suggest = { (text: String) in try node.ask(SuggestSearches(text, most: 10)).get().suggestions }
        #expect(try suggest("not").map(\.text).contains("note"))
        #expect(try suggest("note").allSatisfy { $0.kind == .title })
        #expect(try node.ask(RememberSearch("note \(Self.word(1))")) == .success(Done()))
        let found = try #require(try suggest("not").first)
        #expect(found.kind == .search && found.typed == [0..<3])
        #expect(try node.ask(ForgetSearches("another")) == .success(Done()))
        #expect(try suggest("not").contains { $0.kind == .search })
        #expect(try node.ask(ForgetSearches()) == .success(Done()))
        #expect(try !suggest("not").contains { $0.kind == .search })
    }

    private static func write(_ numbers: Range<Int>, to node: borrowing RunningNode) throws {
        let changes = numbers.map { number in
            var attributes = AttributeSet()
            attributes[.title] = .plain(.string("Note \(word(number))"))
            attributes[.textContent] = .plain(.string(String(repeating: "text \(word(number)) ", count: 40)))
            return IndexChange.item("\(number)", Item(attributes: attributes))
        }
        _ = try node.ask(ChangeIndex(index, changes)).get()
    }

    private static func remove(_ numbers: Range<Int>, from node: borrowing RunningNode) throws {
        for number in numbers { _ = try node.ask(ChangeIndex(index, [.deletion("\(number)")])).get() }
    }

    /// Returns a word that is like no other one from its first letters on.
    private static func word(_ number: Int) -> String {
        String(SHA256.digest(Array("\(number)".utf8)).hex.prefix(24))
    }

    /// Returns the numbers whose words are in some file of a home.
    private static func left(_ numbers: some Sequence<Int>, in home: Home) -> [Int] {
        let path = home.account()
        let files = (FileManager.default.subpaths(atPath: path) ?? []).compactMap {
            FileManager.default.contents(atPath: path + "/" + $0)
        }
        return numbers.filter { number in
            // The full-text table stores the letters that a word has in common with the word before only once.
            let end = Data(word(number).utf8.suffix(18))
            return files.contains { $0.range(of: end) != nil }
        }
    }
}
