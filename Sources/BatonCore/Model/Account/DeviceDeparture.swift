/// The reason why a former device of the account no longer belongs to it.
package enum DeviceDeparture: UInt64, Equatable, Sendable, CaseIterable {
    /// The device announced that it leaves.
    case left = 1
    /// Another device declared it gone, and it has not come back.
    case removed = 2
    /// The device was revoked, or the owner that admitted it was.
    case revoked = 3
}
