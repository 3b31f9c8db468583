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

    private static func fill(_ stage: SearchStage, model: String = "words") throws {
        let lane = stage.store.ownLane(.index)
        try lane.prepareVectors(of: model)
        let reader = try stage.opened()
        reader.forgetMeanings()
        while true {
            let unknown = try reader.unknownMeanings(most: 3, bytes: 1 << 20)
            #expect(unknown.texts.count <= 3)
            try lane.keep(unknown.texts.map { MeaningVector($0, vector($0.text)) }, of: model)
            if !unknown.isMore { return }
        }
    }

    private static func find(_ text: String, in stage: SearchStage) throws -> [SearchReader.Found] {
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

    @Test func `without a program nothing is kept and nothing else is found`() throws {
        let stage = try Self.stage()
        #expect(try Self.find("hound", in: stage).map(\.thing.item?.identifier) == ["3"])
        #expect(try stage.count("SELECT count(*) FROM vectors") == 0)
        #expect(try stage.count("SELECT count(*) FROM vector_model") == 0)
        #expect(try Self.find("hound", in: stage).first?.rank?.meaning == 0)
    }

    @Test func `things are found by meaning, and their ranks say so`() throws {
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

    @Test func `the best few are those of all by words and meaning, although others are passed over`() throws
    {
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
            #expect(all.count > 100 && all.contains { $0.text == 0 }, "\(query): \(all.count)")
            #expect(all.contains { $0.text > 0 && $0.meaning > 0 } && all[0].meaning > 0)
            for most in [1, 2, 10, 30] {
                let few = try stage.find(query, most: most, in: scope).things.compactMap(\.rank?.score)
                #expect(few == all.prefix(most).map(\.score), "\(query), \(most)")
            }
        }
    }

    @Test func `a vector goes with its text, its item and its model`() throws {
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

    @Test func `an index that is filled anew drops the vectors, and they are made again`() throws {
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

    @Test func `the vector of a removed item is gone from the files once it is erased`() throws {
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

    private static func isLeft(_ vector: Embedding, in stage: SearchStage) -> Bool {
        ["index.sqlite", "index.sqlite-wal"].contains { name in
            FileManager.default.contents(atPath: stage.folder.path + "/" + name)?
                .range(of: Data(vector.bytes)) != nil
        }
    }
}
