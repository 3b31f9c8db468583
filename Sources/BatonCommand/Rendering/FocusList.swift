package import BatonClient
package import BatonCore
package import BatonTerminal

/// The focuses of the person, for a person and as JSON.
package struct FocusList {
    private let settings: FocusSettings

    package init(_ settings: FocusSettings) { self.settings = settings }

    /// A table with a row for each focus.
    package var table: Table {
        var table = Table([.init("FOCUS", least: 6), .init("STATE"), .init("SETTINGS OF", least: 8)])
        for focus in settings.focuses {
            let apps = Set(focus.filters.map(\.app)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            table.add([
                VisibleText(focus.name), isOn(focus) ? "on" : "off",
                apps.map { VisibleText($0) }.joined(", "),
            ])
        }
        return table
    }

    /// The line that says which focus is on.
    package func state(at time: PresentTime) -> VisibleText {
        guard let present = settings.present, let last = settings.last else { return "No focus is on." }
        return "“\(present.name)” is on, since \(time.text(last.changed))."
    }

    /// The settings of a focus as lines: each is the command that makes the setting.
    package static func lines(of focus: Focus) -> [VisibleText] {
        guard !focus.filters.isEmpty else { return ["The focus “\(focus.name)” has no settings."] }
        return focus.filters.map { filter in
            let values = filter.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let words =
                ["baton", "focus", "set", focus.name, filter.app, filter.intent]
                + values.flatMap { name, texts in
                    texts.isEmpty ? ["--no-\(name)"] : texts.map { "--\(name)=\($0)" }
                }
            return VisibleText(words.map { ShellWord.quoted($0) }.joined(separator: " "))
        }
    }

    /// All focuses, and the name of the one that is on.
    package var json: JSON {
        .object([
            .init("on", JSON(settings.present?.name)), .init("changed", JSON(settings.last?.changed)),
            .init("focuses", .array(settings.focuses.map { Self.json(of: $0, isOn: isOn($0)) })),
        ])
    }

    private func isOn(_ focus: Focus) -> Bool {
        settings.present.map { $0.name.utf8.elementsEqual(focus.name.utf8) } ?? false
    }

    /// A focus with its settings.
    package static func json(of focus: Focus, isOn: Bool) -> JSON {
        .object([
            .init("name", .string(focus.name)), .init("on", .boolean(isOn)),
            .init("created", JSON(focus.created)),
            .init(
                "settings",
                .array(
                    focus.filters.map { filter in
                        let values = filter.values.sorted {
                            $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
                        }
                        return .object([
                            .init("app", .string(filter.app)), .init("intent", .string(filter.intent)),
                            .init(
                                "values",
                                .object(
                                    values.map { name, texts in
                                        JSON.Member(name, .array(texts.map { .string($0) }))
                                    })),
                        ])
                    })),
        ])
    }
}
