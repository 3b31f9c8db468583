import BatonClient
package import BatonCore
package import BatonTerminal

/// Shows search results to a person.
package struct FoundList {
    private let results: [SearchResult]
    private let explains: Bool
    /// Finds the words of the search in titles, which are then marked.
    private let finder: PhraseFinder

    /// Creates the list of the results for a search text.
    ///
    /// With `explains`, the list shows the parts of each rank.
    package init(_ results: [SearchResult], of text: String = "", explains: Bool = false) {
        (self.results, self.explains) = (results, explains)
        finder = PhraseFinder(Phrase.all(of: text))
    }

    /// A table that has a row for each result.
    ///
    /// The best result comes first.
    package func table(at time: PresentTime) -> Table {
        explains ? ranks : contents(at: time)
    }

    /// A table that shows how the rank of each result was computed.
    private var ranks: Table {
        // If no program computes meanings, meanings are not part of any rank.
        let hasMeaning = results.contains { $0.rank?.meaning ?? 0 > 0 }
        var columns: [Table.Column] = [
            .init("TITLE", least: 8), .init("APP", least: 6), .init("ITEM", least: 6), .init("RANK"),
            .init("TEXT"),
        ]
        if hasMeaning { columns.append(.init("MEANING")) }
        columns += [.init("OPENED"), .init("APP SAYS"), .init("NEW")]
        var table = Table(columns)
        for result in results {
            let cells = columns.dropFirst(3).indices.map { place in
                VisibleText(
                    result.rank.map { Self.number($0.parts(withMeaning: hasMeaning)[place - 3]) } ?? "")
            }
            table.add(
                [
                    VisibleText(result.thing.title ?? ""), VisibleText(result.thing.app),
                    VisibleText(result.thing.identifier),
                ] + cells)
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
            .init("TITLE", least: 8), .init("APP", least: 6), .init("ITEM", least: 6, isOptional: true),
            .init("DEVICE", least: 6), .init("INDEXED", isOptional: true),
            .init("ABOUT", least: 12, isOptional: true), .init("URL", least: 16, isOptional: true),
        ])
        for result in results {
            let thing = result.thing
            let title = thing.title ?? ""
            table.add(marked: [
                MarkedText(title, marking: finder.ranges(in: title)), MarkedText(VisibleText(thing.app)),
                MarkedText(VisibleText(thing.identifier)), MarkedText(result.deviceNames),
                MarkedText(thing.time.map { time.text($0) } ?? ""), Self.about(result),
                MarkedText(VisibleText(thing.url ?? "")),
            ])
        }
        return table
    }

    /// The part of the result's text that contains the words, or else the beginning of its summary.
    static func about(_ result: SearchResult) -> MarkedText {
        if let snippet = result.snippet { return MarkedText(snippet.text, marking: snippet.ranges) }
        let line = (result.thing.summary ?? "").split(whereSeparator: \.isNewline).first ?? ""
        return MarkedText(VisibleText(line.prefix(aboutLength)))
    }

    /// The maximum number of characters of a summary, even if lines may have any length.
    private static let aboutLength = 80
}

extension ItemRank {
    /// The score and the parts that it consists of, in the order of the columns.
    fileprivate func parts(withMeaning hasMeaning: Bool) -> [Double] {
        [score, text] + (hasMeaning ? [meaning] : []) + [use, hint, freshness]
    }
}

extension FoundThing {
    /// The identifier that the app gave the item, or else the short identifier of the activity.
    fileprivate var identifier: String { item?.identifier ?? activity?.shortIdentifier ?? "" }
}

extension SearchResult {
    /// The names of the devices that have the result.
    var deviceNames: VisibleText { devices.map { $0.isHere ? "here" : VisibleText($0.name) }.joined(", ") }

    /// The devices that have the result, as part of a sentence.
    var places: VisibleText { devices.map { $0.isHere ? "here" : "on \($0.name)" }.joined(", ") }
}

extension FoundActivity {
    /// The beginning of the identifier, with the same length as in a list of activities.
    fileprivate var shortIdentifier: String { String(identifier.prefix(7)) }
}

extension JSON {
    /// A search result.
    package init(_ result: SearchResult) {
        let thing = result.thing
        let kind =
            switch thing {
            case .item: "item"
            case .activity: "activity"
            case .both: "both"
            }
        self = .object([
            Member("kind", .string(kind)), Member("app", .string(thing.app)),
            Member("title", JSON(thing.title)), Member("summary", JSON(thing.summary)),
            Member("url", JSON(thing.url)), Member("time", JSON(thing.time)),
            Member("item", thing.item.map { JSON($0) } ?? .null),
            Member("activity", thing.activity.map { JSON($0) } ?? .null),
            Member("rank", result.rank.map { JSON($0) } ?? .null),
            Member("devices", .array(result.devices.map { JSON($0) })),
            Member("snippet", result.snippet.map { JSON($0) } ?? .null),
        ])
    }

    /// The identifiers of an item, and the time when it was indexed.
    private init(_ item: FoundItem) {
        self = .object([
            Member("app", .string(item.app)),
            Member("index", .string(IndexProtection.bareName(of: item.index))),
            Member("id", .string(item.identifier)), Member("domain", JSON(item.domain)),
            Member("indexed", JSON(item.indexed)), Member("protected", .boolean(item.name.isProtected)),
        ])
    }

    /// The identifiers of an ended activity, and the time when it ended.
    private init(_ activity: FoundActivity) {
        self = .object([
            Member("id", .string(activity.identifier)), Member("app", .string(activity.app)),
            Member("type", .string(activity.type)), Member("finished", JSON(activity.ended)),
            Member("here", .boolean(activity.isHere)),
        ])
    }
}

extension JSON {
    /// A part of a text, and the ranges of the words in it.
    ///
    /// The ranges count Unicode scalars, as most languages do.
    fileprivate init(_ snippet: Snippet) {
        let bytes = snippet.text.utf8
        let place = { (offset: Int) -> JSON in
            let end =
                bytes.index(bytes.startIndex, offsetBy: offset, limitedBy: bytes.endIndex) ?? bytes.endIndex
            return .integer(Int64(snippet.text.unicodeScalars[..<end].count))
        }
        self = .object([
            Member("text", .string(snippet.text)),
            Member(
                "ranges", .array(snippet.ranges.map { .array([place($0.lowerBound), place($0.upperBound)]) })),
        ])
    }

    /// The score of a result, and the parts that it consists of.
    fileprivate init(_ rank: ItemRank) {
        self = .object([
            Member("score", .real(rank.score)), Member("text", .real(rank.text)),
            Member("use", .real(rank.use)), Member("hint", .real(rank.hint)),
            Member("freshness", .real(rank.freshness)), Member("meaning", .real(rank.meaning)),
        ])
    }
}

extension FoundThing {
    /// The title, or else the identifier of the item, or else the type of the activity.
    package var name: String { title ?? item?.identifier ?? activity?.type ?? "" }
}

extension SearchResult {
    /// The app, the devices and the time of the result.
    func whereabouts(at time: PresentTime) -> VisibleText {
        let places: [VisibleText] = devices.isEmpty ? [] : [places]
        return ([VisibleText(thing.app)] + places + (thing.time.map { [time.text($0)] } ?? [])).joined(", ")
    }
}
