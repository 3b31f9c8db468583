// A use of each name of Apple's library for intents that the fixtures beside this one do not use.

import AppIntents
import CoreSpotlight
import Foundation

// MARK: Intents

struct Everything: PredictableIntent, UndoableIntent, CancellableIntent {
    static let title: LocalizedStringResource = "Everything"
    static let description: IntentDescription = "Uses \(2) parameters"
    static let persistentIdentifier = "everything"

    @Parameter(title: "Count", controlStyle: .field, optionsProvider: CountOptions()) var count: Int
    @Parameter(title: "Resolved", resolvers: { TitleResolver() }) var resolved: String
    @Parameter(title: "Ratio", controlStyle: .stepper, requestValueDialog: "Which ratio?") var ratio: Double
    @Parameter(title: "When", kind: .dateTime, requestDisambiguationDialog: "Which date?") var date: Date
    @Parameter(title: "Time", kind: .time) var time: DateComponents
    @Parameter(title: "Text", inputConnectionBehavior: .never) var text: AttributedString
    @Parameter(
        title: "Weight", defaultUnit: .grams, defaultUnitAdjustForLocale: true, supportsNegativeNumbers: false
    )
    var weight: Measurement<UnitMass>
    @Parameter(title: "Method") var method: IntentPaymentMethod?
    @Parameter(title: "Identifier") var identifier: EntityIdentifier?
    @Parameter(title: "Tags") var tags: Set<String>
    @Parameter(title: "Books", query: BookQuery()) var books: [Book]
    @Parameter(description: "Without a title", default: 3) var untitled: Int
    @Parameter(default: false) var flag: Bool
    @Parameter(requestValueDialog: "Which?") var asked: String?

    static var parameterSummary: some ParameterSummary {
        Switch(\.$count) {
            Case(1) {
                When(\.$count, .notEqualTo, 2) {
                    Summary("A \(\.$count)")
                } otherwise: {
                    Summary()
                }
            }
            Case([2, 3]) {
                When(\.$count, .oneOf, [2, 3]) {
                    Summary("B")
                } otherwise: {
                    Summary { \.$flag }
                }
            }
            Case(4) {
                When(\.$ratio, .lessThan, 2) {
                    Summary("C")
                } otherwise: {
                    When(\.$ratio, .lessThanOrEqualTo, 3) {
                        Summary("D")
                    } otherwise: {
                        Summary("E")
                    }
                }
            }
            Case(5) {
                When(\.$ratio, .greaterThan, 2) {
                    Summary("F")
                } otherwise: {
                    When(\.$ratio, .greaterThanOrEqualTo, 1) {
                        Summary("G")
                    } otherwise: {
                        Summary("H")
                    }
                }
            }
            Case(6) {
                When(\.$resolved, .contains, "a") {
                    Summary("I")
                } otherwise: {
                    When(\.$resolved, .doesNotContain, "b") {
                        Summary("J")
                    } otherwise: {
                        Summary("K")
                    }
                }
            }
            Case(7) {
                When(\.$resolved, .hasPrefix, "a") {
                    Summary("L")
                } otherwise: {
                    When(\.$resolved, .hasSuffix, "b") {
                        Summary("M")
                    } otherwise: {
                        Summary("N")
                    }
                }
            }
            Case(8) {
                When(\.$asked, .hasAnyValue) {
                    Summary("O")
                } otherwise: {
                    When(\.$asked, .hasNoValue) {
                        Summary("P")
                    } otherwise: {
                        Summary("Q")
                    }
                }
            }
            DefaultCase { Summary("R") }
        }
    }

    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$count, \.$ratio, \.$flag)) { count, ratio, flag in
            "\(count) \(ratio) \(flag ? "yes" : "no")"
        }
        IntentPrediction(displayRepresentation: "Everything")
    }

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ShowsSnippetView {
        _ = try await $count.requestDisambiguation(among: [1, 2])
        try await requestConfirmation()
        try await requestConfirmation(actionName: .open, dialog: "Open?", content: { 0 })
        try await requestConfirmation(actionName: .open, snippetIntent: Watched())
        _ = try await requestChoice(between: [.cancel(title: "No")], content: { 0 })
        _ = try await requestChoice(between: [Option(title: "Yes")], view: 0)
        try await continueInForeground()
        if systemContext.currentMode == .foreground { throw needsToContinueInForegroundError("Go on") }
        return .result(value: 1, view: 0)
    }
}

struct ShowsFavourites: TargetContentProvidingIntent {
    static let title = LocalizedStringResource("Show Favourites")
    static let supportedModes: IntentModes = .foreground
}
let contentIdentifier = ShowsFavourites().contentIdentifier

struct CountOptions: DynamicOptionsProvider {
    func results() async throws -> ItemCollection<Int> {
        ItemCollection {
            ItemSection("Few") { Item(1, title: "One") }
            ItemSection("Many", items: [2, 3])
            ItemSection(title: "More", items: [Item(4)])
        }
    }
}

struct Without: DeprecatedAppIntent {
    static let title: LocalizedStringResource = "Without"
    static var deprecation: IntentDeprecation<Never> { .init(message: "It is gone.") }
    func perform() async throws -> some IntentResult { .result() }
}

struct Replaced: DeprecatedAppIntent {
    static let title: LocalizedStringResource = "Replaced"
    static var deprecation: IntentDeprecation<Without> { .init(replacedBy: Without.self) }
    func perform() async throws -> some IntentResult { .result() }
}

let modes: [IntentModes] = [
    .background, .foreground, .foreground(.immediate), .foreground(.dynamic), .foreground(.deferred),
    [.background, .foreground(.dynamic)],
]

func results() -> [any IntentResult] {
    let open = OpenURLIntent()
    return [
        .result(), .result(value: 1), .result(dialog: "A"), .result(opensIntent: open),
        .result(value: 1, dialog: "A"), .result(value: 1, opensIntent: open),
        .result(opensIntent: open, dialog: "A"), .result(value: 1, opensIntent: open, dialog: "A"),
        .result(value: 1, content: { 0 }), .result(dialog: "A") { 0 }, .result(snippetIntent: Watched()),
    ]
}

let dialogs = [
    IntentDialog("A"), "B \(1)", IntentDialog(full: "C", supporting: "D"),
    IntentDialog(full: "E", supporting: "F", systemImageName: "g"),
]

func isFound(_ error: any Error) -> String {
    do { throw error } catch let error as AppIntentError.Unrecoverable where error == .entityNotFound {
        return "gone"
    } catch let error as AppIntentError where error == .restartPerform {
        return "again"
    } catch { return error.localizedDescription }
}

let actionNames: [ConfirmationActionName] = [
    .add, .addData, .book, .buy, .call, .checkIn, .continue, .create, .do, .download, .filter, .find, .get,
    .go, .log,
    .open, .order, .pay, .play, .playSound, .post, .request, .run, .search, .send, .set, .share, .start,
    .toggle,
    .turnOff, .turnOn, .view,
]

let colours: [ShortcutTileColor] = [.blue, .grayGreen, .tangerine]
struct Wide: LiveActivityStartingIntent, AudioPlaybackIntent, AudioStartingIntent, AudioRecordingIntent {
    static let title: LocalizedStringResource = "Wide"
    func perform() async throws -> some IntentResult { .result() }
}
struct Held: CameraCaptureIntent, PushToTalkTransmissionIntent {
    static let title: LocalizedStringResource = "Held"
    func perform() async throws -> some IntentResult { .result() }
}
struct Switched: ControlConfigurationIntent {
    static let title: LocalizedStringResource = "Switched"
}
struct Pictured: IntentValueQuery {
    func values(for input: Int) async throws -> [Book] { [] }
}

// MARK: Schemas

@AppEntity(schema: .photos.album) struct SchemaAlbum {
    static let defaultQuery = SchemaAlbumQuery()
    let id: Int
    var displayRepresentation: DisplayRepresentation { "Album" }
}

struct SchemaAlbumQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [SchemaAlbum] { [] }
}

@available(*, deprecated)
enum Earlier {
    @AssistantIntent(schema: .photos.openAlbum) struct Open {
        @Parameter var target: SchemaAlbum
        func perform() async throws -> some IntentResult { .result() }
    }
    @AssistantEnum(schema: .photos.albumType) enum Kind: String {
        case own, shared
        static let caseDisplayRepresentations: [Kind: DisplayRepresentation] = [
            .own: "Own", .shared: "Shared",
        ]
    }
    @AssistantEntity(schema: .photos.asset) struct Asset {
        static let defaultQuery = AssetQuery()
        let id: Int
        var displayRepresentation: DisplayRepresentation { "Asset" }
    }
    struct AssetQuery: EntityQuery {
        func entities(for identifiers: [Int]) async throws -> [Asset] { [] }
    }
}
