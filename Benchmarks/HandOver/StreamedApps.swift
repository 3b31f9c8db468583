import Support

/// Two apps of which one pours a file, and the other swallows it to its end.
enum StreamedApps {
    /// How many mebibytes a second come from the one socket to the other.
    static func rate(
        _ input: String, _ megabytes: Int, from near: String, to far: String, in folder: TemporaryFolder
    ) throws -> Double {
        let swallowing = try TransportProgram(.bare, ["swallow", far], in: folder)
        let started = try TransportProgram(.bare, ["pour", near, input], in: folder).number()
        let heard = try swallowing.numbers()
        guard heard.count == 2, heard[0] == Double(megabytes << 20) else {
            throw BenchmarkFailure("\(heard) came of \(megabytes) MiB")
        }
        return Double(megabytes) / ((heard[1] - started) / 1e9)
    }
}
