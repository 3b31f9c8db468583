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
