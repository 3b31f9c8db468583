package import BatonCore

/// Search results, for a person.
package struct FoundList {
    private let items: [FoundItem]
    private let explains: Bool

    /// Creates a list, which shows the parts of each rank if it explains.
    package init(_ items: [FoundItem], explains: Bool = false) {
        (self.items, self.explains) = (items, explains)
    }

    /// A table with one row for each item, the best first.
    package func table(at time: PresentTime) -> Table {
        explains ? ranks : contents(at: time)
    }

    /// A table with the parts of each rank.
    private var ranks: Table {
        var table = Table([
            .init("TITLE", least: 8), .init("APP", least: 6), .init("ITEM", least: 6), .init("RANK"),
            .init("TEXT"), .init("OPENED"), .init("APP SAYS"), .init("NEW"),
        ])
        for item in items {
            let parts = item.rank.map { [$0.score, $0.text, $0.use, $0.hint, $0.freshness] } ?? []
            let cells = (0..<5).map { VisibleText($0 < parts.count ? Self.number(parts[$0]) : "") }
            table.add(
                [VisibleText(item.title ?? ""), VisibleText(item.app), VisibleText(item.identifier)] + cells)
        }
        return table
    }

    /// A number with two decimals.
    private static func number(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private func contents(at time: PresentTime) -> Table {
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
            Member("rank", item.rank.map { JSON($0) } ?? .null),
        ])
    }
}

extension JSON {
    /// The parts of a rank, and the score that they make.
    fileprivate init(_ rank: ItemRank) {
        self = .object([
            Member("score", .real(rank.score)), Member("text", .real(rank.text)),
            Member("use", .real(rank.use)), Member("hint", .real(rank.hint)),
            Member("freshness", .real(rank.freshness)),
        ])
    }
}
