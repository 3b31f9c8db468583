/// A note that this device keeps for itself and sends to no other device.
package struct LocalNote: Equatable, Sendable {
    package var space: NoteSpace
    package var name: [UInt8]
    /// The content of the note; nil removes the note.
    package var value: [UInt8]?

    package init(space: NoteSpace, name: [UInt8], value: [UInt8]?) {
        (self.space, self.name, self.value) = (space, name, value)
    }
}

/// The subject of a local note.
package enum NoteSpace: UInt8, Sendable {
    /// The addresses at which a device was reached; named by the device.
    case address = 2
    /// A quarantined write; named by its dot. Stores write these notes themselves, each with its lane.
    case quarantined = 3
    /// A peer's claim about writes that it sent and that are not claimed here yet; named by the life. Stores write
    /// these notes too.
    case promise = 4
    /// The settings of the machine (`SettingsCopy`); a single note without a name.
    case setting = 5
    /// The last change of a device in the activities lane (`LastChange`); named by the tag that the device's lives
    /// share.
    case activitiesChange = 6
    /// The last contact with a device (`LastContact`); named by the device.
    case lastContact = 7
    /// Facts about one of this device's activities that only this device has (`OwnActivityNote`); named by the
    /// activity.
    case ownActivity = 8
    /// A request that an app index something again; named by the index.
    case reindex = 9
    /// A record that is hidden on this device (`Dismissals`); named by the record.
    case dismissal = 10
    /// The last change of a device in the index lane; named as in the activities lane.
    case indexChange = 11
    /// A note that a write arrived with a time that no clock reaches. Stores write these notes themselves, each with
    /// its lane.
    case outOfReach = 12
    /// The writes of a peer's unfinished stream of changes that have arrived; named by the peer. Stores write these
    /// notes themselves, each with its lane.
    case openStream = 13
    /// The writes that the lane answered for before it gave up its claims. Stores write this note themselves, each with
    /// its lane.
    case givenUp = 14
    /// An activity that ended, and that no other device may have (`KeptActivities`); named as its record would be.
    case keptActivity = 15
    /// The last batch of a writer of an app (`BatchMark`); named by the writer.
    case batchMark = 16
    /// How often and how recently the person opened an activity that only this device keeps (`KeptActivities`); named
    /// as the activity.
    case keptUse = 17
    /// A use of a thing on this device (`Predictor`); named by a running number.
    case pastUse = 18
    /// The weights that suggestions of activities have learnt (`Predictor`).
    case signWeights = 19
    /// An action that an app has donated (`DonatedActions`); named as an ended activity would be.
    case donation = 20
    /// When an activity whose last change lies in the future was first seen (`ArrivalTimes`); named by the record.
    case arrivalTime = 25
    /// A statement of the roster that is not read when a process begins (`SkippedStatement`); named by the hash of its
    /// record.
    case skippedStatement = 26
    /// The backup from which the databases were restored (`Restoration`); a single note without a name.
    case restoration = 27

    /// The lane that stores notes of this space; nil if stores keep them in each lane.
    ///
    /// A transaction can only write notes of its own lane, because each lane is a separate database.
    package var lane: Lane? {
        switch self {
        case .address, .setting, .activitiesChange, .lastContact, .ownActivity, .dismissal, .keptActivity,
            .keptUse, .pastUse, .signWeights, .donation, .arrivalTime, .skippedStatement, .restoration:
            .activities
        case .reindex, .indexChange, .batchMark: .index
        case .quarantined, .promise, .outOfReach, .openStream, .givenUp: nil
        }
    }
}
