import BatonCore
import Support
import Testing

@Suite struct `Activities` {
    @Test(arguments: Seeds.first(10))
    func `survive encoding as a record`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let activity = generator.activity()
            let read = try Activity(activity.fields)
            #expect(read == activity)
            #expect(read.fields == activity.fields)
        }
    }

    @Test(arguments: Seeds.first(10))
    func `that are copied change independently, and a changed one is encoded again`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var activity = generator.activity()
        activity.spell()
        let fields = activity.fields
        var other = activity
        other.title = "another"
        #expect(activity.isSpelled(by: fields) && activity.fields == fields)
        #expect(!other.isSpelled(by: fields) && other.fields != fields && other != activity)
        #expect(try Activity(other.fields) == other)
        other.title = activity.title
        #expect(other == activity && other.fields == fields)
    }

    @Test(arguments: Seeds.first(10))
    func `keep fields of a newer version byte for byte when they are changed`(_ seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        var fields = generator.activity().fields
        let numbers: [UInt64] = [22, 31, 98, 300, 70_000, .max]
        for number in numbers { fields[.number(number)] = generator.unknownValue() }
        fields[.part(1, generator.identifier())] = generator.unknownValue()
        var activity = try Activity(fields)
        activity.title = "another"
        activity.finished = WallTime(milliseconds: 1)
        var expected = fields
        expected.set(2) { $0.text("another") }
        expected.set(16) { $0.unsigned(1) }
        #expect(activity.fields == expected)
    }

    @Test(arguments: Seeds.first(5))
    func `are equal with and without a mark, and lose the mark when they change`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fields = generator.activity().fields
        var marked = fields
        marked.set(ActivityMark.number) { $0.data([UInt8](repeating: 7, count: ActivityMark.byteCount)) }
        var activity = try Activity(marked)
        #expect(try activity == Activity(fields))
        #expect(activity.isSpelled(by: fields) && activity.isSpelled(by: marked))
        activity.title = "another"
        #expect(activity.fields[.number(ActivityMark.number)] == nil)
    }

    @Test func `without a type are refused`() {
        #expect(throws: CBORError(.missingField(1), at: 0)) { try Activity(Fields()) }
    }

    @Test func `have Apple's defaults for unset properties`() throws {
        let activity = try Activity(Fields { $0.field(1) { $0.text("org.example.read") } })
        #expect(activity.eligibility == .handoff && !activity.supportsStreams)
        #expect(activity.requiredKeys == nil && activity.keywords.isEmpty && activity.info.isEmpty)
        #expect(activity.started == WallTime(milliseconds: 0) && activity.changed == activity.started)
    }

    @Test func `omit default values from the record, and accept a record that has them`() throws {
        let activity = Activity(type: "t", started: WallTime(milliseconds: 0))
        #expect(activity.fields.map(\.name) == [.number(1), .number(6), .number(7)])
        var fields = activity.fields
        fields.set(3) { $0.map(count: 0) }
        fields.set(5) { PropertyValue.set([]).encode(to: &$0) }
        fields.set(13) { $0.unsigned(1) }
        fields.set(14) { $0.boolean(false) }
        #expect(try Activity(fields) == activity)
        var without = activity
        without.eligibility = []
        without.requiredKeys = []
        #expect(try Activity(without.fields) == without && without != activity)
    }

    @Test func `with a keyword in two Unicode spellings keep the decomposed spelling on every device`() throws
    {
        let letters = ["a", "e", "i", "o", "u", "A", "E", "I", "O", "U"]
        let members = letters.flatMap { [$0 + "\u{301}", ($0 + "\u{301}").composed] }
        var fields = Activity(type: "t", started: WallTime(milliseconds: 0)).fields
        fields.set(5) { PropertyValue.set(Set(members.map { .string($0) })).encode(to: &$0) }
        let keywords = try Activity(fields).keywords
        #expect(keywords.count == letters.count)
        for keyword in keywords { #expect(keyword.unicodeScalars.count == 2, "the letter and its accent") }
    }

    /// Values in a wrong form for the field of that number.
    private static let wrongForms: [(UInt64, [String])] = [
        (0, ["6161", "f6", "1bffffffffffffffff", "c1f93c00"]), (1, ["01", "41ff", "f6"]), (2, ["f6", "80"]),
        (3, ["80", "f6", "01", "d9010280", "a101d9ffff00"]), (4, ["d8206161", "f6"]),
        (5, ["80", "816161", "d9010281" + "01", "d9010282" + "6162" + "6161", "a0", "f6"]), (6, ["6161"]),
        (7, ["f6"]), (8, ["80", "8101", "8250" + String(repeating: "00", count: 16) + "6161"]),
        (9, ["80", "d9010281f6", "f6"]), (10, ["01"]), (11, ["f6"]), (12, ["d8206161"]),
        (13, ["20", "f6", "f4"]), (14, ["00", "f6"]), (15, ["816161", "82616101", "f6"]),
        (16, ["c100", "f6"]), (32, ["da626174018101", "d9ffff01", "c201"]),
    ]

    @Test(arguments: wrongForms)
    func `with a malformed known field are refused`(_ number: UInt64, _ forms: [String]) {
        let good = Fields { $0.field(1) { $0.text("t") } }
        for form in forms {
            var fields = good
            fields[.number(number)] = [UInt8](hex: form)
            #expect(throws: CBORError.self, "\(number): \(form)") { try Activity(fields) }
        }
    }

    @Test func `expire at their expiration and not before`() {
        var activity = Activity(type: "org.example.read", started: WallTime(milliseconds: 0))
        #expect(!activity.isExpired(at: WallTime(milliseconds: .max)))
        activity.expiration = WallTime(milliseconds: 1000)
        #expect(!activity.isExpired(at: WallTime(milliseconds: 999)))
        #expect(activity.isExpired(at: WallTime(milliseconds: 1000)))
    }

    @Test func `are saved in the domain of their attributes, and have no domain while they are current`() {
        var activity = Activity(type: "t", started: WallTime(milliseconds: 0))
        #expect(activity.content.scope == .none)
        #expect(activity.content(savedBy: "a").scope == .activities(app: "a"))
        activity.attributes[.domainIdentifier] = .plain(.string("notes.work"))
        #expect(activity.content.scope == .none)
        #expect(activity.scope(savedBy: "a") == Scope(["a", "activities", "notes", "work"]))
        for other in [
            AttributeValue.plain(.integer(1)),
            .sealed(SealedValue(key: SealKeyIdentifier(high: 1, low: 2), box: [])),
        ] {
            activity.attributes[.domainIdentifier] = other
            #expect(activity.scope(savedBy: "a") == .activities(app: "a"))
        }
    }

    @Test(arguments: Seeds.first(5))
    func `keep an eligibility that a newer version added`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var activity = generator.activity()
        activity.eligibility = Eligibility(rawValue: 1 << 63 | 1 << 4)
        activity = try Activity(activity.fields)
        activity.eligibility.insert(.search)
        #expect(try Activity(activity.fields).eligibility.rawValue == 1 << 63 | 1 << 4 | 2)
    }
}

extension String {
    /// One of the vowels with an acute accent, as one scalar.
    fileprivate var composed: String {
        let vowels = "\u{e1}\u{e9}\u{ed}\u{f3}\u{fa}\u{c1}\u{c9}\u{cd}\u{d3}\u{da}"
        return vowels.first { String($0) == self }.map { String($0) } ?? self
    }
}
