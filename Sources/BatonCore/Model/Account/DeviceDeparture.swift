/// Why a device that belonged to the account is no part of it now.
package enum DeviceDeparture: UInt64, Equatable, Sendable, CaseIterable {
    /// It left, as it said itself.
    case left = 1
    /// Another device said that it is gone, and it has not come back.
    case removed = 2
    /// It was revoked, or whoever let it in.
    case revoked = 3
}
