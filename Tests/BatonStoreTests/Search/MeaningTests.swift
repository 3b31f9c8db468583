import BatonCore
import BatonStore
import Foundation
import Support
import Testing

/// Searching by the meaning of texts, of which a program of the tests says what it is.
@Suite struct `Searching by meaning` {
    /// The words that mean the same to the program.
    private static let same = [["dog", "hound", "puppy"], ["car", "auto", "vehicle"], ["tea", "infusion"]]

    /// The vector of a text: how often it has words of each meaning, and of any other.
    private static func vector(_ text: String) -> Embedding? {
        var numbers = [Double](repeating: 0, count: 16)
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
            var hash = 0
            for byte in word.utf8 { hash = (hash &* 31 &+ Int(byte)) & 0xffff }
            let place = same.firstIndex { $0.contains(String(word)) } ?? 8 + hash % 8
            numbers[place] += 1
        }
        return Embedding(numbers)
    }

    /// Makes the vectors of a model that are missing.
    private static func fill(
        _ stage: SearchStage, model: String = "words", kept: KeptActivities = KeptActivities()
    ) throws {
        for lane in Lane.allCases { try stage.store.ownLane(lane).prepareVectors(of: model) }
        let reader = try stage.opened()
        reader.forgetMeanings()
        while true {
            let unknown = try reader.unknownMeanings(most: 3, bytes: 1 << 20, kept: kept)
            #expect(unknown.texts.count <= 4, "an activity may have two texts")
            try keep(unknown, in: stage, of: model)
            if !unknown.isMore { return }
        }
    }

    private static func keep(
        _ unknown: UnknownMeanings, in stage: SearchStage, of model: String = "words"
    ) throws {
        for lane in Lane.allCases {
            let vectors = unknown.texts.map { MeaningVector($0, vector($0.text)) }
            try stage.store.ownLane(lane).keep(vectors, of: model)
        }
    }

    private static func find(_ text: String, in stage: SearchStage) throws -> [ShownThing] {
        var scope = SearchScope()
        scope.meaning = vector(text)
        return try stage.find(text, in: scope).things
    }

    private static func stage() throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write([
            .item("1", [.title: "My dog", .textContent: "barks"]), .item("2", [.title: "A car"]),
            .item("3", [.title: "Hound of somebody else"]),
            .item("4", expires: 1, [.title: "Puppy"]),
            .item("5", [.title: "Paint"]),
        ])
        return stage
    }

    @Test func `without an embedding program no vectors are stored, and only words are found`() throws {
        let stage = try Self.stage()
        #expect(try Self.find("hound", in: stage).map(\.thing.item?.identifier) == ["3"])
        #expect(try stage.count("SELECT count(*) FROM vectors") == 0)
        #expect(try stage.count("SELECT count(*) FROM vector_model") == 0)
        #expect(try Self.find("hound", in: stage).first?.rank?.meaning == 0)
    }

    @Test func `items are found by meaning, and their ranks have a part for it`() throws {
        let stage = try Self.stage()
        try Self.fill(stage)
        #expect(try stage.count("SELECT count(*) FROM vectors") == 5)
        var near = SearchScope()
        near.meaning = Self.vector("hound")
        let found = try stage.find("hound", at: WallTime(milliseconds: 5), in: near)
        let names = found.things.map { $0.thing.item?.identifier ?? "" }
        #expect(Set(names) == ["1", "3"], "what has expired is not found")
        #expect(found.things.allSatisfy { $0.rank?.meaning ?? 0 > 0 })
        #expect(try Self.find("infusion", in: stage).isEmpty, "nothing means that")
        #expect(try Self.find("vehicle", in: stage).map(\.thing.item?.identifier) == ["2"])
        var scope = SearchScope(appsOff: ["org.example.app"])
        scope.meaning = Self.vector("vehicle")
        #expect(try stage.find("vehicle", in: scope).things.isEmpty)
    }

    @Test func `the best results are the same as if all items were ranked by words and meaning`() throws {
        let stage = try SearchStage()
        var generator = SeededGenerator(seed: 5)
        let words = ["dog", "hound", "puppy", "car", "paint", "green", "water", "house"]
        try stage.write(
            (0..<600).map { number -> Journal.Draft in
                let text = { (most: Int) in
                    (0..<generator.number(0...most)).map { _ in generator.pick(words) }.joined(separator: " ")
                }
                return .item("\(number)", [.title: text(2), .textContent: text(40)])
            })
        try Self.fill(stage)
        for number in 0..<20 { try stage.open("\(number * 7)", times: number % 3) }
        for query in ["dog", "dog ", "hound car ", "puppy"] {
            var scope = SearchScope()
            scope.meaning = Self.vector(query)
            let all = try stage.find(query, in: scope).things.compactMap(\.rank)
            // Nothing else means water, so all that is found has the word.
            let hasOthers = all.contains { $0.text == 0 }
            #expect(all.count > 100 && hasOthers == (query != "water"), "\(query): \(all.count)")
            #expect(all.contains { $0.text > 0 && $0.meaning > 0 } && all[0].meaning > 0)
            for most in [1, 2, 10, 30] {
                let few = try stage.find(query, most: most, in: scope).things.compactMap(\.rank?.score)
                #expect(few == all.prefix(most).map(\.score), "\(query), \(most)")
            }
        }
    }

    @Test func `a vector is deleted when its text changes, its item is deleted, or the model changes`() throws
    {
        let stage = try Self.stage()
        try Self.fill(stage)
        try stage.write([.removal(of: "1"), .item("2", [.title: "Blue paint"])])
        #expect(try stage.count("SELECT count(*) FROM vectors") == 3)
        #expect(try Self.find("vehicle", in: stage).isEmpty)
        let reader = try stage.opened()
        let unknown = try reader.unknownMeanings(most: 10, bytes: 1 << 20).texts
        #expect(unknown.map(\.text) == ["Blue paint"])
        // The text changes before its vector is there.
        try stage.write([.item("2", [.title: "Red paint"])])
        try stage.store.ownLane(.index).keep(
            unknown.map { MeaningVector($0, Self.vector($0.text)) }, of: "words")
        #expect(try stage.count("SELECT count(*) FROM vectors") == 3)
        try stage.store.ownLane(.index).keep(unknown.map { MeaningVector($0, nil) }, of: "another")
        #expect(try stage.count("SELECT count(*) FROM vectors") == 3)
        try Self.fill(stage, model: "another")
        #expect(try stage.count("SELECT count(*) FROM vectors") == 4)
        let scope = Scope.items(app: "org.example.app", index: "notes", domain: nil)
        try stage.write([Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))])
        while try stage.store.lane(.index).settle(most: 100) != nil {}
        #expect(try stage.count("SELECT count(*) FROM vectors") == 0)
    }

    @Test func `refilling an index deletes the vectors, and they are computed again`() throws {
        let stage = try Self.stage()
        try Self.fill(stage)
        try stage.store.emptySearch()
        #expect(try stage.count("SELECT count(*) FROM vectors") == 0)
        #expect(try stage.opened().unknownMeanings(most: 10, bytes: 1 << 20).isFilling)
        while try !stage.store.fillSearch() {}
        try Self.fill(stage)
        #expect(try stage.count("SELECT count(*) FROM vectors") == 5)
        try stage.reopen()
        try stage.write([.removal(of: "1")])
        #expect(try stage.count("SELECT count(*) FROM vectors") == 4)
    }

    @Test func `the vector of a removed item is gone from the files after an erasure`() throws {
        let stage = try Self.stage()
        try Self.fill(stage)
        var numbers = (0..<64).map { Double(($0 * 37) % 101 - 50) }
        numbers[0] = 60
        let vector = try #require(Embedding(numbers))
        let secret = Journal.Draft.item("9", [.title: "secret"])
        try stage.write([secret])
        let unknown = try stage.opened().unknownMeanings(most: 10, bytes: 1 << 20).texts
        let lane = stage.store.ownLane(.index)
        try lane.keep(unknown.map { MeaningVector($0, vector) }, of: "words")
        #expect(unknown.count == 1 && Self.isLeft(vector, in: stage))
        try stage.write([.removal(of: "9")])
        while try lane.erase(.removed) == .more {}
        try stage.reopen()
        while try stage.store.ownLane(.index).erase(.removed) != .done {}
        #expect(!Self.isLeft(vector, in: stage))
    }

    // MARK: Activities

    private static func activity(
        _ title: String, _ eligibility: Eligibility = [.handoff, .search]
    ) -> (name: SavedActivityName, activity: Activity) {
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 50))
        (activity.title, activity.eligibility) = (title, eligibility)
        (activity.finished, activity.persistentIdentifier) = (WallTime(milliseconds: 100), title)
        return (activity.savedName(by: "org.example.edit"), activity)
    }

    private static func draft(_ title: String, _ eligibility: Eligibility = [.handoff, .search])
        -> Journal
        .Draft
    {
        let (name, activity) = activity(title, eligibility)
        return Journal.Draft(.full(activity.content(savedBy: "org.example.edit")), name.key)
    }

    private static func titles(_ text: String, in stage: SearchStage, kept: KeptActivities) throws -> [String]
    {
        var scope = SearchScope(kept: kept)
        scope.meaning = vector(text)
        let found = try stage.find(text, at: WallTime(milliseconds: 5), in: scope)
        return found.things.map { $0.thing.title ?? "" }
    }

    /// Commits activities, and notes of this device.
    private static func write(
        _ drafts: [Journal.Draft], _ journal: inout Journal, _ notes: [LocalNote] = [], in stage: SearchStage
    ) throws {
        var transaction =
            journal.transaction(.activities, drafts, now: WallTime(milliseconds: 5))
            ?? StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        _ = try stage.store.commit(transaction)
    }

    @Test func `activities are found by meaning, including those kept only on this device`() throws {
        let stage = try Self.stage()
        var journal = Journal(life: Life(high: 5, low: 9), latest: .zero)
        try Self.write(
            [Self.draft("Letter about a puppy"), Self.draft("Puppy", .handoff)], &journal, in: stage)
        var kept = KeptActivities()
        let (name, here) = Self.activity("Vehicle of my own", .search)
        let notes = kept.notes(keeping: here, as: name, at: WallTime(milliseconds: 0))
        try Self.write([], &journal, notes, in: stage)
        kept.restoreNotes(notes)
        #expect(try Self.titles("dog", in: stage, kept: kept) == ["My dog"])
        try Self.fill(stage, kept: kept)
        let count = { try stage.count("SELECT count(*) FROM vectors", in: .activities) }
        #expect(try count() == 2, "the other one is not searched")
        let dogs = try Self.titles("dog", in: stage, kept: kept)
        #expect(
            dogs.first == "My dog"
                && Set(dogs.dropFirst()) == ["Letter about a puppy", "Hound of somebody else"], "\(dogs)")
        let cars = try Self.titles("auto", in: stage, kept: kept)
        #expect(cars == ["A car", "Vehicle of my own"], "\(cars)")
        // Nothing has the words, and a filter leaves the items out.
        var scope = SearchScope(kept: kept, filter: SearchFilter(kind: .activity))
        scope.meaning = Self.vector("hound")
        let found = try stage.find("hound", in: scope).things
        #expect(found.map(\.thing.title) == ["Letter about a puppy"])
        #expect(found.first?.rank?.text == 0 && found.first?.rank?.meaning ?? 0 > 0)
        scope.appsOff = ["org.example.edit"]
        #expect(try stage.find("hound", in: scope).things.isEmpty)
    }

    @Test func `the vector of an activity is deleted when its text changes, and computed again`() throws {
        let stage = try SearchStage()
        var journal = Journal(life: Life(high: 5, low: 9), latest: .zero)
        var kept = KeptActivities()
        try Self.write([Self.draft("My dog"), Self.draft("A car")], &journal, in: stage)
        let (name, here) = Self.activity("Tea", .search)
        let notes = kept.notes(keeping: here, as: name, at: WallTime(milliseconds: 0))
        try Self.write([], &journal, notes, in: stage)
        kept.restoreNotes(notes)
        try Self.fill(stage, kept: kept)
        let count = { try stage.count("SELECT count(*) FROM vectors", in: .activities) }
        #expect(try count() == 3)
        let key = Self.activity("My dog").name.key
        try Self.write([Journal.Draft(.deletion, key)], &journal, in: stage)
        #expect(try count() == 2)
        // It is made anew from a text that changes while the program works.
        var (other, changed) = Self.activity("A car")
        changed.title = "A hound"
        let content = changed.content(savedBy: "org.example.edit")
        try Self.write([Journal.Draft(.full(content), other.key)], &journal, in: stage)
        #expect(try count() == 1)
        let reader = try stage.opened()
        let unknown = try reader.unknownMeanings(most: 10, bytes: 1 << 20, kept: kept)
        #expect(unknown.texts.map(\.text) == ["A hound"])
        (other, changed) = Self.activity("A car")
        changed.title = "Infusion"
        let last = changed.content(savedBy: "org.example.edit")
        try Self.write([Journal.Draft(.full(last), other.key)], &journal, in: stage)
        try Self.keep(unknown, in: stage)
        #expect(try count() == 1, "the text is another one by now")
        let again = try reader.unknownMeanings(most: 10, bytes: 1 << 20, kept: kept)
        #expect(again.texts.map(\.text) == ["Infusion"])
        try Self.keep(again, in: stage)
        #expect(try Self.titles("tea", in: stage, kept: kept) == ["Tea", "Infusion"])
        let removal = KeptActivities.notes(removing: [name])
        try Self.write([], &journal, removal, in: stage)
        kept.restoreNotes(removal)
        #expect(try count() == 1)
        #expect(try Self.titles("tea", in: stage, kept: kept) == ["Infusion"])
        #expect(try reader.unknownMeanings(most: 10, bytes: 1 << 20, kept: kept).texts.isEmpty)
        try Self.fill(stage, model: "another", kept: kept)
        #expect(try count() == 1)
    }

    @Test func `later pages of a search by meaning reflect the present items`() throws {
        let stage = try SearchStage()
        try stage.write((0..<10).map { .item("\($0)", [.title: "\($0 < 5 ? "hound" : "car") \($0)"]) })
        try Self.fill(stage)
        let reader = try stage.opened()
        var scope = SearchScope()
        scope.meaning = Self.vector("puppy")
        let search = PagedSearch(words: "puppy", query: nil, order: .best, most: 100, pageMost: 2)
        var page = try reader.begin(1, search, at: WallTime(milliseconds: 0), in: scope)
        var found = page.things
        // An item that is deleted meanwhile does not come any more.
        let left = (0..<5).map(String.init).filter { number in
            !found.contains { $0.thing.item?.identifier == number }
        }
        try stage.write([.removal(of: left[0])])
        while !page.isLast {
            page = try #require(
                try reader.nextPage(1, at: WallTime(milliseconds: 0), in: SearchScope()))
            #expect(page.things.count <= 2)
            found += page.things
        }
        #expect(found.count == 4 && found.allSatisfy { $0.rank?.meaning ?? 0 > 0 })
        #expect(Set(found.compactMap { $0.thing.item?.identifier }).count == 4)
        // A query limits these results, too.
        let query = try SearchQuery("title == \"*3\"", at: PresentTime(WallTime(milliseconds: 0)) { _ in 0 })
        let limited = PagedSearch(words: "puppy", query: query, order: .best, most: 100, pageMost: 9)
        let three = try reader.begin(2, limited, at: WallTime(milliseconds: 0), in: scope).things
        #expect(three.map { $0.thing.item?.identifier } == (left[0] == "3" ? [] : ["3"]))
    }

    private static func isLeft(_ vector: Embedding, in stage: SearchStage) -> Bool {
        ["index.sqlite", "index.sqlite-wal"].contains { name in
            FileManager.default.contents(atPath: stage.folder.path + "/" + name)?
                .range(of: Data(vector.bytes)) != nil
        }
    }
}
