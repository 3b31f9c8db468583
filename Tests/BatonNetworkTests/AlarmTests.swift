import BatonNetwork
import Testing

@Suite struct `The alarm of a loop` {
    @Test func `rings again for a timer that is made for the moment of the last ring`() throws {
        let loop = try EventLoop()
        defer { loop.close() }
        let moment = loop.now + .milliseconds(5)
        var order: [Int] = []
        loop.schedule(at: moment) {
            order.append(1)
            loop.schedule(at: moment) { order.append(2) }
        }
        #expect(loop.run(until: loop.now + .seconds(10)) { order == [1, 2] })
    }
}
