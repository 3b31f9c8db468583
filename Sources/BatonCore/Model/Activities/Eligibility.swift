/// The permitted uses of an activity.
///
/// Bits that a newer version added are kept.
package struct Eligibility: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The activity may be continued on another device.
    package static let handoff = Eligibility(rawValue: 1)
    /// The activity may be found by a search on its device, and on the others if it is also eligible for hand-off.
    package static let search = Eligibility(rawValue: 2)
    /// The activity may be suggested when it is likely to come next.
    package static let prediction = Eligibility(rawValue: 4)
    /// The activity may be known to everyone.
    package static let publicIndexing = Eligibility(rawValue: 8)

    /// The eligibility of an activity that does not state any.
    package static let unspoken: Eligibility = .handoff

    /// Whether an ended activity that no other device may have is kept on its own device, to be found or suggested
    /// there.
    package var isKeptHere: Bool { !isDisjoint(with: [.search, .prediction]) }
}
