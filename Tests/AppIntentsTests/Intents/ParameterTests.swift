import AppIntents
import Support
import Testing

/// Has parameters with all that an app may demand of a value.
private struct Demanding: AppIntent {
    static let title: LocalizedStringResource = "Demanding"
    @Parameter(title: "Ratio", default: 0.5, inclusiveRange: (0, 1)) var ratio: Double
    @Parameter(title: "Counts", inclusiveRange: (1, 3)) var counts: [Int]?
    @Parameter(title: "Genre", supportedValues: [.fiction, .poetry]) var genre: Genre?
    @Parameter(title: "Height", defaultUnit: .centimeters, supportsNegativeNumbers: false)
    var height: Measurement<UnitLength>?
    @Parameter(title: "Cost", currencyCodes: ["EUR"], supportsNegativeNumbers: false) var cost:
        IntentCurrencyAmount?
    @Parameter(title: "File", supportedContentTypes: [.image]) var file: IntentFile?
    @Parameter(title: "Switch", displayName: .onOff) var isOn: Bool?
    @Parameter(title: "Kept", displayName: .init(true: "kept", false: "gone")) var isKept: Bool?
    @Parameter(title: "Resolved", resolvers: { Halves() }) var resolved: [Genre]?
    @Parameter(title: "Looked up", resolvers: { LookUp() }) var lookedUp: Genre?
    @Parameter(title: "Album", resolvers: { AnyAlbum() }) var album: OfflineAlbum?
    @Parameter(title: "Colour", optionsProvider: Colours()) var colour: String?
    func perform() async throws -> some IntentResult { .result() }
}

/// Finds a genre by its number.
private struct Halves: Resolver {
    func resolve(from input: Int, context: IntentParameterContext<[Genre]>) async throws -> [Genre]? {
        input == 1 && context.originalText == "1" ? [.history] : nil
    }
}

/// An entity whose query fails, as it does without a network.
private struct OfflineAlbum: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Album"
    static let defaultQuery = OfflineQuery()
    let id: Int
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct OfflineQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [OfflineAlbum] {
        throw AppIntentError.Unrecoverable.networkFailure
    }
}

/// Finds the genre of an album.
private struct LookUp: Resolver {
    func resolve(from input: OfflineAlbum, context: IntentParameterContext<Genre>) async throws -> Genre? {
        .poetry
    }
}

/// Finds an album for any text.
private struct AnyAlbum: Resolver {
    func resolve(
        from input: String, context: IntentParameterContext<OfflineAlbum>
    ) async throws -> OfflineAlbum? { OfflineAlbum(id: 1) }
}

/// Offers colours, in sections.
private struct Colours: DynamicOptionsProvider {
    func results() async throws -> ItemCollection<String> {
        ItemCollection(promptLabel: "Which colour?") {
            ItemSection("Warm") { Item("red", title: "Red") }
            ItemSection("Cold", items: ["blue"])
        }
    }
    func defaultResult() async -> String? { "blue" }
}

@Suite struct `Parameters of intents` {
    private let intent = Demanding()

    private func set(_ name: String, _ content: _IntentValueContent) async throws {
        let parameters = IntentReflection.parameters(of: intent)
        try await #require(parameters.first { $0.name == name }).parameter.set(content)
    }

    private func choices(_ name: String) async throws -> PromptChoices? {
        let parameters = IntentReflection.parameters(of: intent)
        return try await #require(parameters.first { $0.name == name }).parameter.choices(for: nil)
    }

    @Test(arguments: -20..<40) func `accept only numbers within their range`(tenth: Int) async throws {
        let number = Double(tenth) / 10
        if (0...1).contains(number) {
            try await set("ratio", .real(number))
            #expect(intent.ratio == number)
        } else {
            await #expect(throws: IntentValueError.outOfRange(value: "\(number)", least: "0", greatest: "1"))
            {
                try await set("ratio", .real(number))
            }
            #expect(intent.ratio == 0.5)
        }
    }

    @Test func `check each element of a list`() async throws {
        try await set("counts", .list([.integer(1), .text("3")]))
        #expect(intent.counts == [1, 3])
        await #expect(throws: IntentValueError.self) {
            try await set("counts", .list([.integer(1), .integer(4)]))
        }
        #expect(intent.counts == [1, 3])
        try await set("counts", .none)
        #expect(intent.counts == nil)
    }

    @Test func `neither accept nor offer a case that the app does not support`() async throws {
        await #expect(throws: IntentValueError.unknownCase("history", known: ["fiction", "poetry"])) {
            try await set("genre", .text("History"))
        }
        try await set("genre", .text("Verse"))
        #expect(intent.genre == .poetry)
        #expect(try await choices("genre")?.choices.map(\.title) == ["Fiction", "Poetry"])
    }

    @Test func `read a number without a unit in their default unit`() async throws {
        for content in [_IntentValueContent.text("180"), .integer(180), .real(180), .text("180 cm")] {
            try await set("height", .none)
            try await set("height", content)
            #expect(intent.height == Measurement(value: 180, unit: .centimeters))
        }
        try await set("height", .text("1.8 m"))
        #expect(intent.height == Measurement(value: 1.8, unit: .meters))
        await #expect(throws: IntentValueError.negative("-1.0 m")) { try await set("height", .text("-1 m")) }
    }

    @Test func `refuse negative amounts and amounts in other currencies`() async throws {
        try await set("cost", .text("12.50 eur"))
        #expect(intent.cost == IntentCurrencyAmount(amount: 12.5, currencyCode: "EUR"))
        await #expect(throws: IntentValueError.unknownCase("USD", known: ["EUR"])) {
            try await set("cost", .text("1 USD"))
        }
        await #expect(throws: IntentValueError.negative("-1 EUR")) { try await set("cost", .text("-1 EUR")) }
    }

    @Test func `refuse files of types that they do not list`() async throws {
        func file(_ name: String) -> _IntentValueContent {
            IntentFile(data: Data([1]), filename: name)._content
        }
        try await set("file", file("a.png"))
        #expect(intent.file?.type == .png)
        await #expect(throws: IntentValueError.self) { try await set("file", file("a.txt")) }
        await #expect(throws: IntentValueError.self) { try await set("file", file("a")) }
    }

    @Test func `offer the app's own words for true and false`() async throws {
        let words = try await choices("isOn")?.choices
        #expect(words?.map(\.title) == ["on", "off"])
        #expect(words?.map(\.content) == [.flag(true), .flag(false)])
        #expect(try await choices("isKept")?.choices.map(\.title) == ["kept", "gone"])
    }

    @Test func `use resolvers for values of other types`() async throws {
        try await set("resolved", .text("1"))
        #expect(intent.resolved == [.history])
        await #expect(throws: IntentValueError.self) { try await set("resolved", .text("2")) }
    }

    @Test func `throw an error of the app that occurs while a resolver reads its input`() async throws {
        await #expect(throws: AppIntentError.Unrecoverable.networkFailure) {
            try await set("lookedUp", .text("7"))
        }
        await #expect(throws: IntentValueError.self) { try await set("lookedUp", .text("seven")) }
        #expect(intent.lookedUp == nil)
    }

    @Test func `ask their resolvers only for values that do not fit`() async throws {
        await #expect(throws: AppIntentError.Unrecoverable.networkFailure) {
            try await set("album", .text("7"))
        }
        try await set("album", .text("seven"))
        #expect(intent.album?.id == 1)
    }

    @Test func `offer a provider's values, grouped in its sections`() async throws {
        let choices = try await choices("colour")
        #expect(choices?.prompt == "Which colour?")
        #expect(choices?.choices.map(\.title) == ["Red", "blue"])
        #expect(choices?.choices.map(\.section) == ["Warm", "Cold"])
        #expect(choices?.defaultValue == .text("blue"))
    }
}
