import Foundation

/// Runs benchmarks: all, or those that `ONLY` names, apart by commas; with `QUICK=1` a short form of each, with `ITEMS=`
/// those of a large index with so many items.
///
/// Prints a table and writes `.build/bench.json`. The status is 1 if a figure is not what it should be, unless it was
/// to be quick: so little is measured then that a busy machine can spoil it.
@main
enum Main {
    static func main() throws {
        if CommandLine.arguments.dropFirst().first == TransportSide.word {
            return try TransportSide.run(Array(CommandLine.arguments.dropFirst(2)))
        }
        let environment = ProcessInfo.processInfo.environment
        let settings = Settings(
            isQuick: !["", "0"].contains(environment["QUICK"] ?? ""),
            largeIndex: environment["ITEMS"].flatMap { Int($0) })
        let chosen = choose(environment["ONLY"] ?? "")
        var report = Report()
        say(Report.header)
        for benchmark in chosen {
            say("-- \(benchmark.name): \(benchmark.what)")
            do {
                for figure in try benchmark.run(settings) {
                    report.add(figure)
                    say(Report.line(figure))
                }
            } catch {
                FileHandle.standardError.write(Data("bench: \(benchmark.name): \(error)\n".utf8))
                exit(2)
            }
        }
        try report.write(to: ".build/bench.json")
        guard !report.failures.isEmpty else { return }
        print("\nNot reached: \(report.failures.joined(separator: ", "))")
        if !settings.isQuick { exit(1) }
    }

    /// Prints a line at once, so that it is seen even if what comes next does not come to its end.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func choose(_ names: String) -> [Benchmark] {
        let names = names.split(separator: ",").map(String.init)
        guard !names.isEmpty else { return Benchmark.all }
        return names.map { name in
            guard let benchmark = Benchmark.all.first(where: { $0.name == name }) else {
                let all = Benchmark.all.map(\.name).joined(separator: ", ")
                FileHandle.standardError.write(Data("bench: there is no “\(name)”; there are \(all)\n".utf8))
                exit(2)
            }
            return benchmark
        }
    }
}
