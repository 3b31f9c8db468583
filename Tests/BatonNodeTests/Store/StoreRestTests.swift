import BatonNetwork
import BatonNode
import Testing

@Suite struct `A store at rest` {
    private let loop: EventLoop
    private let pause = Duration.milliseconds(20)

    init() throws { loop = try EventLoop() }

    /// The moments at which memory was given back.
    private final class Releases {
        var moments: [MonotonicTime] = []
    }

    @Test func `releases memory after a pause, which is longer if it holds little`() {
        var order: [String] = []
        let began = loop.now
        let little = StoreRest(on: loop, after: pause) { order.append("little") }
        let much = StoreRest(on: loop, after: pause) { order.append("much") }
        little.noteQuestion()
        much.noteQuestion()
        much.handleGrowth()
        #expect(loop.run(until: began + .seconds(30)) { order.count == 1 })
        #expect(loop.now - began >= pause)
        #expect(loop.run(until: began + .seconds(30)) { order.count == 2 })
        #expect(loop.now - began >= pause * StoreRest.patience)
        #expect(order == ["much", "little"])
    }

    @Test func `releases no memory while it gets requests`() {
        let (releases, began) = (Releases(), loop.now)
        let rest = StoreRest(on: loop, after: pause) { [loop] in releases.moments.append(loop.now) }
        let end = began + pause * (3 * StoreRest.patience)
        // Each pause begins with a question.
        func ask() {
            rest.noteQuestion()
            if loop.now < end { loop.schedule(after: pause / 4) { ask() } }
        }
        ask()
        rest.handleGrowth()
        #expect(loop.run(until: began + .seconds(30)) { !releases.moments.isEmpty })
        #expect(releases.moments.first.map { $0 >= end } == true)
    }

    @Test func `does not wake the loop for the requests that are part of releasing memory`() {
        let releases = Releases()
        var rest: StoreRest?
        rest = StoreRest(on: loop, after: pause) { [loop] in
            rest?.noteQuestion()
            releases.moments.append(loop.now)
        }
        rest?.noteQuestion()
        #expect(loop.run(until: loop.now + .seconds(30)) { !releases.moments.isEmpty })
        let before = loop.wakeUps
        _ = loop.run(until: loop.now + pause * (3 * StoreRest.patience)) { releases.moments.count > 1 }
        #expect(releases.moments.count == 1)
        #expect(loop.wakeUps - before <= 1, "a timer is still set")
        rest = nil
    }
}
