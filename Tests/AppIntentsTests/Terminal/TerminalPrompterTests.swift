import AppIntents
import Foundation
import Testing

/// Performs an intent of the fixture at a scripted terminal.
private func value(
    _ terminal: ScriptedTerminal, onScreen: [String] = [], _ values: [String: _IntentValueContent] = [:],
    of intent: any AppIntent
) async throws -> _IntentValueContent? {
    let prompter = TerminalPrompter(terminal, onScreen: onScreen)
    return try await IntentPerformer(prompter: prompter).perform(intent, values: values).value
}

/// Needs a shop, several cups and a number.
private struct Deliver: AppIntent {
    static let title: LocalizedStringResource = "Deliver"
    @Parameter(title: "Shop", requestValueDialog: "Which shop?") var shop: Shop
    @Parameter(title: "Cups") var cups: [Cup]
    @Parameter(title: "Count", inclusiveRange: (1, 3)) var count: Int
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await requestConfirmation(actionName: .order, dialog: "Really?")
        return .result(value: "\(shop.name) \(cups.map(\.rawValue)) \(count)")
    }
}

@Suite struct `Questions at a terminal` {
    @Test func `offer lists, ask for lines, and ask again after a wrong answer`() async throws {
        let terminal = ScriptedTerminal(["Market", "Small", "Done", "9", "two", "2", "yes"])
        let value = try await value(terminal, of: Deliver())
        #expect(value == .text("Market [\"small\"] 2"))
        #expect(terminal.asked.first == "Which shop?")
        #expect(terminal.offered.first == ["Harbour", "Market", "Market Hall"])
        #expect(terminal.offered[1] == ["Small", "Large", "None"])
        #expect(terminal.offered[2] == ["Done", "Large"])
        #expect(terminal.remarks.count == 2)
    }

    @Test func `offer first what is on the person's screens`() async throws {
        let terminal = ScriptedTerminal(["Market Hall", "None", "1", "yes"])
        _ = try await value(terminal, onScreen: ["Deck/1", "Shop/3"], of: Deliver())
        #expect(terminal.offered.first == ["Market Hall", "Harbour", "Market"])
    }

    @Test func `end the intent if the person leaves or declines`() async {
        await #expect(throws: IntentPromptError.declined) {
            _ = try await value(ScriptedTerminal([]), of: Deliver())
        }
        let given: [String: _IntentValueContent] = [
            "shop": .text("1"), "cups": .list([]), "count": .integer(1),
        ]
        await #expect(throws: IntentPromptError.declined) {
            _ = try await value(ScriptedTerminal(["no"]), given, of: Deliver())
        }
    }

    @Test func `end the intent after five wrong answers`() async {
        let terminal = ScriptedTerminal(["Market", "None", "9", "9", "9", "9", "9", "2"])
        await #expect(throws: IntentValueError.self) { _ = try await value(terminal, of: Deliver()) }
        #expect(terminal.remarks.count == 4)
    }
}
