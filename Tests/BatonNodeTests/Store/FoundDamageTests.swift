import BatonCore
import BatonNode
import BatonStore
import Foundation
import Support
import Testing

/// A node that is alone, and whose searches find damaged pages.
@Suite struct `A search that finds damage` {
    /// A node with items and activities that have ended, all of them only here.
    private final class Stage {
        private let folder: TemporaryFolder
        private(set) var node: RunningNode
        let account: AccountIdentifier

        static let items = 2000
        static let activities = 60

        init() throws {
            folder = try TemporaryFolder()
            node = try RunningNode.first(folder, "near")
            account = try node.status().account
            for number in 0..<Self.activities {
                var change = ActivityChange()
                change.title = "Draft \(number)"
                change.eligibility = [.handoff, .search]
                // So that the activities don't fit on a page.
                change.webpage = "https://example.org/" + String(repeating: "\(number)", count: 200)
                let (app, instance) = ("org.example.edit", "\(number)")
                _ = try node.ask(
                    StartActivity(
                        app: app, instance: instance, lifetime: .untilFinished, type: app, change: change)
                ).get()
                _ = try node.ask(FinishActivity(.instance(app: app, instance: instance))).get()
            }
            node.stop()
            try index()
        }

        /// Writes items into the index.
        private func index() throws {
            let store = try SQLiteStore(folder: node.home.account(), account: account)
            try store.index(Self.items, titled: "Note")
            while try !store.fillSearch() {}
        }

        var path: String { node.home.account() }

        /// Starts the node again.
        func start() throws { node = try RunningNode(folder, "near") }

        /// Returns the number of the first page of a table, or of a leaf of it.
        func page(of table: String, _ file: String, isLeaf: Bool) throws -> Int {
            let root = try SQLiteScript.number(
                "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'", on: "\(path)/\(file)")
            guard isLeaf else { return root }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))
            let start = (root - 1) * 4096
            try #require(bytes[start] == 5, "the table has more than one page")
            // The first cell says which page has the first rows.
            let cell = start + (Int(bytes[start + 12]) << 8 | Int(bytes[start + 13]))
            return (0..<4).reduce(0) { $0 << 8 | Int(bytes[cell + $1]) }
        }

        /// Returns the titles that a search finds.
        func found(_ text: String) throws -> [String] {
            try node.ask(SearchItems(text, most: 5)).get().results.compactMap {
                $0.thing.item?.title ?? $0.thing.activity?.title
            }
        }

        /// Returns the names of what is stored.
        func count(of kind: RecordKind) throws -> Int {
            try SQLiteStore(folder: path, account: account).records(of: kind).count
        }
    }

    @Test(arguments: [
        ("records", "index.sqlite", false), ("records", "index.sqlite", true),
        ("usage", "index.sqlite", false),
        ("records_by_scope", "index.sqlite", false), ("search_data", "index.sqlite", true),
        ("sqlite_schema", "index.sqlite", false), ("records", "activities.sqlite", false),
        ("records", "activities.sqlite", true), ("activities", "activities.sqlite", false),
        ("sqlite_schema", "activities.sqlite", false),
    ])
    func
        `leads to a rescue without a restart, and the status reports the lost page`(
            table: String, file: String, isLeaf: Bool
        ) throws
    {
        let stage = try Stage()
        let page = table == "sqlite_schema" ? 1 : try stage.page(of: table, file, isLeaf: isLeaf)
        try stage.start()
        #expect(try stage.found("note 1234").contains("Note 1234"))
        stage.node.stop()
        try FileDamage.flipPage(page, of: "\(stage.path)/\(file)")
        try stage.start()
        let damaged = table == "records_by_scope" ? "records" : table
        // Searches find the page, if the start does not.
        try eventually("a rescue that the status tells: \(stage.node.lines)") {
            for number in 0..<60 {
                _ = try stage.node.ask(SearchItems("note \(number)", most: 5))
                _ = try stage.node.ask(SearchItems("draft \(number)", most: 5))
            }
            _ = try stage.node.ask(SearchItems("nothing", most: 5, filter: SearchFilter(app: "app")))
            _ = try stage.node.ask(ExamineApp("app"))
            return try stage.node.status().troubles.contains {
                $0.contains("1 page of \(damaged)") && $0.contains("\(file).damaged-")
                    && $0.contains("smartctl")
            }
        }
        // The rescue is over, and no search fails any more.
        #expect(try stage.found("note 1234").contains("Note 1234"))
        #expect(try stage.found("draft 59").contains("Draft 59"))
        #expect(!stage.node.lines.contains { $0.contains("can't rebuild") })
        stage.node.stop()
        let (items, activities) = try (stage.count(of: .item), stage.count(of: .savedActivity))
        let mayLack = isLeaf && table == "records"
        #expect(
            items <= Stage.items
                && items >= (mayLack && file == "index.sqlite" ? Stage.items - 60 : Stage.items))
        #expect(
            activities >= (mayLack && file == "activities.sqlite" ? Stage.activities - 20 : Stage.activities))
    }
}
