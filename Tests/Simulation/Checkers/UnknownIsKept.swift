import BatonCore
import Support

/// Promise 10: records and fields that only a newer version knows are the same everywhere, byte for byte.
final class UnknownIsKept: Checker {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard world.profile[.newer] > 0 else { return }
        for node in world.honest {
            let mine = node.visible
            for (identity, fields) in truth.model.visible.sorted(by: { $0.key < $1.key }) {
                for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name.isUnknown {
                    guard let seen = mine[identity], seen[name] != value else { continue }
                    world.violate(
                        .unknownIsKept, about: Violation.Subject(records: [identity], at: node),
                        "\(node.name) has another field \(name) of \(identity.told)"
                    )
                }
            }
        }
    }
}

extension FieldName {
    /// Whether only a newer version writes it.
    fileprivate var isUnknown: Bool {
        switch self {
        case .number(20...31): true
        case .part(let number, _): number > 3
        default: false
        }
    }
}
