package import BatonCore

/// Search results, for a person.
package struct FoundList {
    private let items: [FoundItem]

    package init(_ items: [FoundItem]) { self.items = items }

    /// A table with one row for each item, the best first.
    package func table(at time: PresentTime) -> Table {
        var table = Table([
            .init("TITLE", least: 8), .init("APP", least: 6), .init("ITEM", least: 6),
            .init("INDEXED", isOptional: true), .init("ABOUT", least: 12, isOptional: true),
            .init("URL", least: 16, isOptional: true),
        ])
        for item in items {
            let line = (item.summary ?? "").split(whereSeparator: \.isNewline).first ?? ""
            table.add([
                VisibleText(item.title ?? ""), VisibleText(item.app), VisibleText(item.identifier),
                item.indexed.map { time.text($0) } ?? "", VisibleText(line.prefix(Self.aboutLength)),
                VisibleText(item.url ?? ""),
            ])
        }
        return table
    }

    /// The most characters of a summary that are shown, even without a limit on the line's length.
    private static let aboutLength = 80
}

extension JSON {
    /// A search result.
    package init(_ item: FoundItem) {
        self = .object([
            Member("app", .string(item.app)), Member("index", .string(item.index)),
            Member("item", .string(item.identifier)), Member("domain", JSON(item.domain)),
            Member("title", JSON(item.title)), Member("summary", JSON(item.summary)),
            Member("url", JSON(item.url)), Member("indexed", JSON(item.indexed)),
        ])
    }
}
