package import BatonClient
package import BatonCore

extension JSON {
    /// An event that the node has for a program.
    package init(_ event: AppEvent) {
        switch event {
        case .save(let number, let instance):
            self = .event(
                "save", .init("number", .integer(Int64(clamping: number))),
                .init("instance", .string(instance)))
        case .wasContinued(let instance, let device, let isTaken):
            self = .event(
                "continued", .init("instance", .string(instance)), .init("on", JSON(device)),
                .init("taken", .boolean(isTaken)))
        case .ended(let instance): self = .event("ended", .init("instance", .string(instance)))
        case .continues(let number, let continued):
            self = .event(
                "continue", .init("number", .integer(Int64(clamping: number))),
                .init("continued", JSON(ofContinued: continued)))
        case .streamWanted(let number, let instance, let device):
            self = .event(
                "stream", .init("number", .integer(Int64(clamping: number))),
                .init("instance", .string(instance)), .init("from", JSON(device)))
        case .opens(let number, let instance, let opening):
            let name = opening.index.map { JSON.members(ofIndex: $0, as: "index") }
            self = .event(
                "open",
                members: [
                    Member("number", .integer(Int64(clamping: number))),
                    Member("instance", .string(instance)),
                    Member("type", .string(opening.type)), Member("info", JSON(opening.info)),
                ] + (name ?? [Member("index", .null)]))
        }
    }

    /// The event that asks a program to index again: some items of an index, or all items.
    init(_ extent: ReindexRequest.Extent, of index: ClientStateName) {
        let what: Member =
            switch extent {
            case .all: .init("all", .boolean(true))
            case .items(let items): .init("ids", .array(items.sorted().map { .string($0) }))
            }
        self = .event("reindex", members: JSON.members(ofIndex: index.index, as: "in") + [what])
    }

    /// The name of an index under a key, and `protected` only if the index is protected.
    static func members(ofIndex name: String, as key: String) -> [Member] {
        let isProtected = IndexProtection(ofIndex: name) != nil
        return [Member(key, .string(IndexProtection.bareName(of: name)))]
            + (isProtected ? [Member("protected", .boolean(true))] : [])
    }

    /// An activity that the person continues.
    package init(ofContinued continued: ContinuedActivity) {
        self = .object([
            Member("activity", JSON(continued.summary)), Member("source", .string(continued.source.name)),
            Member("taken", .boolean(continued.isTaken)),
        ])
    }
}

extension AppOpening {
    /// The name of the item's index, as the key `in` of a program's commands writes it.
    fileprivate var index: String? {
        switch self {
        case .item(let item): item.index
        case .search: nil
        }
    }
}

extension ContinuedActivity.Source {
    /// The name of the source in `--json`.
    var name: String {
        switch self {
        case .node: "node"
        case .replica: "replica"
        case .app: "app"
        case .finished: "finished"
        }
    }
}
