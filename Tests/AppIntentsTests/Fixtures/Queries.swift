// Typical code of an app: queries by identifiers, texts and properties.

import AppIntents
import Foundation

struct BookPredicate: Sendable { let test: @Sendable (Book) -> Bool }

final class Library: Sendable {
    static let shared = Library()
    let books: [Book] = []
}

struct BookQuery: EntityPropertyQuery, EntityStringQuery {
    @Dependency private var library: Library

    static let properties = QueryProperties {
        Property(\Book.$title) {
            EqualToComparator { value in BookPredicate { $0.title == value } }
            NotEqualToComparator { value in BookPredicate { $0.title != value } }
            ContainsComparator { value in BookPredicate { $0.title.contains(value) } }
            HasPrefixComparator { value in BookPredicate { $0.title.hasPrefix(value) } }
            HasSuffixComparator { value in BookPredicate { $0.title.hasSuffix(value) } }
        }
        Property(\Book.$rating) {
            LessThanComparator { value in BookPredicate { $0.rating < value } }
            LessThanOrEqualToComparator { value in BookPredicate { $0.rating <= value } }
            GreaterThanComparator { value in BookPredicate { $0.rating > value } }
            GreaterThanOrEqualToComparator { value in BookPredicate { $0.rating >= value } }
            IsBetweenComparator { low, high in BookPredicate { (low...high).contains($0.rating) } }
        }
        Property(\Book.$authors) {
            ContainsComparator { (value: String) in BookPredicate { $0.authors.contains(value) } }
        }
        Property(\Book.$lastRead) {
            LessThanComparator { value in BookPredicate { $0.lastRead.map { $0 < value } ?? false } }
        }
        Property(\Book.$genre) {
            EqualToComparator { value in BookPredicate { $0.genre == value } }
        }
    }

    static let sortingOptions = SortingOptions {
        SortableBy(\Book.$title)
        SortableBy(\Book.$rating)
    }

    static let findIntentDescription: IntentDescription? = IntentDescription(
        "Finds books.", categoryName: "Library", searchKeywords: ["book", "read"], resultValueName: "Books")

    func entities(for identifiers: [UUID]) async throws -> [Book] {
        library.books.filter { identifiers.contains($0.id) }
    }

    func entities(matching string: String) async throws -> [Book] {
        library.books.filter { $0.title.localizedCaseInsensitiveContains(string) }
    }

    func suggestedEntities() async throws -> [Book] { library.books }

    func entities(
        matching comparators: [BookPredicate], mode: ComparatorMode, sortedBy: [Sort<Book>], limit: Int?
    ) async throws -> [Book] {
        var books = library.books.filter { book in
            mode == .and
                ? comparators.allSatisfy { $0.test(book) } : comparators.contains { $0.test(book) }
        }
        for sort in sortedBy.reversed() {
            switch sort.by {
            case \.$title: books.sort { ($0.title < $1.title) == (sort.order == .ascending) }
            case \.$rating: books.sort { ($0.rating < $1.rating) == (sort.order == .ascending) }
            default: break
            }
        }
        return limit.map { Array(books.prefix($0)) } ?? books
    }

    func defaultResult() async -> Book? { library.books.first }
}

struct SectionedQuery: EntityStringQuery {
    typealias Entity = Shelf

    func entities(for identifiers: [Shelf.ID]) async throws -> [Shelf] { [] }
    func entities(matching string: String) async throws -> ItemCollection<Shelf> {
        ItemCollection(promptLabel: "Which shelf?", items: [Shelf]())
    }
    func suggestedEntities() async throws -> ItemCollection<Shelf> {
        ItemCollection(promptLabel: "Which shelf?", usesIndexedCollation: true) {
            ItemSection("Upper", items: [Shelf(id: .init(rawValue: "Top"))])
            ItemSection("Lower") {
                IntentItem(Shelf(id: .init(rawValue: "Floor")), title: "On the floor", subtitle: "Below")
            }
        }
    }
}

struct ColourOptions: DynamicOptionsProvider {
    @IntentParameterDependency<ChooseColour>(\.$book) var choose

    func results() async throws -> [String] { choose?.book.title == "Blue" ? ["blue"] : ["red", "green"] }
    func defaultResult() async -> String? { "red" }
}

struct SizeOptions: DynamicOptionsProvider {
    func results() async throws -> IntentItemCollection<Int> {
        IntentItemCollection(sections: [
            IntentItemSection("Small", items: [1, 2].map { IntentItem($0, title: "\($0) cm") })
        ])
    }
}

struct ChooseColour: AppIntent {
    static let title: LocalizedStringResource = "Choose Colour"
    @Parameter(title: "Book") var book: Book
    @Parameter(title: "Colour", optionsProvider: ColourOptions()) var colour: String
    @Parameter(title: "Size", optionsProvider: SizeOptions()) var size: Int?
    func perform() async throws -> some IntentResult { .result() }
}

struct ShelfIndexQuery: IndexedEntityQuery {
    func entities(for identifiers: [UUID]) async throws -> [Book] { [] }
    func reindexEntities(for identifiers: [UUID], indexDescription: CSSearchableIndexDescription) async throws
    {}
    func reindexAllEntities(indexDescription: CSSearchableIndexDescription) async throws {}
}

let queryFacts = (
    BookQuery.properties[0], BookQuery.sortingOptions[0], EntityQuerySort<Book>.Ordering.descending
)
