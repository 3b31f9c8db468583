/// The content key of a device, and whether a passphrase protects it.
package enum ContentProtection: Sendable {
    /// No passphrase is set, so the key lies on the disk as it is.
    case plain(ContentKey)
    /// A passphrase is set, and the key is in memory.
    case unlocked(ContentKey, LockedContentKey)
    /// A passphrase is set, and the key is not in memory.
    case locked(LockedContentKey)

    /// The key; nil while it is locked.
    package var key: ContentKey? {
        switch self {
        case .plain(let key), .unlocked(let key, _): key
        case .locked: nil
        }
    }

    /// The key as the passphrase protects it on the disk; nil if no passphrase is set.
    package var lockedKey: LockedContentKey? {
        switch self {
        case .plain: nil
        case .unlocked(_, let locked), .locked(let locked): locked
        }
    }
}
