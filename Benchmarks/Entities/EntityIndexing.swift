import AppIntents
import CoreSpotlight
import Foundation
import Support

extension Benchmark {
    static let entityIndexing = Benchmark(
        name: "entity-indexing",
        what: "indexing entities, against items with the same attributes that an app makes itself"
    ) { settings in
        let home = try AppHome()
        let count = settings.pick(10_000, quick: 1000)
        let reports = ReportEntity.drawn(count, seed: 29)
        for report in reports.prefix(100) where !report.itemByHand.hasAttributes(of: report) {
            throw BenchmarkFailure("the item of report \(report.id) has other attributes than the entity")
        }
        var (entityTime, itemTime) = (Spent(), Spent())
        for start in stride(from: 0, to: count, by: ReportEntity.callCount) {
            let part = Array(reports[start..<min(start + ReportEntity.callCount, count)])
            let turns = [
                {
                    try entityTime.add {
                        try awaited { try await CSSearchableIndex(name: "entities").indexAppEntities(part) }
                    }
                },
                {
                    try itemTime.add {
                        try awaited {
                            let items = part.map(\.itemByHand)
                            try await CSSearchableIndex(name: "items").indexSearchableItems(items)
                        }
                    }
                },
            ]
            for turn in start / ReportEntity.callCount % 2 == 0 ? turns : turns.reversed() { try turn() }
        }
        try home.stop()
        return [
            Figure("entities indexed", Double(count) / entityTime.seconds, "entities a second"),
            Figure("entities indexed, the same items", Double(count) / itemTime.seconds, "items a second"),
            Figure(
                "entities indexed, ratio", entityTime.seconds / itemTime.seconds, "×", reach: .atMost(1.3)),
        ]
    }
}

extension CSSearchableItem {
    /// Whether the item has the same attributes as the item of an entity.
    fileprivate func hasAttributes(of report: ReportEntity) -> Bool {
        attributeSet == CSSearchableItem(appEntity: report).attributeSet
    }
}
