import BatonCore
import Support

/// What a node has on its disk: what survives the end of its process, and what survives the loss of power.
///
/// Everything that is done to a disk from outside stands here, so that a store of another making needs no more than
/// images of itself.
final class Disk {
    let store = InMemoryStore()
    /// What survives the loss of power.
    private var synced = Image()
    /// What the person may put back one day.
    private(set) var backup: Image?

    /// All that is on a disk at one moment.
    struct Image {
        fileprivate var state = InMemoryStore.State()

        /// An empty disk.
        init() {}

        fileprivate init(_ state: InMemoryStore.State) { self.state = state }
    }

    var image: Image { Image(store.state) }

    /// All that was kept so far survives the loss of power from now on.
    func sync() { synced = image }

    func losePower() { put(synced) }

    func backUp() { backup = image }

    /// Puts an image in the place of what is there, for good.
    func put(_ image: Image) {
        (store.state, synced) = (image.state, image)
    }

    /// Keeps the records and forgets what is claimed, as who saves what is left of a broken store does.
    func rescue() {
        let (writes, clock) = (store.survivingWrites, store.clock)
        #if DEBUG
            let claimed = Faults.isPlanted(.rescuedStoreKeepsVector) ? store.complete : VersionVector()
        #else
            let claimed = VersionVector()
        #endif
        put(Image())
        for write in writes {
            store.keep(
                StoreTransaction(
                    lane: write.dot.origin.lane, writes: [write], completing: VersionVector(), clock: clock))
        }
        for lane in Lane.allCases where !claimed.isEmpty {
            store.keep(
                StoreTransaction(
                    lane: lane, writes: [], completing: claimed.restricted(to: lane), clock: clock))
        }
        sync()
    }
}
