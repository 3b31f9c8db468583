import BatonNetwork
import Testing

@Suite struct `A monitor` {
    @Test func `a wait with a time limit returns once the value is set or the time is up`() throws {
        let monitor = Monitor(0)
        #expect(monitor.wait(within: .zero) { $0 == 0 ? "at once" : nil } == "at once")
        #expect(monitor.wait(within: .milliseconds(20)) { $0 == 1 ? "never" : nil } == nil)
        try SystemThread(name: "test") { monitor.change { $0 = 1 } }.detach()
        #expect(monitor.wait(within: .seconds(30)) { $0 == 1 ? "changed" : nil } == "changed")
    }
}
