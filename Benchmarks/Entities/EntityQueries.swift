import AppIntents
import CSQLite
import CoreSpotlight
import Foundation
import Support

extension Benchmark {
    static let entityQueries = Benchmark(
        name: "entity-queries",
        what:
            "the first ten entities of a query by properties, sorted, against SQL by hand on the same values"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try AppHome()
        let count = settings.pick(100_000, quick: 5000)
        let reports = ReportEntity.drawn(count, seed: 23)
        ReportShelf.reports = Dictionary(uniqueKeysWithValues: reports.map { ($0.id, $0) })
        let table = try ReportTable(folder.path + "/table.sqlite")
        try table.add(reports)
        for start in stride(from: 0, to: count, by: ReportEntity.callCount) {
            let part = Array(reports[start..<min(start + ReportEntity.callCount, count)])
            try awaited { try await CSSearchableIndex(name: "reports").indexAppEntities(part) }
        }
        let sample = reports[0]
        // The path of a query to the node and back, without the search: no result is wanted.
        let goThere: @Sendable () async throws -> Bool = {
            let search = EntityItemSearch(ofType: ReportEntity.persistentIdentifier, query: "*")
            return try await search.first(0, sortedBy: []).isLast
        }
        var (figures, trips) = ([Figure](), [Double]())
        for query in ReportQuery.measured {
            let find: @Sendable () async throws -> [Int] = {
                try await ReportQuery().entities(
                    fitting: query.conditions, mode: .and, sortedBy: [(query.sort, query.order)], limit: 10,
                    sample: sample
                ).map(\.id)
            }
            let (found, expected) = (try awaited(find), try table.find(query.sql).map(\.id))
            guard found == expected else {
                throw BenchmarkFailure("\(query.name): the index finds \(found), and SQL \(expected)")
            }
            var (own, others) = ([Double](), [Double]())
            var ownTrips: [Double] = []
            for number in 0..<settings.pick(41, quick: 5) {
                // Each goes first as often as the other.
                let turns = [
                    { own.append(try milliseconds { use(try awaited(find)) }) },
                    { others.append(try milliseconds { use(try table.find(query.sql)) }) },
                ]
                for turn in number % 2 == 0 ? turns : turns.reversed() { try turn() }
                ownTrips.append(try milliseconds { use(try awaited(goThere)) })
            }
            trips += ownTrips
            figures += [
                Figure("entity query, \(query.name), median", own.median, "ms"),
                Figure("entity query, \(query.name), SQL", others.median, "ms"),
                Figure(
                    "entity query, \(query.name), ratio", own.median / others.median, "×",
                    reach: .atMost(2)),
                Figure(
                    "entity query, \(query.name), of it the round trip", ownTrips.median / others.median,
                    "×"),
            ]
        }
        try home.stop()
        return figures + [Figure("entity query, round trip without a search, median", trips.median, "ms")]
    }
}
