import AppIntents
import BatonNetwork
import Support
import Testing

/// Counts how often an intent was performed.
private final class Counter: Sendable {
    private let count = Monitor<Int>(0)
    var value: Int { count.change { $0 } }
    func increment() { count.change { $0 += 1 } }
}

/// Opens a safe; it asks for the number of the safe.
private struct OpenSafe: AppIntent {
    @TaskLocal static var counter = Counter()
    static let title: LocalizedStringResource = "Open Safe"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresLocalDeviceAuthentication
    @Parameter(title: "Number") var number: Int
    func perform() async throws -> some IntentResult {
        Self.counter.increment()
        return .result()
    }
}

/// A person who proves who they are, or does not.
private struct Person: IntentAuthenticator {
    let isThere: Bool
    func isSessionUnlocked(reason: String) async throws -> Bool { true }
    func authenticate(reason: String) async throws -> Bool { isThere && reason == "Open Safe" }
}

/// Begins again a number of times.
private struct Again: AppIntent {
    @TaskLocal static var counter = Counter()
    static let title: LocalizedStringResource = "Again"
    @Parameter(title: "Times") var times: Int
    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        Self.counter.increment()
        if Self.counter.value <= times { throw AppIntentError.restartPerform }
        return .result(value: Self.counter.value)
    }
}

/// Opens itself without an end.
private struct Forever: AppIntent {
    static let title: LocalizedStringResource = "Forever"
    func perform() async throws -> some IntentResult & OpensIntent { .result(opensIntent: Forever()) }
}

/// Continues in the app's window.
private struct Window: AppIntent {
    static let title: LocalizedStringResource = "Window"
    static let supportedModes: IntentModes = [.background, .foreground(.dynamic)]
    func perform() async throws -> some IntentResult & ReturnsValue<Bool> {
        try await continueInForeground("Continue?")
        return .result(value: systemContext.currentMode == .foreground)
    }
}

/// Stays in the background, and wants to leave it.
private struct Background: AppIntent {
    static let title: LocalizedStringResource = "Background"
    func perform() async throws -> some IntentResult {
        try await continueInForeground(alwaysConfirm: false)
        return .result()
    }
}

/// Asks only if it was guessed, then lets the person choose.
private struct Careful: AppIntent {
    static let title: LocalizedStringResource = "Careful"
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await requestConfirmation(conditions: .lowConfidenceSource, actionName: .go, dialog: "Sure?")
        let choice = try await requestChoice(
            between: [.init(title: "A"), .init(title: "B"), .cancel], dialog: "Which?")
        return .result(value: String(localized: choice.title))
    }
}

@Suite struct `Rules for performing an intent` {
    @Test(arguments: [false, true]) func `an intent that requires authentication is not performed without it`(
        isThere: Bool
    ) async throws {
        let (counter, prompter) = (Counter(), ScriptedPrompter([.value(.integer(1))]))
        let performer = IntentPerformer(prompter: prompter, authenticator: Person(isThere: isThere))
        try await OpenSafe.$counter.withValue(counter) {
            if isThere {
                _ = try await performer.perform(OpenSafe())
            } else {
                await #expect(throws: IntentAuthenticationError.refused(intent: "Open Safe")) {
                    try await performer.perform(OpenSafe())
                }
            }
        }
        #expect(counter.value == (isThere ? 1 : 0))
        #expect(prompter.questions == (isThere ? ["Number?"] : []))
    }

    @Test(arguments: [0, 1, 31, 32, 100]) func `an intent may restart 31 times, and is then stopped`(
        times: Int
    )
        async throws
    {
        let counter = Counter()
        try await Again.$counter.withValue(counter) {
            if times < 32 {
                let performance = try await IntentPerformer().perform(
                    Again(), values: ["times": .integer(times)])
                #expect(performance.value == .integer(times + 1))
            } else {
                await #expect(throws: IntentPerformanceError.endless("Again")) {
                    try await IntentPerformer().perform(Again(), values: ["times": .integer(times)])
                }
                #expect(counter.value == 32)
            }
        }
    }

    @Test func `intents that open each other endlessly are stopped`() async {
        await #expect(throws: IntentPerformanceError.endless("Forever")) {
            try await IntentPerformer().perform(Forever())
        }
    }

    @Test func `an intent continues in the window if the person agrees`() async throws {
        let performance = try await IntentPerformer(prompter: ScriptedPrompter([.agree])).perform(Window())
        #expect(performance.value == .flag(true) && performance.isInForeground)
        await #expect(throws: IntentPromptError.declined) {
            try await IntentPerformer(prompter: ScriptedPrompter([.decline])).perform(Window())
        }
        await #expect(throws: IntentPromptError.nobodyToAsk("Continue?")) {
            try await IntentPerformer().perform(Window())
        }
        await #expect(throws: IntentPromptError.self) {
            try await IntentPerformer(prompter: ScriptedPrompter([.agree])).perform(Background())
        }
    }

    @Test(arguments: [false, true]) func `a guessed intent asks more questions`(isGuessed: Bool) async throws
    {
        let prompter = ScriptedPrompter(isGuessed ? [.agree, .choose(1)] : [.choose(1)])
        var performer = IntentPerformer(prompter: prompter)
        performer.isGuessed = isGuessed
        #expect(try await performer.perform(Careful()).value == .text("B"))
        #expect(prompter.questions == (isGuessed ? ["Sure?", "Which?"] : ["Which?"]))
    }

    @Test func `choosing to cancel ends an intent`() async {
        await #expect(throws: IntentPromptError.declined) {
            try await IntentPerformer(prompter: ScriptedPrompter([.choose(2)])).perform(Careful())
        }
    }

    @Test func `a missing value is the provider's default if nobody can be asked`()
        async throws
    {
        let chosen = ChooseColour()
        chosen.book = Book(id: UUID(), title: "Blue", authors: [], rating: 1)
        _ = try await IntentPerformer().perform(chosen)
        #expect(chosen.colour == "red")
    }

    @Test func `options depend on the values of other parameters`() async throws {
        let chosen = ChooseColour()
        chosen.book = Book(id: UUID(), title: "Blue", authors: [], rating: 1)
        let prompter = OptionsPrompter()
        _ = try await IntentPerformer(prompter: prompter).perform(chosen)
        #expect(prompter.titles == ["blue"])
        #expect(chosen.colour == "blue")
    }

    @Test func `an intent can report progress, continue in the app, and open another intent`() async throws {
        let page = OpenPage()
        page.page = URL(fileURLWithPath: "/a")
        #expect(page.progress.totalUnitCount == 0)
        let performance = try await IntentPerformer(prompter: ScriptedPrompter([.agree])).perform(page)
        #expect(performance.intents == ["OpenPage", "OpenURLIntent"])
        #expect(performance.isInForeground)
    }
}

/// Takes the first value that is offered, and notes what was offered.
private final class OptionsPrompter: IntentPrompter {
    private let offered = Monitor<[String]>([])
    var titles: [String] { offered.change { $0 } }

    func value(_ request: ValueRequest) async throws -> _IntentValueContent {
        let choices = request.choices?.choices ?? []
        offered.change { $0 = choices.map(\.title) }
        return choices.first?.content ?? .none
    }
    func confirmation(_ request: ConfirmationRequest) async throws -> Bool { true }
    func choice(_ request: ChoiceRequest) async throws -> Int { 0 }
    func continuation(_ dialog: String?) async throws -> Bool { true }
    func show(_ dialog: String) async {}
}
