import BatonClient
import BatonCore
import Support
import Testing

/// The items of the tests' indexing app, as a machine has them: each has its number as an attribute.
struct IndexedNumbers {
    static let app = "org.example.indexing"
    let machine: Machine

    /// The machine, whose programs are of the app and have the same spool.
    var app: Machine {
        machine.variables["BATON_APP"] = Self.app
        machine.variables["XDG_STATE_HOME"] = machine.home + ".state"
        return machine
    }

    /// The program with its arguments, as the machine runs it.
    func begin(_ words: String..., hasInput: Bool = false) throws -> ChildProcess {
        try app.begin([Products.folder + "/IndexingApp"] + words, hasInput: hasInput)
    }

    /// Runs the program to its end, and returns its lines.
    func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        let answer = try app.type([Products.folder + "/IndexingApp"] + words)
        try #require(answer.status == 0, "\(answer)", sourceLocation: sourceLocation)
        return answer.output.split(separator: "\n").map(String.init)
    }

    /// The numbers of the items from one number to another, each once, in order.
    func found(_ numbers: Range<Int>) throws -> [Int] {
        var connection = try NodeConnection(try Home(option: machine.home) { _ in nil })
        var found: [Int] = []
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 100) {
            let end = min(first + 100, numbers.upperBound)
            let query = QueryItems(
                "pageCount >= \(first) && pageCount < \(end)", filter: SearchFilter(app: Self.app),
                most: 100, at: .here)
            found += try connection.ask(query).results.compactMap {
                $0.thing.item.flatMap { Int($0.identifier) }
            }
        }
        return found.sorted()
    }

    /// The client state of an index.
    func state(of index: String) throws -> String? {
        var connection = try NodeConnection(try Home(option: machine.home) { _ in nil })
        let name = ClientStateName(app: Self.app, index: index)
        return try connection.ask(GetClientState(name)).state.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ChildProcess {
    /// The whole lines that it has printed.
    var lines: [Substring] {
        let text = output
        let lines = text.split(separator: "\n")
        return text.hasSuffix("\n") ? lines : lines.dropLast()
    }
}
