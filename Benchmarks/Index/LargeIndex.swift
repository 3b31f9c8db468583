import BatonCore
import BatonStore
import Support

extension Benchmark {
    static let index = Benchmark(
        name: "index",
        what:
            "a store is filled, against plain SQLite that writes the same rows; it is opened, and a node holds it"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try NodeHome(folder.path + "/large")
        var figures = try fill(settings.largeItems, in: home, beside: folder.path)
        figures += try open(home, settings)
        // It takes as long for each item, however many there are.
        figures += try fillStaged(max(10_000, settings.largeItems / 5), in: folder.path)
        figures += try remember(home, settings)
        return figures
    }
}
