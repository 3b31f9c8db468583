import CoreSpotlight

// On Linux, nothing suggests actions by voice. So the first two values are not sent to the node.

extension NSUserActivity {
    /// The words that a person may say to continue the activity.
    public var suggestedInvocationPhrase: String? {
        get { self[addition: "suggestedInvocationPhrase"] as? String }
        set { self[addition: "suggestedInvocationPhrase"] = newValue }
    }

    /// The occasions on which the activity may be suggested.
    public var shortcutAvailability: INShortcutAvailabilityOptions {
        get { self[addition: "shortcutAvailability"] as? INShortcutAvailabilityOptions ?? [] }
        set { self[addition: "shortcutAvailability"] = newValue }
    }

    /// The donated interaction that this activity came from, because a person has chosen it; otherwise, nil.
    ///
    /// If the intent's class can't be decoded from an archive, the intent is a plain `INIntent`. Its
    /// `suggestedInvocationPhrase` is then the title of the activity.
    public var interaction: INInteraction? { chosenDonation.map { INInteraction($0, title: title) } }
}
