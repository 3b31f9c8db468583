import Support
import Testing

@Suite struct `An idle node` {
    @Test func `releases the code pages of its start and of commands`() throws {
        let machine = try Account("laptop")[0]
        for _ in 0..<2 {
            try machine.must("status")
            let busy = try machine.nodeMemory("RssFile")
            try eventually("a node that gives code back", within: .seconds(60)) {
                try machine.nodeMemory("RssFile") < busy * 3 / 4
            }
        }
    }
}
