import CoreSpotlight

// Nothing on Linux suggests actions by voice, so the first two values stay in the process.

extension NSUserActivity {
    /// The words that a person may say to continue the activity.
    public var suggestedInvocationPhrase: String? {
        get { self[addition: "suggestedInvocationPhrase"] as? String }
        set { self[addition: "suggestedInvocationPhrase"] = newValue }
    }

    /// The occasions for which the activity may be suggested.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { self[addition: "shortcutAvailability"] as? INShortcutAvailabilityOptions ?? [] }
        set { self[addition: "shortcutAvailability"] = newValue }
    }

    /// The interaction that the app donated, if a person has chosen it among suggestions; else nil.
    ///
    /// If the intent's class can't be read from an archive, the intent is a plain `INIntent` whose
    /// `suggestedInvocationPhrase` is the activity's title.
    public var interaction: INInteraction? { chosenDonation.map { INInteraction($0, title: title) } }
}
