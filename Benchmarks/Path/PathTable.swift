import Foundation

/// The functions that executed most, with those that call them and that they call.
struct PathTable {
    private let title: String
    private let part: ExecutedPart
    /// How many changes the part is the sum of.
    private let count: Double
    private let total: Double
    /// The calls from one function to another, those first in which most was executed.
    private let calls: [(key: ExecutedPart.Call, value: ExecutedPart.Calls)]

    private static let rows = 120
    private static let neighbours = 4

    init(_ title: String, _ part: ExecutedPart, count: Int) {
        (self.title, self.part, self.count) = (title, part, Double(max(1, count)))
        total = Double(max(1, part.instructionCount))
        calls = part.calls.filter { $0.key.caller != $0.key.called }
            .sorted { ($1.value.instructions, $0.key.caller) < ($0.value.instructions, $1.key.caller) }
    }

    var text: String {
        var called: [String: ExecutedPart.Calls] = [:]
        for (call, calls) in calls { called.merge([call.called: calls], uniquingKeysWith: +) }
        let whole = called.mapValues(\.instructions)
        return section("by what they execute themselves", part.instructions, called)
            + section("with all that they call", whole, called)
    }

    private func section(
        _ what: String, _ instructions: [String: Int], _ called: [String: ExecutedPart.Calls]
    ) -> String {
        let functions = instructions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.rows)
        let rows = functions.flatMap { name, executed in
            [row(executed, called[name]?.count ?? 0, name)] + neighbours(of: name)
        }
        let header = "\(title), functions \(what): share, instructions and calls for each change"
        return ([header] + rows + ["", ""]).joined(separator: "\n")
    }

    /// Returns rows for the functions that call this one, and for those that it calls.
    private func neighbours(of name: String) -> [String] {
        let callers = calls.filter { $0.key.called == name }.prefix(Self.neighbours)
        let called = calls.filter { $0.key.caller == name }.prefix(2 * Self.neighbours)
        return callers.map { row($1.instructions, $1.count, "    from \($0.caller)") }
            + called.map { row($1.instructions, $1.count, "      to \($0.called)") }
    }

    private func row(_ executed: Int, _ calls: Int, _ name: String) -> String {
        String(
            format: "%5.1f %%  %8.0f  %8.1f  ", 100 * Double(executed) / total, Double(executed) / count,
            Double(calls) / count) + name
    }
}
