// Typical code of an app: intents with parameters of all kinds, results, questions and summaries.

import AppIntents
import Foundation

struct AddBook: AppIntent {
    static let title: LocalizedStringResource = "Add Book"
    static let description = IntentDescription("Adds a book to the library.", categoryName: "Library")
    static let openAppWhenRun: Bool = false
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresAuthentication
    static let isDiscoverable: Bool = true

    @Parameter(
        title: "Title", description: "The title.", inputOptions: .init(multiline: true),
        requestValueDialog: "Which title?")
    var name: String
    @Parameter(title: "Rating", default: 3, controlStyle: .stepper, inclusiveRange: (1, 5)) var rating: Int
    @Parameter(title: "Price", controlStyle: .slider, inclusiveRange: (0, 100)) var price: Double?
    @Parameter(title: "Favourite", default: false, displayName: .yesNo) var isFavourite: Bool
    @Parameter(title: "Published", kind: .date) var published: Date?
    @Parameter(title: "Reminder", kind: .time) var reminder: DateComponents?
    @Parameter(title: "Genre", default: .fiction) var genre: Genre
    @Parameter(title: "Genres", supportedValues: [.fiction, .poetry]) var genres: [Genre]?
    @Parameter(title: "Shelf", description: "Where it stands.", query: ShelfQuery()) var shelf: Shelf?
    @Parameter(title: "Others") var others: [Book]?
    @Parameter(title: "Height", defaultUnit: .centimeters, supportsNegativeNumbers: false)
    var height: Measurement<UnitLength>?
    @Parameter(title: "Cost", currencyCodes: ["EUR"]) var cost: IntentCurrencyAmount?
    @Parameter(title: "Lender") var lender: IntentPerson?
    @Parameter(title: "Cover", supportedContentTypes: [.image]) var cover: IntentFile?
    @Parameter(title: "Page", inputConnectionBehavior: .connectToPreviousIntentResult) var page: URL?
    @Parameter(title: "Place") var place: Place?

    @Dependency var library: Library
    @Dependency(key: "second") var second: Library

    static var parameterSummary: some ParameterSummary {
        When(\.$isFavourite, .equalTo, true) {
            Summary("Add favourite \(\.$name) to \(\.$shelf)") {
                \.$rating
                \.$price
            }
        } otherwise: {
            Switch(\.$genre) {
                Case(.fiction) { Summary("Add novel \(\.$name)") }
                Case([.history, .poetry]) { Summary("Add \(\.$genre) \(\.$name)") { \.$published } }
                DefaultCase { Summary("Add \(\.$name)") }
            }
        }
    }

    init() {}
    init(name: String) { self.name = name }

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<Book> & ProvidesDialog {
        if name.isEmpty { throw $name.needsValueError("Which title?") }
        let other = try await $shelf.requestValue("Which shelf?")
        if other == nil { throw $genre.needsDisambiguationError(among: [.fiction, .history]) }
        genre = try await $genre.requestDisambiguation(among: [.fiction, .poetry], dialog: "Which genre?")
        guard try await $name.requestConfirmation(for: name, dialog: "Is \(name) right?") else {
            throw AppIntentError.UserActionRequired.confirmation
        }
        try await requestConfirmation(actionName: .add, dialog: "Add \(name)?")
        try await requestConfirmation(
            conditions: .lowConfidenceSource,
            actionName: .custom(
                acceptLabel: "Add", acceptAlternatives: [], denyLabel: "Don't", denyAlternatives: [],
                destructive: false),
            dialog: IntentDialog(full: "Add \(name) to the library?", supporting: "Add it?"))
        let choice = try await requestChoice(
            between: [IntentChoiceOption(title: "Now"), .init(title: "Later", style: .default), .cancel],
            dialog: "When?")
        if choice.title == "Later" { throw AppIntentError.restartPerform }
        let book = Book(id: UUID(), title: name, authors: [], rating: rating)
        return .result(value: book, dialog: "Added \(name).")
    }
}

struct OpenBook: OpenIntent, URLRepresentableIntent {
    static let title: LocalizedStringResource = "Open Book"
    static var urlRepresentation: IntentURLRepresentation<Self> { "https://example.com/books/\(\.$target)" }
    @Parameter(title: "Book", requestDisambiguationDialog: "Which book?") var target: Book
    @MainActor func perform() async throws -> some IntentResult { .result() }
}

struct ShowBook: OpenIntent {
    static let title: LocalizedStringResource = "Show Book"
    @Parameter(title: "Book") var target: Book
}

struct DeleteBooks: DeleteIntent {
    static let title: LocalizedStringResource = "Delete Books"
    @Parameter(title: "Books") var entities: [Book]
    func perform() async throws -> some IntentResult & ProvidesDialog {
        try await requestConfirmation(result: .result(dialog: "Delete?"), confirmationActionName: .set)
        return .result(dialog: "Deleted \(entities.count) books.")
    }
}

struct SetFavourite: SetValueIntent {
    static let title: LocalizedStringResource = "Favourite"
    @Parameter(title: "Is favourite") var value: Bool
    func perform() async throws -> some IntentResult { .result() }
}

struct SearchLibrary: ShowInAppSearchResultsIntent {
    static let title: LocalizedStringResource = "Search Library"
    static let searchScopes: [StringSearchScope] = [.general, .movies, .tv, .freeformVideo]
    @Parameter(title: "Search") var criteria: StringSearchCriteria
    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: criteria.term) }
}

struct OpenPage: ForegroundContinuableIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Open Page"
    static let supportedModes: IntentModes = [.background, .foreground(.dynamic)]
    @Parameter(title: "Page") var page: URL
    func perform() async throws -> some IntentResult & OpensIntent {
        progress.totalUnitCount = 10
        progress.completedUnitCount = 1
        if systemContext.currentMode.canContinueInForeground {
            try await continueInForeground("Go on?", alwaysConfirm: false)
        }
        try await requestToContinueInForeground("Open the app?") { @MainActor in }
        return .result(opensIntent: OpenURLIntent(page))
    }
}

struct ReturnsAll: AppIntent {
    static let title: LocalizedStringResource = "Everything"
    static let description: IntentDescription? = "Returns all parts."
    func perform() async throws -> some IntentResult & ReturnsValue<[Book]> & OpensIntent & ProvidesDialog {
        .result(value: [], opensIntent: OpenURLIntent(URL(fileURLWithPath: "/")), dialog: "Done.")
    }
}

struct Watched: SnippetIntent {
    static let title: LocalizedStringResource = "Watched"
    func perform() async throws -> some IntentResult & ShowsSnippetView { .result(view: 0) }
}

struct ShowsWatched: AppIntent {
    static let title: LocalizedStringResource = "Shows Watched"
    func perform() async throws -> some IntentResult & ShowsSnippetIntent & ProvidesDialog {
        .result(dialog: "Here.", snippetIntent: Watched())
    }
}

struct OldAdd: DeprecatedAppIntent, CustomIntentMigratedAppIntent, PredictableIntent {
    static let title: LocalizedStringResource = "Add (old)"
    static let intentClassName = "AddBookIntent"
    static var deprecation: IntentDeprecation<AddBook> {
        .init(message: "Use Add Book.", replacedBy: AddBook.self)
    }
    @Parameter(title: "Title") var name: String?
    @Parameter(title: "Rating") var rating: Int?
    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$name, \.$rating)) { name, rating in
            DisplayRepresentation(title: "Add \(name ?? "")", subtitle: "\(rating ?? 0)")
        }
        IntentPrediction(parameters: \.$name) { name in "Add \(name ?? "")" }
        IntentPrediction { DisplayRepresentation(title: "Add a book") }
    }
    func perform() async throws -> some IntentResult { .result() }
}

struct ReadingFilter: SetFocusFilterIntent {
    static let title: LocalizedStringResource = "Reading"
    @Parameter(title: "Only favourites", default: false) var onlyFavourites: Bool
    var displayRepresentation: DisplayRepresentation { "Reading" }
    var appContext: FocusFilterAppContext {
        FocusFilterAppContext(targetContentIdentifierPrefix: "book-")
    }
    static func suggestedFocusFilters(for context: FocusFilterSuggestionContext) async -> [ReadingFilter] {
        [ReadingFilter()]
    }
    func perform() async throws -> some IntentResult {
        let current = try await ReadingFilter.current
        if current.onlyFavourites { invalidateFocusFilterAppContext() }
        return .result()
    }
}

struct BookWidget: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Book"
    @Parameter(title: "Book") var book: Book?
}

@AppIntent(schema: .books.openBook) struct SchemaOpen {
    @Parameter var target: Book
    func perform() async throws -> some IntentResult { .result() }
}

@AppEnum(schema: .books.contentType) enum SchemaKind: String {
    case audio, text
    static let caseDisplayRepresentations: [SchemaKind: DisplayRepresentation] = [
        .audio: "Audio", .text: "Text",
    ]
}

struct LibraryShortcuts: AppShortcutsProvider {
    static let shortcutTileColor: ShortcutTileColor = .navy
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: AddBook(),
            phrases: ["Add a book in \(.applicationName)", "New \(\.$genre) in \(.applicationName)"],
            shortTitle: "Add Book", systemImageName: "plus")
        AppShortcut(
            intent: OpenBook(), phrases: ["Open \(\.$target) in \(.applicationName)"], shortTitle: "Open",
            systemImageName: "book")
    }
    static var negativePhrases: [NegativeAppShortcutPhrase] { "Add a cook" }
}

func donations(_ book: Book) async throws {
    let intent = AddBook(name: "A")
    let identifier = try await intent.donate()
    try await IntentDonationManager.shared.donate(intent: intent)
    let result = try await intent(donate: false)
    try await IntentDonationManager.shared.donate(intent: intent, result: result)
    for predicate in [
        IntentDonationMatchingPredicate.donationIdentifier(identifier),
        .entityIdentifier(EntityIdentifier(for: book)),
        .intentType(AddBook.self), .intentType(AddBook.self, entityIdentifier: EntityIdentifier(for: book)),
    ] { try await IntentDonationManager.shared.deleteDonations(matching: predicate) }
    try await RelevantIntentManager.shared.updateRelevantIntents([
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .date(Date())),
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .date(from: Date(), to: .distantFuture)),
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .location(inferred: .home)),
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .fitness(.workoutActive)),
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .sleep(.bedtime)),
        RelevantIntent(BookWidget(), widgetKind: "book", relevance: .hardware(headphones: .connected)),
    ])
    LibraryShortcuts.updateAppShortcutParameters()
    AppDependencyManager.shared.add(dependency: Library.shared)
    AppDependencyManager.shared.add(key: "second", dependency: Library.shared)
}

func donateAtOnce(_ intent: AddBook) { intent.donate() }

let errors: [any Error] = [
    AppIntentError.restartPerform, AppIntentError.PermissionRequired.bluetooth,
    AppIntentError.PermissionRequired.contacts,
    AppIntentError.PermissionRequired.localNetwork, AppIntentError.PermissionRequired.photos,
    AppIntentError.PermissionRequired.siri, AppIntentError.PermissionRequired.location(precise: true),
    AppIntentError.Unrecoverable.entityNotFound, AppIntentError.Unrecoverable.featureCurrentlyRestricted,
    AppIntentError.Unrecoverable.networkFailure, AppIntentError.Unrecoverable.notAllowed,
    AppIntentError.Unrecoverable.partialFailure, AppIntentError.Unrecoverable.unknown,
    AppIntentError.Unrecoverable.unsupportedOnDevice, AppIntentError.UserActionRequired.accountSetup,
    AppIntentError.UserActionRequired.confirmation, AppIntentError.UserActionRequired.signin,
]
let files = [
    IntentFile(data: Data(), filename: "a.txt"),
    IntentFile(fileURL: URL(fileURLWithPath: "/a"), filename: "a", type: .plainText),
]
let policies: [IntentAuthenticationPolicy] = [
    .alwaysAllowed, .requiresAuthentication, .requiresLocalDeviceAuthentication,
]
