import BatonCore
import BatonNetwork
import BatonNode
import BatonStore
import Support
import Testing

/// How many activities one device may have.
@Suite struct `A device with as many activities as it may have` {
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

    @Test func `begins no further one until one has ended`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        for number in 0..<Limits.deviceActivities { #expect(!isRefused(try app.ask(start(number)))) }
        #expect(isRefused(try app.ask(start(-1))))
        // One that takes the place of another is no further one.
        #expect(!isRefused(try app.ask(start(0))))
        _ = try app.ask(FinishActivity(.instance(app: "org.example.app", instance: "window 0")))
        #expect(!isRefused(try app.ask(start(-1))))
    }

    @Test func `has no more bytes of them than it may have`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        var app = try node.connect()
        var begun = 0
        while !isRefused(try app.ask(start(begun, bytes: 120_000))) { begun += 1 }
        #expect(begun == Limits.deviceActivitiesBytes / 120_100)
    }
}

@Suite struct `Readings of a store` {
    @Test func `wait behind changes that were submitted later, one at a time`() throws {
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
        // The thread may have been at the first of them.
        #expect(try #require(threads.lines.firstIndex(of: "read 1")) > place, "\(threads.lines)")
    }
}
