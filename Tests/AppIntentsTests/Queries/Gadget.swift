import AppIntents
import CoreSpotlight
import Foundation
import Support

/// The colours of gadgets.
enum Colour: String, AppEnum {
    case red, green, deepBlue

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Colour"
    static let caseDisplayRepresentations: [Colour: DisplayRepresentation] = [
        .red: "Red", .green: "Green", .deepBlue: "Deep blue",
    ]
}

/// An indexed entity with properties of all kinds that the index compares, and of some kinds that the index loses.
struct Gadget: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Gadget"
    static let defaultQuery = IndexedGadgetQuery()
    let id: Int
    @Property(title: "Name", indexingKey: \.title) var name: String
    @Property(title: "Note", indexingKey: \.comment) var note: String?
    @Property(title: "Rating", indexingKey: \.rating) var rating: Int
    @Property(title: "Pages", indexingKey: \.pageCount) var pages: Int?
    @Property(title: "Weight", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_weight")!)
    var weight: Double
    @Property(title: "Built", indexingKey: \.contentCreationDate) var built: Date
    @Property(title: "Due", indexingKey: \.dueDate) var due: Date?
    @Property(title: "Colour", indexingKey: \.genre) var colour: Colour
    @Property(title: "Tags", indexingKey: \.keywords) var tags: [String]
    @Property(title: "Sizes", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_sizes")!)
    var sizes: [Int]?
    @Property(title: "Is new", customIndexingKey: CSCustomAttributeKey(keyName: "com_example_new")!)
    var isNew: Bool
    // A whole number as a text loses its order, and this one has no attribute at all.
    @Property(title: "Shelf", indexingKey: \.subject) var shelf: Int
    @Property(title: "Secret") var secret: String
    var displayRepresentation: DisplayRepresentation { "\(name)" }
    var hideInSpotlight: Bool { id < 0 }

    init(id: Int, _ random: inout SeededGenerator) {
        self.id = id
        name = random.gadgetText()
        note = random.chance(40) ? nil : random.gadgetText()
        rating = random.number(-3...3)
        pages = random.chance(40) ? nil : random.pick([0, 1, 2, Int.max, .min])
        weight = random.gadgetNumber()
        built = random.gadgetDate()
        due = random.chance(40) ? nil : random.gadgetDate()
        colour = random.pick([.red, .green, .deepBlue])
        tags = (0..<random.number(0...3)).map { _ in random.gadgetText() }
        sizes = random.chance(30) ? nil : (0..<random.number(0...3)).map { _ in random.number(0...3) }
        isNew = random.chance(50)
        shelf = random.number(1...12)
        secret = random.gadgetText()
    }
}

extension SeededGenerator {
    /// Draws a text: often a plain one, which equals others, and sometimes one with quotes, accents or wildcards.
    mutating func gadgetText() -> String {
        if chance(20) { return text(0...3) }
        return pick([
            "", "a", "A", "ab", "b", "ba", "é", "e\u{301}", "e", "ee\u{301}", "*", "a*b", "\"", "\\", "'",
            "👨‍👩‍👧", "👨", "👧", "a\u{ad}b", "a\u{200d}", "\u{301}", "\r\n", "\n", "\n\u{301}", "ﬁ", "fi", "ß",
            "ss", "한", "ㅎ",
        ])
    }

    /// Draws a number; some are infinite, NaN, or next to another one.
    mutating func gadgetNumber() -> Double {
        pick([
            -1.5, -0.0, 0.0, 0.1, 0.1.nextUp, 1, 2, 1e300, .greatestFiniteMagnitude, .infinity, -.infinity,
            .nan, .leastNonzeroMagnitude,
        ])
    }

    /// Draws a date; some differ from another one by a second, a millisecond, or less than the index can store.
    mutating func gadgetDate() -> Date {
        let seconds = 800_000_000.0 + Double(number(0...2))
        return Date(
            timeIntervalSinceReferenceDate: pick([
                seconds, seconds.nextUp, seconds.nextUp.nextUp, seconds + 0.001, seconds - 1e9, 0.5,
            ]))
    }
}
