/// The permitted uses of an activity.
///
/// Unknown bits are kept, because a newer version may have added them.
package struct Eligibility: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The activity may be continued on another device.
    package static let handoff = Eligibility(rawValue: 1)
    /// A search may find the activity on its own device.
    ///
    /// If the activity is also eligible for hand-off, a search on other devices may find it, too.
    package static let search = Eligibility(rawValue: 2)
    /// The activity may be suggested to the person.
    package static let prediction = Eligibility(rawValue: 4)
    /// The activity may be made public.
    package static let publicIndexing = Eligibility(rawValue: 8)

    /// The eligibility of an activity whose app does not set one.
    package static let unspoken: Eligibility = .handoff

    /// Whether an ended activity is kept on its own device although it may not be sent to others.
    ///
    /// It is kept there to be found or suggested.
    package var isKeptHere: Bool { !isDisjoint(with: [.search, .prediction]) }
}
