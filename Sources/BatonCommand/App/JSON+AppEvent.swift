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
            self = .event(
                "open", .init("number", .integer(Int64(clamping: number))),
                .init("instance", .string(instance)), .init("type", .string(opening.type)),
                .init("info", JSON(opening.info)),
                .init("index", JSON(opening.index.map { IndexProtection.bareName(of: $0) })),
                .init(
                    "protected", .boolean(opening.index.map { IndexProtection(ofIndex: $0) != nil } ?? false))
            )
        }
    }

    /// The event that asks a program to index again: some items of an index, or all items.
    init(_ extent: ReindexRequest.Extent, of index: ClientStateName) {
        let what: Member =
            switch extent {
            case .all: .init("all", .boolean(true))
            case .items(let items): .init("ids", .array(items.sorted().map { .string($0) }))
            }
        self = .event(
            "reindex", .init("in", .string(IndexProtection.bareName(of: index.index))),
            .init("protected", .boolean(index.isProtected)), what)
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
