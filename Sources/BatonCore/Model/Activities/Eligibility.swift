/// What an activity may be used for.
///
/// Bits that a newer version added are kept.
package struct Eligibility: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// To be continued on another device.
    package static let handoff = Eligibility(rawValue: 1)
    /// To be found by a search on its own device, and on the others if it is eligible for hand-off, too.
    package static let search = Eligibility(rawValue: 2)
    /// To be suggested when it may come next.
    package static let prediction = Eligibility(rawValue: 4)
    /// To be known to everyone.
    package static let publicIndexing = Eligibility(rawValue: 8)

    /// What an activity is eligible for if nothing is said of it.
    package static let unspoken: Eligibility = .handoff
}
