import BatonCore
import BatonStore
import Support

extension Benchmark {
    static let rankingByUse = Benchmark(
        name: "use", what: "documents that a made-up person looks for, ranked by use and by text alone"
    ) { settings in
        let days = settings.pick(240, quick: 60)
        let trace = UseTrace(
            seed: 25, documents: settings.pick(2000, quick: 300), days: days,
            openingsPerDay: settings.pick(20, quick: 8))
        let (used, bare) = (try UsedStore(trace), try UsedStore(trace))
        let with = try trace.reciprocalRank(fromDay: days / 2) {
            try used.find($0)
        } open: {
            try used.open($0)
        }
        let without = try trace.reciprocalRank(fromDay: days / 2) {
            try bare.find($0)
        } open: { _ in
        }
        return [
            Figure("use, reciprocal rank", with, "of 1"),
            Figure("use, reciprocal rank, text alone", without, "of 1"),
            Figure("use, reciprocal rank over text alone", with / without, "times", reach: .atLeast(1)),
        ]
    }
}

/// A store with the documents of a trace, as one device has them.
private final class UsedStore {
    private let folder: TemporaryFolder
    private let filled: FilledStore
    private let reader: SearchReader
    private static let device = DeviceIdentifier(high: 1, low: 1)

    init(_ trace: UseTrace) throws {
        folder = try TemporaryFolder()
        filled = try FilledStore(folder.path)
        let drafts = trace.titles.enumerated().map { number, title in
            var item = Item()
            item.attributes[.title] = .plain(.string(title))
            let name = Self.name(number)
            return Journal.Draft(.full(item.content(name)), name.key)
        }
        use(try filled.store.commit(try filled.transaction(drafts)))
        reader = try SearchReader(folder: folder.path, stop: SearchStop())
    }

    private static func name(_ number: Int) -> ItemName {
        ItemName(app: "org.example.documents", index: "main", identifier: "\(number)")
    }

    func find(_ opening: UseTrace.Opening) throws -> [Int] {
        try reader.find(opening.typed, most: 10, at: opening.time).things.compactMap {
            $0.thing.item.flatMap { Int($0.identifier) }
        }
    }

    func open(_ opening: UseTrace.Opening) throws {
        let draft = Journal.Draft(late: .opening(Self.name(opening.document), Self.device, opening.time))
        use(try filled.store.commit(try filled.transaction([draft])))
    }
}
