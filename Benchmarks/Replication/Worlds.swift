import Simulation

extension Benchmark {
    static let worlds = Benchmark(
        name: "worlds", what: "simulated worlds, by the time that one core spends on them"
    ) { settings in
        let seeds: ClosedRange<UInt64> = 1...settings.pick(100, quick: 20)
        var rates: [Double] = []
        for _ in 0..<settings.pick(5, quick: 1) {
            let started = processorSeconds()
            var count = 0.0
            // One that breaks a promise ends early; that it does is for the tests to find.
            for seed in seeds where World(seed: seed).run() == nil { count += 1 }
            rates.append(count / (processorSeconds() - started))
        }
        return [Figure("worlds", rates.median, "a second")]
    }
}
