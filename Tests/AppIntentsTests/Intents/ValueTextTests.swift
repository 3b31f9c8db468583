import AppIntents
import BatonClient
import BatonCore
import Foundation
import Testing

@Suite struct `A value in a command` {
    @Test(arguments: [
        ("3.5km", "3.5 km"), ("3.5 km", "3.5 km"), ("-2°C", "-2 °C"), ("1e3m", "1e3 m"), ("7", "7"),
        ("many", "many"),
    ])
    func `is a measurement with or without a space`(_ text: String, _ read: String) throws {
        #expect(try ValueText(form: .measurement).content(of: text) == .text(read))
    }

    @Test(arguments: [
        ("12.50 EUR", "12.50 EUR"), ("12.50EUR", "12.50 EUR"), ("EUR 12.50", "12.50 EUR"),
        ("12.50", "12.50 CHF"),
    ])
    func `is an amount in several spellings`(_ text: String, _ read: String) throws {
        #expect(try ValueText(form: .money, currencies: ["CHF"]).content(of: text) == .text(read))
    }

    @Test(arguments: ["EUR 12,50", "EUR 1,234", "EUR5x", "12,50", "1e3 EUR", "12 €€€", "EUR", "0x10 EUR"])
    func `is refused as an amount that would be read as another one`(_ text: String) async throws {
        let content = try ValueText(form: .money).content(of: text)
        await #expect(throws: IntentValueError.self) {
            _ = try await IntentCurrencyAmount._value(of: content)
        }
    }

    @Test func `is a day in words`() throws {
        var reader = ValueText(form: .date)
        let calendar = Calendar.current
        reader.now = try #require(calendar.date(from: DateComponents(year: 2026, month: 3, day: 1, hour: 9)))
        let tomorrow = calendar.date(from: DateComponents(year: 2026, month: 3, day: 2, hour: 14, minute: 30))
        #expect(try reader.content(of: "tomorrow 14:30") == tomorrow.map { .date($0) })
        #expect(try reader.content(of: "now") == .date(reader.now))
        #expect(try reader.content(of: "2026-03-05") == .text("2026-03-05"))
        #expect(try reader.content(of: "tomorrow noon") == .text("tomorrow noon"))
    }

    @Test func `is a file by its path, or the standard input`() throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("value-\(UUID().uuidString).txt")
        try Data("a".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = ValueText(form: .file)
        guard case .file(let name, let type, let url, nil) = try reader.content(of: file.path) else {
            Issue.record("not a file")
            return
        }
        #expect(name == file.lastPathComponent)
        #expect(type == "public.plain-text")
        #expect(url?.path == file.path)
        reader.readInput = { Data("in".utf8) }
        #expect(
            try reader.content(of: "-") == .file(name: "input", type: nil, url: nil, data: Data("in".utf8)))
        reader.contentTypes = [.image, .pdf]
        #expect(
            try reader.content(of: "-")
                == .file(name: "input", type: "public.image", url: nil, data: Data("in".utf8)))
    }

    @Test func `is refused as a file if there is none, or if it is a folder`() {
        let reader = ValueText(form: .file)
        #expect { try reader.content(of: "/nonexistent/a") } throws: { error in
            (error as? LocalFailure)?.code == .notFound
        }
        #expect { try reader.content(of: "/") } throws: { error in (error as? LocalFailure)?.code == .usage }
    }

    @Test func `is a list of several texts, and an empty one for one empty text`() throws {
        let reader = ValueText(form: .text)
        #expect(try reader.content(of: ["a", "b"], isList: true) == .list([.text("a"), .text("b")]))
        #expect(try reader.content(of: [""], isList: true) == .list([]))
        #expect(try reader.content(of: ["a"], isList: false) == .text("a"))
    }
}
