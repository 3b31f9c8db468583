import Foundation
import Support
import Testing

/// Measures how much a node keeps in memory once much was written, and tests how it judges a large clear.
@Suite struct `A node that indexed many items` {
    private let machine: Machine
    private static let items = 20_000

    init() throws { machine = try Account("laptop")[0] }

    /// A part of the memory of the node's process, in kilobytes.
    private func memory(_ name: String) throws -> Int {
        let number = try #require(machine.nodeNumber)
        let status = try #require(File.read("/proc/\(number)/status"))
        let row = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(Int(row.filter(\.isNumber)))
    }

    /// Indexes items in pieces, and waits until they are merged.
    private func index() throws {
        let lines = stride(from: 0, to: Self.items, by: 1000).map { first in
            let items = (first..<first + 1000).map {
                "{\"item\":\"\($0)\",\"title\":\"number \($0)\",\"text\":\"word\($0 % 977) other\($0 % 499) words\"}"
            }
            return "{\"id\":1,\"index\":[\(items.joined(separator: ","))]}\n"
        }
        try File.write(lines.joined(), to: machine.home + "-lines")
        let answer = try machine.type(["bash", "-c", "baton app org.example.notes <'\(machine.home)-lines'"])
        #expect(answer.status == 0 && !answer.output.contains("error"), "\(answer)")
        try machine.must("status", "--digest")
    }

    @Test func `releases its caches when it is idle`() throws {
        try index()
        try eventually("less memory", within: .seconds(20)) { try memory("RssAnon") < 13 << 10 }
        #expect(try machine.must("search", "word7").contains("number"))
        try eventually("less memory after a search", within: .seconds(20)) {
            try memory("RssAnon") < 16 << 10
        }
    }

    @Test
    func `answers status --digest immediately after a large clear, with the number of items left to remove`()
        throws
    {
        try index()
        let answer = try machine.type([
            "bash", "-c", "echo '{\"index\":{\"clear\":true}}' | baton app org.example.notes",
        ])
        #expect(answer.output.contains("\"done\":true"), "\(answer)")
        let soon = try machine.json("status", "--digest")
        #expect(try #require(soon["toClear"].integer) > 1000, "\(soon)")
        try eventually("all items removed") {
            try machine.json("status", "--digest")["toClear"].integer == 0
        }
        #expect(try machine.json("status", "--digest")["digest"].string == soon["digest"].string)
    }
}

@Suite struct `An app that clears more and more domains` {
    @Test func `is refused beyond the limit while a device is away, but may repeat earlier clears`() throws {
        let account = try Account("laptop", "desktop")
        let laptop = account[0]
        account[1].killNode()
        let clears = { (numbers: Range<Int>) in
            let changes = numbers.map { "{\"clear\":\"d\($0)\"}" }.joined(separator: ",")
            return "{\"id\":\(numbers.lowerBound),\"index\":[\(changes)]}\n"
        }
        let lines = stride(from: 0, to: 20_000, by: 500).map { clears($0..<$0 + 500) }
        try File.write(
            lines.joined() + clears(20_000..<20_001) + clears(5..<10), to: laptop.home + "-lines")
        let answer = try laptop.type(["bash", "-c", "baton app org.example.notes <'\(laptop.home)-lines'"])
        let answers = answer.output.split(separator: "\n")
        #expect(answers.count { $0.contains("\"done\":true") } == 41, "\(answer)")
        let refused = answers.filter { $0.contains("error") }
        #expect(refused.count == 1 && refused.first?.contains("20001 domains") ?? false, "\(refused)")
    }
}
