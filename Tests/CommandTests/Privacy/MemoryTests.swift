import Foundation
import Support
import Testing

/// The secrets that somebody could find in the memory of a node.
@Suite struct `A node's memory` {
    /// Whether the writable memory of a process contains a text.
    private func contains(_ text: String, _ process: pid_t) throws -> Bool {
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

    @Test func `a node's memory does not contain the text of its key files`() throws {
        let laptop = try Account("laptop")[0]
        let node = try #require(laptop.nodeNumber)
        let identity = laptop.home + "/accounts/default/identity/"
        for name in ["device-key.pem", "owner-key.pem"] {
            let pem = try #require(File.read(identity + name))
            let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
            #expect(lines.count >= 3)
            for line in lines.prefix(2) { #expect(try !contains(String(line), node), "\(name)") }
        }
        // A text that is not secret is found by this method.
        #expect(try contains("“laptop” (", node) || contains("laptop", node))
    }
}
