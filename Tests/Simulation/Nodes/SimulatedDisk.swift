import BatonCore
import Disks
import Support

/// On what the stores of a world's nodes lie.
package enum StoreName: String, CaseIterable, Sendable {
    /// The tests' store in memory: many worlds a second.
    case memory
    /// The product's store in SQLite, on a disk of the tests.
    case sqlite
}

/// What a node has on its disk: what survives the end of its process, and what survives the loss of power.
///
/// Everything that is done to a disk from outside stands here; all else a node does through its store.
protocol SimulatedDisk: AnyObject {
    /// The store as the process has it open.
    var store: any AccountStore { get }
    /// What stands in the store, whether a process runs or not.
    var contents: any StoreContents { get }
    /// All that is on the disk now.
    var image: DiskCopy { get }
    /// What the person may put back one day.
    var backup: DiskCopy? { get }
    /// Whether there is no room for more.
    var isFull: Bool { get set }
    /// Whether it fails now and then until this is taken back; it may if it is asked to.
    var isFailing: Bool { get set }
    /// What a full disk answers whatever is to be kept, where the store does not find out by itself.
    var refusal: StoreFailure? { get }

    /// All that was kept so far survives the loss of power from now on.
    func sync()
    /// The store synced by itself what it kept of those lanes, as with a report or the end of a batch.
    func noteSync(of lanes: [Lane])
    /// Does a part of what a node does when nothing else is to be done, or all of it.
    func workOn(toEnd: Bool)
    /// The process ends, wherever it is; what it wrote stays.
    func endProcess()
    /// The process closes its store and ends.
    func close()
    /// The machine stops; answers whether something is gone that was there.
    func losePower() -> Bool
    func backUp()
    /// Puts an image in the place of what is there, for good.
    func put(_ image: DiskCopy)
    /// Keeps the records and forgets what is claimed, as who saves what is left of a broken store does.
    func rescue()
}

/// All that is on a disk at one moment.
enum DiskCopy {
    case empty
    case memory(InMemoryStore.State)
    case files(DiskImage)
    /// A backup that the product made.
    case backup(ProductBackup)
}
