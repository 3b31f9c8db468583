import BatonCore
import BatonNode
import Glibc
import Support
import Testing

/// A device that requests more than it reads.
@Suite struct `Devices that read slowly or not at all` {
    /// Two homes of one account, and the node of the first, which has a large activity.
    private struct Stage {
        let node: RunningNode
        let far: Home
        let activity: RecordIdentity

        init(_ folder: TemporaryFolder, payload bytes: Int, _ change: (inout Limits) -> Void) throws {
            node = try RunningNode.first(folder, "near") {
                $0.backlogBytes = 64 << 10
                $0.closingTime = .milliseconds(50)
                change(&$0)
            }
            try node.admit("far")
            far = try RunningNode.home(folder, "far")
            var change = ActivityChange()
            change.set = [.string("text"): .data([UInt8](repeating: 7, count: bytes))]
            guard
                case .success = try node.ask(
                    StartActivity(
                        app: "org.example", instance: "1", lifetime: .untilFinished,
                        type: "org.example.edit",
                        change: change)),
                case .success(let status) = try node.ask(GetStatus())
            else { throw DeadlinePassed(description: "an activity") }
            let name = ActivityName(device: status.device.identifier, app: "org.example", instance: "1")
            activity = name.key.identity
        }

        /// Returns the lines of the node's log that contain a text.
        func lines(_ text: String) -> [String] { node.lines.filter { $0.contains(text) } }

        func request(_ number: Int) -> PeerMessage {
            .continueRequest(ContinueRequest(number: UInt64(number), identity: activity))
        }

        /// Checks that the device is not connected, and that the log and the status say why.
        func expectDisconnected(because text: String) throws {
            try eventually("the end of the connection: \(node.lines)") {
                !lines("no longer connected with “far”: \(text) (code 7)").isEmpty
            }
            let peer = try #require(try node.peers().first)
            #expect(!peer.isConnected && peer.trouble == text && peer.closeCode == 7)
        }
    }

    @Test func `a device that reads nothing for too long is disconnected`() throws {
        let folder = try TemporaryFolder()
        let stage = try Stage(folder, payload: 100_000) { $0.readingTime = .milliseconds(300) }
        let far = try ActedDevice(stage.far, callingPort: stage.node.port)
        far.stopReading()
        let (continued, given) = ("was continued on “far”", "the other side has read nothing for 0.3 seconds")
        // One request after the other, until one is not read because too much waits for the device.
        var asked = 0
        while stage.lines(continued).count == asked {
            asked += 1
            try #require(asked < 1000, "the requests fit the buffers of the machine")
            far.say(stage.request(asked))
            try eventually("an answer to request \(asked), or an end: \(stage.node.lines)") {
                stage.lines(continued).count == asked || !stage.lines(given).isEmpty
            }
        }
        try stage.expectDisconnected(because: given)
        // The device is served again once it reads.
        let again = try ActedDevice(stage.far, callingPort: stage.node.port)
        again.say(stage.request(1))
        var isAnswered = false
        while !isAnswered, let message = try again.next() {
            if case .continueAnswer(let answer) = message, case .fields = answer.outcome { isAnswered = true }
        }
        #expect(isAnswered, "\(stage.node.lines)")
    }

    @Test func `a device that reads slowly stays connected`() throws {
        let folder = try TemporaryFolder()
        let stage = try Stage(folder, payload: 100_000) { $0.readingTime = .seconds(1) }
        let far = try ActedDevice(stage.far, callingPort: stage.node.port)
        far.stopReading()
        // More than the kernel and the node buffer before they stop reading from the device, but less than the limit.
        far.say((1...20).map(stage.request))
        // Read slowly, for several times as long as a device may read nothing.
        let end = ContinuousClock.now + .milliseconds(3500)
        while ContinuousClock.now < end {
            try #require(try far.receive(upTo: 32 << 10), "given up: \(stage.node.lines.suffix(2))")
            usleep(100_000)
        }
        #expect(try stage.node.peers().map(\.isConnected) == [true], "\(stage.node.lines.suffix(2))")
    }

    @Test func `a device whose backlog exceeds the limit is disconnected immediately`() throws {
        let folder = try TemporaryFolder()
        var most = 0
        let stage = try Stage(folder, payload: 125_000) {
            $0.readingTime = .seconds(600)
            $0.sentBytes = 1 << 20
            most = $0.backlogMost
        }
        let far = try ActedDevice(stage.far, callingPort: stage.node.port)
        far.stopReading()
        // As many requests as may be open; the node has answered them all before it looks at the backlog.
        far.say((1...Limits.continuingRequests).map(stage.request))
        try stage.expectDisconnected(
            because: "the other side reads too slowly: more than \(most) bytes are waiting for it")
    }
}
