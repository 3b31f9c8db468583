import BatonCore
import BatonNode
import Foundation
import Glibc
import Support
import Testing

/// The text of removed items in the files of a node's home.
@Suite struct `Erasing by a node` {
    private static let index = ClientStateName(app: "org.example.notes", index: "main")

    @Test func `a node erases what was removed in time, also what was removed before a restart`() throws {
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
    private static func left(_ numbers: Range<Int>, in home: Home) -> [Int] {
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
