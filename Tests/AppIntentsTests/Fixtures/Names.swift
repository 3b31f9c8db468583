// A use of each name of Apple's library that the fixtures beside this one do not use, in the order of Apple's pages.

import AppIntents
import CoreSpotlight
import Foundation

// MARK: Values

func isValue<Value: _IntentValue>(_ type: Value.Type) -> (
    Value.ValueType.Type, Value.UnwrappedType.Type, Value.Specification
) {
    (Value.ValueType.self, Value.UnwrappedType.self, Value.defaultResolverSpecification)
}

func valueTypes() {
    _ = (
        isValue(String.self), isValue(Int.self), isValue(Double.self), isValue(Bool.self), isValue(Date.self)
    )
    _ = (isValue(DateComponents.self), isValue(URL.self), isValue(AttributedString.self))
    _ = (isValue(Measurement<UnitLength>.self), isValue(EntityIdentifier.self), isValue(IntentFile.self))
    _ = (isValue(IntentPerson.self), isValue(IntentCurrencyAmount.self), isValue(IntentPaymentMethod.self))
    _ = (isValue(Never.self), isValue(Book.self), isValue(Genre.self), isValue(Place.self))
    let optional: (Int.Type, Int.Type, EmptyResolverSpecification<Int?>) = isValue(Int?.self)
    let list: (Int.Type, [Int].Type, EmptyResolverSpecification<[Int]>) = isValue([Int].self)
    let set: (Int.Type, Set<Int>.Type, EmptyResolverSpecification<Set<Int>>) = isValue(Set<Int>.self)
    _ = (optional, list, set)
}

func isAppValue(_ type: (some AppValue).Type) -> String { type.persistentIdentifier }
func isDisplayed(_ type: (some DisplayRepresentable).Type) -> TypeDisplayRepresentation {
    type.typeDisplayRepresentation
}
func isStatic<Value: StaticDisplayRepresentable>(_ type: Value.Type) -> [Value: DisplayRepresentation] {
    type.caseDisplayRepresentations
}
let appValues = (isAppValue(Book.self), isAppValue(Genre.self), isDisplayed(Book.self), isStatic(Genre.self))

// MARK: Identity

func identifierText(_ identifier: some EntityIdentifierConvertible) -> String {
    identifier.entityIdentifierString
}
let identifierTexts = [
    identifierText("a"), identifierText(1), identifierText(Float(1)), identifierText(UUID()),
    identifierText(FileEntityIdentifier.draft(identifier: "d")),
]
let readIdentifiers: (String?, Int?, UUID?) = (
    .entityIdentifier(for: "a"), .entityIdentifier(for: "1"), .entityIdentifier(for: "")
)

func annotate(_ annotated: inout some AppEntityAnnotatable, _ book: Book) {
    annotated.appEntityIdentifier = EntityIdentifier(for: book)
}

struct SyncedNote: SyncableEntity, OwnershipProvidingEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Note"
    static let defaultQuery = SyncedNoteQuery()
    static let persistentIdentifier = "Note"
    let id: Int
    var displayRepresentation: DisplayRepresentation { "Note \(id)" }
}

struct SyncedNoteQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [SyncedNote] {
        identifiers.map { SyncedNote(id: $0) }
    }
    func displayRepresentations(
        for identifiers: [Int], requestedComponents: DisplayRepresentation.Components
    ) async throws -> [Int: DisplayRepresentation] { [:] }
}

let newerIdentifiers = (
    AttributedEntityIdentifier(typeIdentifier: AttributedTypeIdentifier("Note"), value: "1"),
    SyncableEntityIdentifier("1")
)

// MARK: Display

func displayNames(_ book: Book) async throws -> [DisplayRepresentation] {
    var representation = try await book.displayRepresentation(with: [.title, .subtitle, .image, .synonyms])
    representation.title = "A"
    representation.subtitle = "B"
    representation.image = .init(named: "c", isTemplate: true, displayStyle: .default)
    representation.synonyms = ["D"]
    return [
        representation, DisplayRepresentation(title: "A"), DisplayRepresentation(title: "A", subtitle: "B"),
        DisplayRepresentation(title: "A", subtitle: nil, image: nil, synonyms: ["B"]), "A \(1)",
    ]
}
let typeNames = (
    TypeDisplayRepresentation(name: "A", numericFormat: "\(2) As", synonyms: ["B"]),
    Genre.typeDisplayRepresentation.name
)

// MARK: Properties

struct Track: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Track"
    static let defaultQuery = TrackQuery()
    let id: String
    @Property var plain: Int
    @Property(title: "Titled") var titled: Int?
    @Property(indexingKey: \.title) var indexed: String
    @Property(title: "Both", indexingKey: \.artist) var both: String
    @Property(customIndexingKey: CSCustomAttributeKey(keyName: "com_example_a")!) var custom: String?
    @Property(title: "Custom", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_b")!)
    var titledCustom: [Int]
    @ComputedProperty var first: String { "a" }
    @ComputedProperty(title: "Second") var second: String { "b" }
    @ComputedProperty(indexingKey: \.album) var third: String { "c" }
    @ComputedProperty(customIndexingKey: CSCustomAttributeKey(keyName: "com_example_c")!) var fourth: Int {
        4
    }
    @ComputedProperty(title: "Fifth", indexingKey: \.genre) var fifth: String? { nil }
    @ComputedProperty(title: "Sixth", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_d")!)
    var sixth: [String] { ["f"] }
    @DeferredProperty var seventh: Int { get async { 7 } }
    @DeferredProperty(title: "Eighth") var eighth: Int { get async throws { 8 } }
    @DeferredProperty(indexingKey: \.composer) var ninth: String { get async throws { "i" } }
    @DeferredProperty(customIndexingKey: CSCustomAttributeKey(keyName: "com_example_e")!)
    var tenth: String { get async throws { "j" } }
    @DeferredProperty(title: "Eleventh", indexingKey: \.comment)
    var eleventh: String { get async throws { "k" } }
    @DeferredProperty(title: "Twelfth", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_f")!)
    var twelfth: Date { get async throws { .distantPast } }
    var displayRepresentation: DisplayRepresentation { "\(both)" }

    init(id: String) {
        self.id = id
        (plain, indexed, both, titledCustom) = (1, "Indexed", "Both", [1, 2])
    }
}

struct TrackQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Track] { identifiers.map { Track(id: $0) } }
}

func propertyNames(_ track: Track) -> (
    EntityProperty<Int>, LocalizedStringResource, Bool, EntityProperty<String>
) {
    (track.$plain, track.$titled.title, track.$titled.isOptional, track.$first)
}
func isCoded(_ property: some Codable) {}
func coded(_ track: Track) { isCoded(track.$plain) }

// MARK: Queries

func comparatorMode(_ mode: EntityQueryComparatorMode) -> Bool {
    switch mode {
    case .and: true
    case .or: false
    }
}

func sorting(_ sort: EntityQuerySort<Book>) -> (PartialKeyPath<Book>, Bool) {
    (sort.by, sort.order == EntityQuerySort<Book>.Ordering.ascending)
}

struct TitleResolver: Resolver {
    func resolve(from input: Int, context: IntentParameterContext<String>) async throws -> String? {
        "\(input)"
    }
}

struct ResolvedQuery: EntityPropertyQuery {
    typealias Entity = Book
    static let properties = EntityQueryProperties<Book, String> {
        EntityQueryProperty(\Book.$title) {
            EqualToComparator(withResolvers: { TitleResolver() }, mappingTransform: { "= \($0)" })
            NotEqualToComparator(mappingTransform: { "!= \($0)" })
        }
        EntityQueryProperty(\Track.$plain, entityProvider: { Track(id: $0.title) }) {
            GreaterThanComparator { "> \($0)" }
        }
    }
    static let sortingOptions = SortingOptions { SortableBy(\Book.$title) }
    func entities(for identifiers: [UUID]) async throws -> [Book] { [] }
    func entities(
        matching comparators: [String], mode: ComparatorMode, sortedBy: [Sort<Book>], limit: Int?
    ) async throws -> [Book] { [] }
}

let noSortingOptions = EntityQuerySortingOptions<Book>()
let queryDeclaration: EntityQueryPropertyDeclaration<Book, String> = ResolvedQuery.properties[1]
let queryDescription: IntentDescription? = ResolvedQuery.findIntentDescription

func searchCriteria(_ criteria: some SearchCriteria) {}
func searches() { searchCriteria(StringSearchCriteria(term: "a")) }

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
        try await continueInForeground()
        if systemContext.currentMode == .foreground { throw needsToContinueInForegroundError("Go on") }
        return .result(value: 1, view: 0)
    }
}

struct CountOptions: DynamicOptionsProvider {
    func results() async throws -> ItemCollection<Int> {
        ItemCollection {
            ItemSection("Few") { Item(1, title: "One") }
            ItemSection("Many", items: [2, 3])
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

// MARK: Names of types that code seldom writes

func associatedTypes<Query: EntityPropertyQuery, Search: ShowInAppSearchResultsIntent>(
    _ query: Query.Type, _ search: Search.Type
) -> (
    Query.ComparatorMappingType.Type, Query.DefaultValue.Type, Query.Result.Type,
    Search.Criteria.SearchScopes.Type
) {
    (
        Query.ComparatorMappingType.self, Query.DefaultValue.self, Query.Result.self,
        Search.Criteria.SearchScopes.self
    )
}

func defaultQuery<Entity: AppEntity>(_ type: Entity.Type) -> Entity.DefaultQuery { type.defaultQuery }

let conditions: ConfirmationConditions = [.lowConfidenceSource]
let styles: (IntControlStyle, DoubleControlStyle, DateKind, InputConnectionBehavior) = (
    .stepper, .slider, .date, .connectToPreviousIntentResult
)
let builders: [Any.Type] = [
    EntityQueryComparatorsBuilder<String, String>.self, EntityQueryPropertiesBuilder<Book, String>.self,
    EntityQuerySortingOptionsBuilder<Book>.self, EntityQuerySortableByProperty<Book>.self,
    EntityQueryComparator<EntityProperty<String>, String, String, String>.self,
    IntentItem<String>.Builder.self, IntentItemSection<String>.Builder.self,
]
let protocols: [Any.Type] = [
    (any InstanceDisplayRepresentable).self, (any TypeDisplayRepresentable).self,
    (any PersistentlyIdentifiable).self, (any _SupportsAppDependencies).self, (any SystemIntent).self,
    (any CustomURLRepresentationParameterConvertible).self,
    (any CustomLocalizedStringResourceConvertible).self,
    (any ResultsCollection).self,
]
let places: [RelevantContext] = [
    .location(inferred: .home), .location(inferred: .work), .location(inferred: .school),
    .location(inferred: .commute),
]

struct OnlyQuery: UniqueAppEntityQuery {
    func uniqueEntity() async throws -> LibrarySettings { LibrarySettings() }
}

func parameters(_ intent: AddBook) async throws -> (IntentParameter<String>, String, IntentDonationIdentifier)
{
    let result = try await intent.callAsFunction(donate: true)
    return (intent.$name.projectedValue, intent.$name.wrappedValue, try await intent.donate(result: result))
}
