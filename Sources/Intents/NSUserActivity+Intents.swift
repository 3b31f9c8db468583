import CoreSpotlight

// Nothing on Linux suggests actions by voice, so these values stay in the process.

extension NSUserActivity {
    /// The words that a person may say to go on with the activity.
    public var suggestedInvocationPhrase: String? {
        get { self[addition: "suggestedInvocationPhrase"] as? String }
        set { self[addition: "suggestedInvocationPhrase"] = newValue }
    }

    /// The occasions for which the activity may be suggested.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { self[addition: "shortcutAvailability"] as? INShortcutAvailabilityOptions ?? [] }
        set { self[addition: "shortcutAvailability"] = newValue }
    }

    /// The interaction from which the activity came; nil, because no system on Linux carries out intents.
    public var interaction: INInteraction? { nil }
}
