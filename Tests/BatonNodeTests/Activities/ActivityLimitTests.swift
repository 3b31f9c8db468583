import BatonCore
import BatonNetwork
import BatonNode
import BatonStore
import Support
import Testing

/// The limits of the number and size of the activities of a device.
@Suite struct `The limits of the activities of a device` {
    private func start(_ number: Int, bytes: Int = 10) -> StartActivity {
        var change = ActivityChange()
        change.title = String(repeating: "x", count: bytes)
        return StartActivity(
            app: "org.example.app", instance: "window \(number)", lifetime: .untilFinished,
            type: "org.example.edit", change: change)
    }

    private func isRefused(_ answer: Result<ActivitySummary, LocalFailure>) -> Bool {
        if case .failure(let failure) = answer { failure == .tooManyActivities } else { false }
    }

    @Test func `an activity beyond the limit is refused until another one has ended`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        for number in 0..<Limits.deviceActivities { #expect(!isRefused(try app.ask(start(number)))) }
        #expect(isRefused(try app.ask(start(-1))))
        // An activity that replaces another one does not count.
        #expect(!isRefused(try app.ask(start(0))))
        _ = try app.ask(FinishActivity(.instance(app: "org.example.app", instance: "window 0")))
        #expect(!isRefused(try app.ask(start(-1))))
    }

    @Test func `an activity that exceeds the limit of bytes is refused`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        var begun = 0
        while !isRefused(try app.ask(start(begun, bytes: 120_000))) { begun += 1 }
        #expect(begun == Limits.deviceActivitiesBytes / 120_100)
    }
}

@Suite struct `Reads from a store` {
    @Test func `a read waits for changes that were submitted after it`() throws {
        let threads = try Threads(try TemporaryFolder())
        let gate = threads.block(.activities)
        for number in 0..<4 {
            threads.store.read(from: .activities) { (_) throws(StoreFailure) in
            } then: {
                threads.note("read \(number)")($0)
            }
        }
        threads.commit(1, in: .activities, name: "changed")
        gate.leave(true)
        try eventually("all answers") { threads.lines.contains("read 3") }
        let place = try #require(threads.lines.firstIndex(of: "changed"))
        // The thread may already have been at the first read.
        #expect(try #require(threads.lines.firstIndex(of: "read 1")) > place, "\(threads.lines)")
    }
}
