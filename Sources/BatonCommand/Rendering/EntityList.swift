package import BatonClient
package import BatonCore
package import BatonTerminal

/// Entities that a search found, for a person and as JSON.
package struct EntityList {
    private let entities: [FoundEntity]

    package init(_ entities: [FoundEntity]) { self.entities = entities }

    /// Returns a table with a row for each entity, in the order of the search.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("ID", least: 6), .init("TITLE", least: 8), .init("ABOUT", least: 12, isOptional: true),
            .init("DEVICE", least: 6), .init("INDEXED", isOptional: true),
        ])
        for entity in entities {
            let thing = entity.result.thing
            table.add(marked: [
                MarkedText(VisibleText(entity.identifier)), MarkedText(VisibleText(thing.title ?? "")),
                FoundList.about(entity.result), MarkedText(entity.result.deviceNames),
                MarkedText(thing.time.map { time.text($0) } ?? ""),
            ])
        }
        return table
    }

    /// Returns the entities as JSON, and whether all items were searched.
    package func json(isWhole: Bool) -> JSON {
        .object([
            .init("entities", .array(entities.map { JSON($0) })), .init("complete", .boolean(isWhole)),
        ])
    }
}

extension JSON {
    /// An entity: its type, its identifier, and the result of the search.
    package init(_ entity: FoundEntity) {
        let thing = entity.result.thing
        self = .object([
            Member("type", .string(entity.type)), Member("id", .string(entity.identifier)),
            Member("app", .string(thing.app)), Member("title", JSON(thing.title)),
            Member("summary", JSON(thing.summary)), Member("url", JSON(thing.url)),
            Member("indexed", JSON(thing.item?.indexed)),
            Member("devices", .array(entity.result.devices.map { JSON($0) })),
        ])
    }
}
