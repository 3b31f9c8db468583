import Foundation

/// Python's cbor2 in a child process, in its C implementation, which measures itself when it is asked to.
final class CBOR2 {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private var pending = Data()

    /// Hands it the values that it will write and read.
    init(_ encodings: [[UInt8]]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", "Benchmarks/Python/cbor2_timing.py"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let texts = encodings.map { bytes in bytes.map { String(format: "%02x", $0) }.joined() }
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(texts) + Data("\n".utf8))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Returns an operation of the child as a contender of a measurement.
    func contender(_ name: String, _ operation: String) -> Measurement.Contender {
        Measurement.Contender(name) { [self] count in
            try input.fileHandleForWriting.write(contentsOf: Data("\(operation) \(count)\n".utf8))
            guard let line = readLine(), let nanoseconds = Double(line) else {
                throw BenchmarkFailure("the child that runs cbor2 ended early")
            }
            return nanoseconds
        }
    }

    private func readLine() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            pending.append(more)
        }
    }
}
