import BatonCore
import BatonStore
import Foundation
import Support

/// Small writes now and then, as apps make them while someone works, and what else keeps the store busy.
///
/// Sendable although it changes: only the thread that writes looks into it, but for the store.
final class LiveWriting: @unchecked Sendable {
    let store: LiveStore
    private var words = Words(seed: 21)
    private var corpus: IndexCorpus
    private var count = 0

    init(_ store: LiveStore, _ corpus: IndexCorpus) { (self.store, self.corpus) = (store, corpus) }

    /// Opens a store in a folder, after it was filled with items of a corpus.
    static func filled(
        _ folder: TemporaryFolder, from corpus: inout IndexCorpus, _ settings: Settings
    ) throws -> LiveWriting {
        try FilledStore(folder.path).fill(settings.pick(100_000, quick: 10_000), from: &corpus)
        return LiveWriting(try LiveStore(folder.path), IndexCorpus(seed: 14))
    }

    /// Makes so many writes in each lane, with pauses in which nobody would notice another; answers how many seconds
    /// each took until it was kept.
    ///
    /// The last closure is told of each write before.
    func write(
        _ most: Int, while goesOn: () -> Bool = { true }, telling tell: (Lane) -> Void = { _ in }
    ) throws -> [Lane: [Double]] {
        var seconds: [Lane: [Double]] = [:]
        for _ in 0..<most {
            guard goesOn() else { break }
            for lane in [Lane.activities, .index] {
                usleep(UInt32(words.number(500...3500)))
                let drafts = lane == .activities ? [activity()] : corpus.drafts(1, domain: "live")
                tell(lane)
                seconds[lane, default: []].append(try keep(drafts, in: lane).seconds)
            }
        }
        return seconds
    }

    /// Names writes and has them kept.
    @discardableResult func keep(_ drafts: [Journal.Draft], in lane: Lane) throws -> Duration {
        try store.keep(in: lane) { journal, now in journal.transaction(lane, drafts, now: now) }
    }

    /// An app instance goes on with what it does.
    private func activity() -> Journal.Draft {
        count += 1
        let name = ActivityName(
            device: DeviceIdentifier(high: 1, low: 1), app: "org.example.editor", instance: "\(count % 8)")
        return Journal.Draft(
            .full(Write.Content(fields: SampleActivity(&words).activity.fields)), name.key)
    }
}

/// Work that goes on on a thread of its own, piece by piece, until it is stopped or done.
///
/// Sendable because what changes is touched only while the condition is held, and the work only on its thread.
final class Background: @unchecked Sendable {
    private let condition = NSCondition()
    private var isStopping = false
    private var result: Result<Void, any Error>?

    /// Begins; each piece answers whether there is another.
    init(_ piece: @escaping () throws -> Bool) {
        let work = Work(piece: piece)
        let thread = Thread { [self] in
            let result = Result { while goesOn, try work.piece() {} }
            condition.lock()
            self.result = result
            condition.broadcast()
            condition.unlock()
        }
        thread.start()
    }

    /// Sendable because only the thread looks into it.
    private struct Work: @unchecked Sendable {
        let piece: () throws -> Bool
    }

    /// Whether it was not stopped, and is not done.
    var goesOn: Bool {
        condition.lock()
        defer { condition.unlock() }
        return !isStopping && result == nil
    }

    /// Lets it end after the piece that it is at, and waits for that.
    func stop() throws {
        condition.lock()
        defer { condition.unlock() }
        isStopping = true
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}

extension [Double] {
    /// The value that so many of a hundred do not exceed.
    func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        guard !isEmpty else { return .nan }
        return sorted[Swift.min(count - 1, count * percent / 100)]
    }
}
