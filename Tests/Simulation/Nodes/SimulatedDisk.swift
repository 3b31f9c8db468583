import BatonCore
import Disks
import Support

/// The kinds of stores that a world's nodes can have.
package enum StoreName: String, CaseIterable, Sendable {
    /// The tests' store in memory: many worlds a second.
    case memory
    /// The product's store in SQLite, on a disk of the tests.
    case sqlite
}

/// The disk of a node: what survives the end of its process, and what survives a power loss.
///
/// It has everything that is done to a disk from outside; a node does all else through its store.
protocol SimulatedDisk: AnyObject {
    /// The store as the process has it open.
    var store: any AccountStore { get }
    /// The content of the store, whether a process runs or not.
    var contents: any StoreContents { get }
    /// Everything on the disk now.
    var image: DiskCopy { get }
    /// The copy that the person may restore one day.
    var backup: DiskCopy? { get }
    /// Whether there is no room for more.
    var isFull: Bool { get set }
    /// Whether the disk fails now and then until this is reset; the disk may ignore this.
    var isFailing: Bool { get set }
    /// The error with which a full disk refuses every write, where the store does not find out by itself.
    var refusal: StoreFailure? { get }

    /// Makes everything that was stored so far survive a power loss.
    func sync()
    /// The store synced what it stored of those lanes by itself, as with a report or the end of a batch.
    func noteSync(of lanes: [Lane])
    /// The store failed in a group that was to survive a power loss.
    ///
    /// It doubts the disk from then on, and syncs what it had before the next such group, whatever comes of that.
    func noteFailedSync(of lane: Lane)
    /// Does a part of a node's idle work, or all of it.
    func workOn(toEnd: Bool)
    /// The process ends, wherever it is; its writes stay.
    func endProcess()
    /// The process closes its store and ends.
    func close()
    /// The machine loses power; returns whether something is gone that was there.
    func losePower() -> Bool
    func backUp()
    /// Replaces the content of the disk by a copy, durably.
    func put(_ image: DiskCopy)
    /// Keeps the records and forgets all claims, as the rescue of a damaged store does.
    func rescue()
}

/// Everything on a disk at one moment.
enum DiskCopy {
    case empty
    case memory(InMemoryStore.State)
    case files(DiskImage)
    /// A backup that the product made.
    case backup(ProductBackup)
}
