import Foundation
import Support
import Testing

/// The memory of a process of the test.
enum ProcessMemory {
    /// Whether the writable memory of a process contains a text.
    static func contains(_ text: String, _ process: pid_t) throws -> Bool {
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0, "a test may read the memory of its own child")
        defer { close(memory) }
        let maps = try #require(File.read("/proc/\(process)/maps"))
        for line in maps.split(separator: "\n") where line.contains(" rw-p ") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            guard bounds.count == 2 else { continue }
            var part = Data(count: bounds[1] - bounds[0])
            let count = part.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, bounds[0]) }
            if count > 0, part.prefix(count).range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}
