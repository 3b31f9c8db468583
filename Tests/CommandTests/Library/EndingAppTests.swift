import Foundation
import Support
import Testing

/// Programs that index and end at once lose nothing.
///
/// `BATON_ENDINGS` sets how many programs are run in each way.
@Suite struct `An app that ends right after it has indexed` {
    private static let count = ProcessInfo.processInfo.environment["BATON_ENDINGS"].flatMap { Int($0) } ?? 8

    /// How the app ends.
    enum Ending: String, CaseIterable {
        /// Its main returns.
        case `return`
        case exit
        /// It ends by `exit` behind a forked child that does so, too.
        case fork
        /// Its main is asynchronous, and returns.
        case asynchronous
    }

    /// Runs the app once; it must end well, and say nothing.
    private func run(_ ending: Ending, _ number: Int, of numbers: IndexedNumbers) throws {
        let words =
            ending == .asynchronous
            ? ["/IndexingApp", "once", "\(number)"] : ["/EndingApp", "\(number)", ending.rawValue]
        let app = numbers.app
        let answer = try app.type([Products.folder + words[0]] + words.dropFirst())
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
    }

    @Test(arguments: Ending.allCases)
    func `does not lose its change, whether a node runs or starts later`(
        ending: Ending
    ) throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        for number in 0..<Self.count { try run(ending, number, of: numbers) }
        // A node that was busy for longer than a program waits gets the change from the next program of the app.
        #expect(try numbers.run("query", "pageCount >= 0") == ["\(Self.count) false"])
        #expect(try numbers.found(0..<Self.count) == Array(0..<Self.count))

        account[0].killNode()
        for number in Self.count..<2 * Self.count { try run(ending, number, of: numbers) }
        try account[0].startNode()
        #expect(try numbers.run("query", "pageCount >= 0") == ["\(2 * Self.count) false"])
        #expect(try numbers.found(0..<2 * Self.count) == Array(0..<2 * Self.count))
    }

    @Test func `waits only seconds for a node that does not answer, and its change is sent later`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        account[0].signalNode(SIGSTOP)
        let began = ContinuousClock.now
        try run(.return, 0, of: numbers)
        #expect(ContinuousClock.now - began < .seconds(20))
        account[0].killNode()
        try account[0].startNode()
        #expect(try numbers.run("query", "pageCount >= 0") == ["1 false"])
    }

    @Test func `reports with BATON_DEBUG that changes are spooled because no node was found`() throws {
        let account = try Account("laptop")
        let numbers = IndexedNumbers(machine: account[0])
        account[0].killNode()
        account[0].variables["BATON_DEBUG"] = "1"
        let answer = try numbers.app.type([Products.folder + "/EndingApp", "0", "return"])
        #expect(answer.errors.contains("Changes to indexes are kept on the disk"), "\(answer)")
        #expect(answer.errors.contains("No node is running here."), "\(answer)")
    }
}
