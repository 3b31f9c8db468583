package import BatonCore

/// The facts about this device that decide which things a search shows.
package struct SearchScope: Sendable {
    /// The activities that ended and that this device keeps for itself.
    package var kept: KeptActivities
    /// The activities that are hidden on this device.
    package var dismissals: Dismissals
    /// The apps whose items and activities are not searched.
    package var appsOff: Set<String>

    package init(
        kept: KeptActivities = KeptActivities(), dismissals: Dismissals = Dismissals(),
        appsOff: Set<String> = []
    ) {
        (self.kept, self.dismissals, self.appsOff) = (kept, dismissals, appsOff)
    }
}
