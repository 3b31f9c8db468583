extension DeviceStatus.Change {
    /// What was changed, in words; what others wrote is in it as they wrote it.
    package var thing: String {
        if let title, !isDeletion { return "“\(title)”" }
        return isDeletion ? "the deletion of \(kindInWords)" : kindInWords
    }

    private var kindInWords: String {
        switch kind {
        case .currentActivity, .savedActivity: "an activity"
        case .item: "an item"
        case .activitiesClear, .indexClear: "the deletion of many things"
        case .rosterStatement: "who belongs to the account"
        case .device: "what is told of a device"
        case .clientState: "how far an indexing job is"
        case .engagement: "how often something was opened"
        case .sharedLife: "that a device has a twin"
        default: "something that this version does not know"
        }
    }
}
