import AppIntents
import Foundation
import Support

/// Draws conditions on gadgets.
struct DrawnConditions {
    var random: SeededGenerator

    /// A gadget that tells the names of the properties.
    static let sample: Gadget = {
        var random = SeededGenerator(seed: 0)
        return Gadget(id: 0, &random)
    }()

    /// Draws a condition that both queries know.
    mutating func next() -> EntityQueryCondition {
        let declaration = random.pick(IndexedGadgetQuery.properties.properties)
        let kind = random.pick(declaration.comparisons).kind
        let name = EntityReflection.name(of: declaration.property(Self.sample), in: Self.sample) ?? "?"
        var inputs = (0..<kind.inputCount).map { _ in input(of: name, kind) }
        // Half of the intervals are not empty.
        if inputs.count == 2, inputs[0].order(to: inputs[1]) == .orderedDescending, random.chance(50) {
            inputs.swapAt(0, 1)
        }
        return EntityQueryCondition(property: name, kind: kind, inputs: inputs)
    }

    /// Draws a value; equality also compares with no value and with whole lists.
    private mutating func input(
        of name: String, _ kind: EntityQueryComparisonKind
    ) -> _IntentValueContent {
        let isEquality = [.equalTo, .notEqualTo].contains(kind)
        if isEquality, ["note", "pages", "due", "sizes"].contains(name), random.chance(30) { return .none }
        switch name {
        case "rating", "shelf": return .integer(random.number(-3...4))
        case "pages": return .integer(random.pick([0, 1, 2, .max, .min]))
        case "weight": return .real(random.gadgetNumber())
        case "built", "due": return .date(random.gadgetDate())
        case "colour": return .text(random.pick(["red", "green", "deepBlue"]))
        case "isNew": return .flag(random.chance(50))
        case "tags" where isEquality:
            return .list((0..<random.number(0...2)).map { _ in .text(random.gadgetText()) })
        case "sizes" where isEquality:
            return .list((0..<random.number(0...2)).map { _ in .integer(random.number(0...3)) })
        case "sizes": return .integer(random.number(0...4))
        default: return .text(random.gadgetText())
        }
    }
}
