import AppIntents
import Synchronization
import Testing

/// Orders a drink; asks for what it lacks.
private struct OrderDrink: AppIntent {
    static let title: LocalizedStringResource = "Order Drink"
    @Parameter(title: "Drink", requestValueDialog: "Which drink?") var drink: String
    @Parameter(title: "Count", default: 1, inclusiveRange: (1, 5)) var count: Int
    @Parameter(title: "Note") var note: String?

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
        if drink == "tea" {
            drink = try await $drink.requestDisambiguation(among: ["black tea", "green tea"])
        }
        if drink == "water" { throw $drink.needsValueError("Something better?") }
        try await requestConfirmation(actionName: .order, dialog: "Order \(count) \(drink)?")
        return .result(value: "\(count) \(drink)", dialog: "Ordered.")
    }
}

/// Needs an unlocked session.
private struct Unlock: AppIntent {
    static let title: LocalizedStringResource = "Unlock Door"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresAuthentication
    func perform() async throws -> some IntentResult { .result() }
}

/// A machine that is locked, or not.
private struct FakeSession: IntentAuthenticator {
    let isUnlocked: Bool
    func isSessionUnlocked(reason: String) async throws -> Bool { isUnlocked }
    func authenticate(reason: String) async throws -> Bool { isUnlocked }
}

/// A session that is locked after it was asked for once.
private final class LockingSession: IntentAuthenticator {
    private let wasAsked = Mutex(false)

    func isSessionUnlocked(reason: String) async throws -> Bool {
        wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
    }

    func authenticate(reason: String) async throws -> Bool { false }
}

@Suite struct `Performing an intent` {
    @Test func `fails if the session was locked while values were asked for`() async throws {
        await #expect(throws: IntentAuthenticationError.locked(intent: "Unlock Door")) {
            _ = try await IntentPerformer(authenticator: LockingSession()).perform(Unlock())
        }
    }

    @Test func `asks for a missing value, and confirms`() async throws {
        let prompter = ScriptedPrompter([.value(.text("coffee")), .agree])
        let performance = try await IntentPerformer(prompter: prompter).perform(OrderDrink())
        #expect(performance.value == .text("1 coffee"))
        #expect(performance.dialogs == ["Ordered."])
        #expect(prompter.questions == ["Which drink?", "Order 1 coffee?"])
    }

    @Test func `names the missing parameter where nobody can be asked`() async {
        await #expect(throws: IntentValueError.missing(parameter: "drink")) {
            try await IntentPerformer().perform(OrderDrink())
        }
    }

    @Test func `refuses a number that is out of range`() async {
        await #expect(
            throws: IntentParameterError(
                parameter: "count", .outOfRange(value: "9", least: "1", greatest: "5"))
        ) {
            try await IntentPerformer().perform(
                OrderDrink(), values: ["drink": .text("coffee"), "count": .integer(9)])
        }
    }

    @Test func `refuses a parameter that the intent does not have`() async {
        await #expect(
            throws: IntentPerformanceError.unknownParameter("size", known: ["drink", "count", "note"])
        ) { try await IntentPerformer().perform(OrderDrink(), values: ["size": .text("large")]) }
    }

    @Test func `starts over once the person has given a value that the intent requested`() async throws {
        let prompter = ScriptedPrompter([.value(.text("tea")), .choose(1), .agree])
        let performance = try await IntentPerformer(prompter: prompter)
            .perform(OrderDrink(), values: ["drink": .text("water")])
        #expect(performance.value == .text("1 green tea"))
        #expect(prompter.questions.first == "Something better?")
    }

    @Test func `does nothing if the person declines`() async {
        let prompter = ScriptedPrompter([.decline])
        await #expect(throws: IntentPromptError.declined) {
            try await IntentPerformer(prompter: prompter)
                .perform(OrderDrink(), values: ["drink": .text("coffee")])
        }
    }

    @Test func `is refused without authentication`() async throws {
        let title = "Unlock Door"
        await #expect(throws: IntentAuthenticationError.unavailable(intent: title)) {
            try await IntentPerformer().perform(Unlock())
        }
        await #expect(throws: IntentAuthenticationError.locked(intent: title)) {
            try await IntentPerformer(authenticator: FakeSession(isUnlocked: false)).perform(Unlock())
        }
        _ = try await IntentPerformer(authenticator: FakeSession(isUnlocked: true)).perform(Unlock())
    }
}
