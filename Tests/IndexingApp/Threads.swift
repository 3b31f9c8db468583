import CoreSpotlight
import Synchronization

/// Threads that index, ask queries and use activities at once.
///
/// The counts are variables without a lock, which callbacks change: callbacks that were not called one after the other
/// would be a data race, which the thread sanitizer reports.
final class Threads: NSObject, NSUserActivityDelegate, CSSearchableIndexDelegate, @unchecked Sendable {
    private let (threadCount, rounds): (Int, Int)
    private var (accepted, found, ended, failures) = (0, 0, 0, [String]())
    private var saves = 0
    private let (saved, didSave) = AsyncStream.makeStream(of: Void.self)

    init(count: Int, rounds: Int) { (threadCount, self.rounds) = (count, rounds) }

    /// Runs all threads to their end, and prints what their callbacks have counted.
    func run() async throws {
        let index = CSSearchableIndex(name: "threads")
        index.indexDelegate = self
        let shared = Shared(index)
        await withCheckedContinuation { continuation in
            let left = Atomic(threadCount)
            for number in 0..<threadCount {
                Thread.detachNewThread { [self] in
                    work(number, shared.index)
                    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        continuation.resume()
                    }
                }
            }
        }
        // Their activities may all have ended before one was sent; this one lasts until it is saved.
        let last = NSUserActivity(activityType: "org.example.last")
        (last.delegate, last.needsSave) = (self, true)
        last.becomeCurrent()
        for await _ in saved { break }
        last.invalidate()
        // The handlers of all threads were called before this.
        print("accepted \(accepted) ended \(ended) found \(found > 0) saved \(saves > 0)")
        for failure in failures { print("failed: \(failure)") }
        print("done")
    }

    /// An index that all threads use.
    private final class Shared: @unchecked Sendable {
        let index: CSSearchableIndex

        init(_ index: CSSearchableIndex) { self.index = index }
    }

    private func work(_ number: Int, _ index: CSSearchableIndex) {
        let own = CSSearchableIndex(name: "thread \(number)")
        for round in 0..<rounds {
            let name = "\(number)-\(round)"
            wait { done in index.indexSearchableItems([item(name)], completionHandler: done) }
            wait { done in
                index.deleteSearchableItems(
                    withIdentifiers: ["\(number)-\(round - 2)"], completionHandler: done)
            }
            own.beginBatch()
            own.indexSearchableItems([item(name), item("\(name)-other")])
            wait { done in own.endBatch(withClientState: Data(name.utf8), completionHandler: done) }
            ask(round)
            let activity = NSUserActivity(activityType: "org.example.thread\(number)")
            activity.title = "Round \(round)"
            activity.delegate = self
            activity.isEligibleForSearch = round % 2 == 0
            activity.becomeCurrent()
            activity.addUserInfoEntries(from: ["round": round])
            activity.needsSave = true
            if round % 3 == 0 { activity.resignCurrent() } else { activity.invalidate() }
        }
    }

    private func item(_ identifier: String) -> CSSearchableItem {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "Item \(identifier)"
        return CSSearchableItem(
            uniqueIdentifier: identifier, domainIdentifier: "threads", attributeSet: attributes)
    }

    /// Makes a call and waits for its handler, which counts.
    private func wait(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) {
        let done = DispatchSemaphore(value: 0)
        call { [self] error in
            accepted += 1
            if let error { failures.append("\(error)") }
            done.signal()
        }
        done.wait()
    }

    /// Asks a query, of which every third is cancelled.
    private func ask(_ round: Int) {
        let query = CSSearchQuery(queryString: "title == \"Item*\"", queryContext: nil)
        let done = DispatchSemaphore(value: 0)
        query.foundItemsHandler = { [self] items in found += items.count }
        query.completionHandler = { [self] error in
            ended += 1
            if let error, (error as? CSSearchQueryError)?.code != .cancelled { failures.append("\(error)") }
            done.signal()
        }
        query.start()
        if round % 3 == 0 { query.cancel() }
        done.wait()
    }

    // MARK: Delegates

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        saves += 1
        userActivity.title = "Saved"
        didSave.yield()
    }

    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
    ) { acknowledgementHandler() }

    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping () -> Void
    ) { acknowledgementHandler() }
}
