package import BatonCore

/// The facts about this device, and the limits, that decide which things a search shows.
package struct SearchScope: Sendable {
    /// The activities that ended and that this device keeps for itself.
    package var kept: KeptActivities
    /// The activities that are hidden on this device.
    package var dismissals: Dismissals
    /// The apps whose items and activities are not searched.
    package var appsOff: Set<String>
    /// The things that the search is limited to.
    package var filter: SearchFilter

    package init(
        kept: KeptActivities = KeptActivities(), dismissals: Dismissals = Dismissals(),
        appsOff: Set<String> = [], filter: SearchFilter = SearchFilter()
    ) {
        (self.kept, self.dismissals, self.appsOff) = (kept, dismissals, appsOff)
        self.filter = filter
    }
}
