/// What this device keeps for itself and tells nobody.
package struct LocalNote: Equatable, Sendable {
    package var space: NoteSpace
    package var name: [UInt8]
    /// Nothing removes the note.
    package var value: [UInt8]?

    package init(space: NoteSpace, name: [UInt8], value: [UInt8]?) {
        (self.space, self.name, self.value) = (space, name, value)
    }
}

/// What a local note is about.
package enum NoteSpace: UInt8, Sendable {
    /// Where a device was reached, by the device.
    case address = 2
    /// What was set aside, by its dot; stores keep these themselves, with the lane that they are of.
    case aside = 3
    /// Up to where a peer claimed what it sent and is not claimed here yet, by the life; likewise.
    case promise = 4
    /// What the person has set, by the setting's name.
    case setting = 5
    /// The last change of a device in the activities lane, by what its lives have in common (`LastChange`).
    case activitiesChange = 6
    /// What is remembered of a device from when it was connected last, by the device.
    case acquaintance = 7
    /// What this device alone knows of one of its activities, by the activity's name (`OwnActivityNote`).
    case ownActivity = 8
    /// What an app is asked to index anew, by its index.
    case reindex = 9
    /// What is to be shown on this device no more, by the record (`Dismissals`).
    case dismissal = 10
    /// The last change of a device in the index lane, likewise.
    case indexChange = 11
    /// Notes that a write came with a time that no clock shows; stores keep it themselves, with the lane that it is of.
    case outOfReach = 12

    /// The lane with which such notes stand; nothing where stores keep them with each lane.
    ///
    /// A transaction keeps those of its own lane alone, as each lane is kept by itself.
    package var lane: Lane? {
        switch self {
        case .address, .setting, .activitiesChange, .acquaintance, .ownActivity, .dismissal: .activities
        case .reindex, .indexChange: .index
        case .aside, .promise, .outOfReach: nil
        }
    }
}
