import Foundation
import Support
import Testing

/// The secrets that somebody could find in the memory of a node.
@Suite struct `A node's memory` {
    @Test func `a node's memory does not contain the text of its key files`() throws {
        let laptop = try Account("laptop")[0]
        let node = try #require(laptop.nodeNumber)
        let identity = laptop.home + "/accounts/default/identity/"
        for name in ["device-key.pem", "owner-key.pem"] {
            let pem = try #require(File.read(identity + name))
            let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
            #expect(lines.count >= 3)
            for line in lines.prefix(2) {
                #expect(try !ProcessMemory.contains(String(line), node), "\(name)")
            }
        }
        // A text that is not secret is found by this method.
        #expect(try ProcessMemory.contains("laptop", node))
    }
}
