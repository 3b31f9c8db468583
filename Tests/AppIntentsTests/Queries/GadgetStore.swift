import AppIntents
import Synchronization

/// The gadgets that an app has, which its queries return.
///
/// Each test with a node is a process of its own, so no two tests use the store at the same time.
enum GadgetStore {
    private static let gadgets = Mutex<[Gadget]>([])

    /// All gadgets.
    static var all: [Gadget] {
        get { gadgets.withLock { $0 } }
        set { gadgets.withLock { $0 = newValue } }
    }
}
