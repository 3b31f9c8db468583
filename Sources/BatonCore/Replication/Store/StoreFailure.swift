/// The reason why a store failed to do something.
package struct StoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var code: Code
    /// A description of the failure for a person.
    package var text: String
    /// The place of the damage; nil if it is not known, or if nothing is damaged.
    package var damage: StoreDamage?

    package enum Code: Equatable, Sendable {
        /// There is no space left on the disk.
        case full
        /// Another program has the store open.
        case locked
        /// The store was made by a newer version.
        case newer
        /// The store belongs to another account.
        case foreign
        /// The store returned other bytes than were written.
        case damaged
        /// The disk is read-only.
        case readOnly
        /// The disk failed, or access was denied.
        case failed
        /// A peer sent too many unreadable writes to quarantine them all.
        case unreadable
        /// A peer sent more writes with wrong signatures than are allowed.
        case void
        /// The peer that sent the writes lacks deletions that were garbage-collected here.
        ///
        /// It must first receive a snapshot.
        case peerSetBack
        /// The write has no effect, because its record has a later time that no clock shows.
        case outranked
    }

    package init(_ code: Code, _ text: String, damage: StoreDamage? = nil) {
        (self.code, self.text, self.damage) = (code, text, damage)
    }

    package var description: String { text }

    /// The failure of a write that has no effect because its record has an impossible time.
    package static let outranked = StoreFailure(
        .outranked,
        "a faulty or hostile device wrote this record with an impossible time")
}

/// The place in a store where other bytes were read than were written, as far as the reader knows.
///
/// Every reader of a store passes this on. So the right lane is rescued, whatever was being read.
package struct StoreDamage: Equatable, Sendable {
    package var lane: Lane
    /// Whether the damage is certainly only in the full-text tables, which can be rebuilt from the records.
    package var isOfWords = false

    package init(lane: Lane, isOfWords: Bool = false) {
        (self.lane, self.isOfWords) = (lane, isOfWords)
    }
}
