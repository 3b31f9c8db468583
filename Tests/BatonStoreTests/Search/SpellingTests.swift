import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `The spelling of a search` {
    private static func stage() throws -> SearchStage {
        let stage = try SearchStage()
        try stage.write([
            .item("1", [.title: "kernel configuration"]), .item("2", [.title: "kernel"]),
            .item("3", [.title: "colonel"]), .item("4", [.title: "東京 café"]), .item("5", [.title: "ab 1234"]),
        ])
        return stage
    }

    @Test(arguments: [
        ("kernle", "kernel"), ("kernl", "kernel"), ("kkernel", "kernel"), ("ernel", "kernel"),
        ("xernel", "kernel"), ("ekrnel", "kernel"), ("xkernel", "kernel"), ("KERNLE", "kernel"),
        ("cafee", "cafe"), ("colonnel ", "colonel"), ("confgurtion", "configuration"),
        ("kernel confiugration", "kernel configuration"), ("kernle confiugration", "kernel configuration"),
    ])
    func `a word that no item has is corrected to the nearest word`(_ typed: String, _ corrected: String)
        throws
    {
        let finding = try Self.stage().find(typed)
        #expect(finding.corrected == corrected && !finding.items.isEmpty)
    }

    @Test(arguments: [
        "kernel", "kern", "kernel ", "colonel kernel", "ax", "xyz", "krrnle", "confgrtin", "京都", "1235",
        "kernel5", "kernle kernal confiugration", "", "…",
    ])
    func `known words, short words, and words without a near match are not corrected`(_ typed: String) throws
    {
        #expect(try Self.stage().find(typed).corrected == nil)
    }

    @Test func `a word of at least eight letters is corrected with two mistakes`() throws {
        let stage = try Self.stage()
        #expect(try stage.find("krnnel").corrected == nil)
        #expect(try stage.find("confgiuratoin").corrected == "configuration")
    }

    @Test func `the more frequent of two equally near words is chosen`() throws {
        let stage = try SearchStage()
        try stage.write([.item("1", [.title: "house"]), .item("2", [.title: "mouse mouse"])])
        try stage.write([.item("3", [.title: "mouse"])])
        #expect(try stage.find("xouse").corrected == "mouse")
    }

    @Test func `a search in one app is corrected to that app's words, even if other apps have nearer ones`()
        throws
    {
        let stage = try SearchStage()
        try stage.write([
            .item("1", [.title: "zephyrs"]), .item("2", [.title: "zephyrs again"]),
            .item("3", [.title: "zephyra"], app: "org.example.other"),
            .item("4", expires: 5, [.title: "mouse"]), .item("5", [.title: "house"]),
            .item("6", expires: 5, [.title: "mouse"]),
        ])
        let other = SearchFilter(app: "org.example.other")
        #expect(try stage.find("zephyrx").corrected == "zephyrs")
        for typed in ["zephyrx", "zephyrs"] {
            let finding = try stage.find(typed, filter: other)
            #expect(finding.corrected == "zephyra" && finding.items.map(\.identifier) == ["3"])
        }
        #expect(try stage.find("zephyr", filter: other).corrected == nil, "it finds something")
        let off = SearchScope(appsOff: ["org.example.app"])
        #expect(try stage.find("zephyrx", in: off).corrected == "zephyra")
        #expect(try stage.find("xouse", at: WallTime(milliseconds: 4)).corrected == "mouse")
        #expect(try stage.find("xouse", at: WallTime(milliseconds: 6)).corrected == "house")
        #expect(try stage.find("mouse", filter: other).corrected == nil, "the app has no such word")
    }

    @Test func `words of expired or deleted items are not used for corrections`() throws {
        let stage = try SearchStage()
        try stage.write([.item("1", expires: 5, [.title: "secret"]), .item("2", [.title: "hidden"])])
        #expect(try stage.find("secrte", at: WallTime(milliseconds: 4)).corrected == "secret")
        #expect(try stage.find("secrte", at: WallTime(milliseconds: 5)).corrected == nil)
        try stage.write([.removal(of: "2")])
        #expect(try stage.find("hiden").corrected == nil)
    }

    @Test func `every word with one mistake is corrected to a word at distance one`() throws {
        let stage = try SearchStage()
        let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"]
        try stage.write(words.map { .item($0, [.title: $0]) })
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var letters = Array(generator.pick(words))
            let place = generator.number(0...letters.count - 1)
            switch generator.number(0...3) {
            case 0: letters.remove(at: place)
            case 1: letters.insert("q", at: place)
            case 2: letters[place] = "z"
            default: if place > 0 { letters.swapAt(place - 1, place) }
            }
            let typed = String(letters) + " "
            let finding = try stage.find(typed)
            let distance = { (word: String) in
                EditDistance.between(Array(word.unicodeScalars), Array(String(letters).unicodeScalars))
            }
            guard letters.count >= 3, !words.contains(String(letters)) else { continue }
            let nearest = words.map(distance).min() ?? 9
            #expect(finding.corrected.map(distance) == nearest, "\(typed)")
        }
    }
}
