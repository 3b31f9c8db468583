import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Support
import Synchronization
import Testing

@Suite struct `Progress lines` {
    /// The output of a console of that width.
    private func shown(width: Int?, _ body: (Console) throws(LocalFailure) -> Void) throws -> String {
        var text = ""
        let console = Console(
            width: { nil }, errorWidth: { width }, output: { text += "out(\($0))" }, errors: { text += $0 })
        try body(console)
        return text
    }

    @Test func `a progress line appears after a second on a terminal, and disappears before other output`()
        throws
    {
        let text = try shown(width: 30) { (console) throws(LocalFailure) in
            let line = ProgressLine("Waiting for the node", on: console)
            line.tell(.milliseconds(900))
            line.tell(.seconds(1))
            line.tell(.seconds(1))
            line.tell(.seconds(75))
            console.print("done")
            try console.flush()
            try console.flush()
        }
        #expect(
            text
                == "\r\u{1b}[KWaiting for the node … 1 s\r\u{1b}[KWaiting for the node … 1 min…\r\u{1b}[Kout(done\n)"
        )
        let piped = try shown(width: nil) { (console) throws(LocalFailure) in
            ProgressLine("Waiting", on: console).tell(.seconds(9))
            try console.explain("x")
        }
        #expect(piped == "x\n")
    }

    @Test func `a failure replaces the progress line`() throws {
        let hostile = "\u{1b}[2J"
        let text = try shown(width: 80) { (console) throws(LocalFailure) in
            ProgressLine("Waiting", on: console).tell(.seconds(2), "\(hostile) is syncing")
            console.report(LocalFailure(.failed, "It failed."))
        }
        #expect(text == "\r\u{1b}[K\\u{1b}[2J is syncing … 2 s\r\u{1b}[Kbaton: It failed.\n")
    }

    @Test func `status --digest waits while the node settles changes, and prints what remains`() throws {
        let answers = Mutex<[DigestReply]>([
            .digest(StateDigest()), .settling(Unsettled(toClear: 250)), .settling(Unsettled(toMerge: 3)),
        ])
        let node = try FakeNode { _ in answers.withLock { $0.popLast() }.map { .reply($0) } }
        let typed = Typed(node, "status", "--digest")
        #expect(typed.status == 0 && typed.output == String(repeating: "0", count: 64) + "\n", "\(typed)")
        #expect(node.calls.count == 3)
        #expect(
            StatusText.settling(Unsettled(toMerge: 70_000, toClear: Unsettled.countMost))?.text
                == "Waiting: 70000 changes of batches to merge, at least 100000 cleared records to remove")
        #expect(StatusText.settling(Unsettled(toClear: 1))?.text == "Waiting: 1 cleared record to remove")
        #expect(StatusText.settling(Unsettled()) == nil)
    }

    @Test func `baton status says when a device connected, and how many changes behind the device is`() {
        var peer = Example.peer()
        peer.connectedSince = Example.now.advanced(by: .seconds(-200))
        #expect(peer.presence(at: Example.present).text == "connected for 3 minutes, in step")
        peer.isInStep = false
        peer.outOfStepSince = Example.now.advanced(by: .seconds(-62))
        peer.backlog = SyncBacklog(toSend: 12, toTake: 1)
        #expect(
            peer.presence(at: Example.present).text
                == "connected for 3 minutes, syncing for 1 minute (12 changes to send; 1 change to receive)"
        )
        peer.backlog = SyncBacklog(toTake: 31, taken: 120_000)
        #expect(
            peer.presence(at: Example.present).text.hasSuffix(
                "(31 changes to receive; 120000 records received)")
        )
        peer.backlog = SyncBacklog(toSend: 1_000_000, isSendingSnapshot: true)
        #expect(
            peer.presence(at: Example.present).text.hasSuffix(
                "syncing for 1 minute (sending a full copy)"))
        peer.connectedSince = Example.now
        peer.outOfStepSince = Example.now
        peer.backlog = nil
        #expect(peer.presence(at: Example.present).text == "connected just now, syncing")
        #expect(Example.status([peer]).missing == ["desktop is syncing"])
    }
}
