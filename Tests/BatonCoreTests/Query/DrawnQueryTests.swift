import BatonCore
import Foundation
import Support
import Testing

/// Holds the evaluator against one in Python, which was written from the page of the language.
@Suite struct `Drawn queries` {
    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("naive-queries").path

    /// The number of seeds; `BATON_QUERY_SEEDS` names another one, for a longer run.
    private static let seeds =
        ProcessInfo.processInfo.environment["BATON_QUERY_SEEDS"].flatMap { UInt64($0) } ?? 20

    @Test(.timeLimit(.minutes(10))) func `match the same values as a naive evaluator`() throws {
        let cases = Seeds.first(Self.seeds).map { DrawnQueries(seed: $0, items: 6, queries: 40) }
        let folder = try TemporaryFolder()
        let lines = try cases.map {
            try String(decoding: JSONSerialization.data(withJSONObject: $0.json), as: UTF8.self)
        }
        try File.write(lines.joined(separator: "\n") + "\n", to: folder.path + "/cases")
        let process = try ChildProcess(
            ["python3", Self.program, folder.path + "/cases"],
            environment: ProcessInfo.processInfo.environment,
            files: folder.path + "/python")
        try #require(try process.wait(within: .seconds(550)) == 0, "\(process.errors)")
        let answers = process.output.split(separator: "\n")
        try #require(answers.count == cases.count)
        var (matches, total) = (0, 0)
        for (drawn, line) in zip(cases, answers) {
            let expected = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
            for (query, expected) in zip(drawn.queries, expected) {
                let expected = try #require(expected as? [Bool], "Python can't read \(query)")
                let parsed = try SearchQuery(query, at: drawn.present)
                for (item, expected) in zip(drawn.items, expected) {
                    let found = parsed.matches(item)
                    (matches, total) = (matches + (found ? 1 : 0), total + 1)
                    #expect(found == expected, "\(query) for \(item), at \(drawn.present.now)")
                }
            }
        }
        // Otherwise the queries would hardly test anything.
        #expect(total / 5...total / 5 * 4 ~= matches, "\(matches) of \(total)")
    }
}

extension DrawnQueries {
    /// The form that the program in Python reads.
    fileprivate var json: [String: Any] {
        [
            "now": present.now.milliseconds, "firstWeekday": present.firstWeekday,
            "zone": ["before": offsets.before, "after": offsets.after, "change": change.milliseconds],
            "items": items.map(\.json), "queries": queries,
        ]
    }
}

extension Item {
    fileprivate var json: [String: Any] {
        var (known, custom) = ([String: Any](), [String: Any]())
        for entry in attributes.entries {
            guard case .plain(let value) = entry.value, let json = value.json else { continue }
            switch entry.name {
            case .number(let number): known[Attribute(number: number)?.name ?? ""] = json
            case .custom(let name): custom[String(decoding: name, as: UTF8.self)] = json
            case .part: break
            }
        }
        return ["domain": domain.map { $0 as Any } ?? NSNull(), "attributes": known, "custom": custom]
    }
}

extension PropertyValue {
    /// The name of the value's form, and its content; nil for null.
    fileprivate var json: [Any]? {
        switch self {
        case .string(let text): ["string", text]
        case .url(let text): ["url", text]
        case .integer(let number): ["integer", "\(number)"]
        case .real(let number): ["real", "\(number)"]
        case .boolean(let isTrue): ["boolean", isTrue]
        case .date(let seconds): ["date", "\(seconds)"]
        case .array(let values): ["array", values.compactMap(\.json)]
        case .dictionary(let pairs) where isPerson:
            [
                "person",
                [pairs[PersonField.displayName]?.string].compactMap(\.self)
                    + (pairs[PersonField.handles]?.elements ?? []),
            ]
        case .dictionary(let pairs): ["texts", pairs.values.compactMap(\.string)]
        case .null: nil
        case .set(let values): ["set", values.compactMap(\.json)]
        case .data, .uuid: ["data"]
        }
    }

    private var elements: [String] {
        if case .array(let values) = self { values.compactMap(\.string) } else { [] }
    }
}
