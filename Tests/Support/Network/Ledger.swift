import BatonCore

/// All that was ever written in a world, against which the nodes are judged.
struct Ledger {
    private var writes: [Dot: Write] = [:]
    /// In the order of writing.
    private(set) var all: [Write] = []

    /// A node names a write.
    mutating func enter(_ write: Write, _ world: World) {
        if writes.updateValue(write, forKey: write.dot) != nil {
            world.violate("\(write.dot) was used twice")
        }
        all.append(write)
    }

    /// A write arrived somewhere: it must be what its author wrote, or what is left of that.
    func compare(_ write: Write, _ world: World) {
        guard let original = writes[write.dot], original.identity == write.identity,
            original.stamp == write.stamp,
            isLeft(write.action, of: original)
        else { return world.violate("\(write) arrived, which nobody wrote") }
    }

    private func isLeft(_ action: Write.Action, of original: Write) -> Bool {
        switch (action, original.action) {
        case (.partial(let base, let fields), .partial(let other, let all)):
            base == other && fields.isWithin(all)
        case (.count(let begun, let content), .count(let other, let all)):
            begun == other && content.scope == all.scope && content.fields.isWithin(all.fields)
        case (.deletion, .full(let content)): isCleared(content.scope, original.stamp)
        default: action == original.action
        }
    }

    private func isCleared(_ scope: Scope, _ begun: Stamp) -> Bool {
        all.contains { Record($0).clear?.covers(scope, begun) ?? false }
    }
}

extension Fields {
    /// Whether the other has all of these.
    fileprivate func isWithin(_ other: Fields) -> Bool { allSatisfy { other[$0.name] == Array($0.value) } }
}
