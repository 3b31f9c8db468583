package import BatonClient
package import BatonCore
package import BatonTerminal

/// The entities that current activities are about, which are on the screens of the person's machines.
package struct ShownEntityList {
    private let shown: [(entity: Activity.Entity, summary: ActivitySummary)]

    /// Creates the list from the current activities; if a type is given, from those about entities of that type.
    ///
    /// Hidden activities are left out.
    package init(_ activities: [ActivitySummary], ofType type: String? = nil) {
        shown = activities.filter { !$0.isForgotten }.compactMap { summary in
            guard let entity = summary.activity.namedEntity,
                type.map({ $0.utf8.elementsEqual(entity.type.utf8) }) ?? true
            else { return nil }
            return (entity, summary)
        }
    }

    package var isEmpty: Bool { shown.isEmpty }

    /// Returns a table with a row for each entity on a screen, in the order of the activities.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("ENTITY", least: 6), .init("ID", least: 6), .init("TITLE", least: 8),
            .init("APP", least: 6),
            .init("DEVICE", least: 6), .init("CHANGED", isOptional: true),
        ])
        for (entity, summary) in shown {
            table.add([
                VisibleText(entity.type), VisibleText(entity.identifier),
                VisibleText(summary.activity.title ?? ""), VisibleText(summary.app),
                summary.device.isHere ? "here" : VisibleText(summary.device.name),
                time.text(summary.activity.changed),
            ])
        }
        return table
    }

    /// The entities with their activities.
    package var json: JSON {
        .object([
            .init(
                "entities",
                .array(
                    shown.map { entity, summary in
                        .object([
                            .init("type", .string(entity.type)), .init("id", .string(entity.identifier)),
                            .init("activity", JSON(summary)),
                        ])
                    }))
        ])
    }
}
