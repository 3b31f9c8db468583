/// A note that this device stores for itself.
///
/// Notes are never sent to other devices.
package struct LocalNote: Equatable, Sendable {
    package var space: NoteSpace
    package var name: [UInt8]
    /// The content of the note; nil removes the note.
    package var value: [UInt8]?

    package init(space: NoteSpace, name: [UInt8], value: [UInt8]?) {
        (self.space, self.name, self.value) = (space, name, value)
    }
}

/// The kind of a local note.
///
/// For each kind, the comment says what the name of such a note is.
package enum NoteSpace: UInt8, Sendable {
    /// The addresses at which a device was reached.
    ///
    /// The name is the device.
    case address = 2
    /// A quarantined write.
    ///
    /// The name is the write's dot. Stores write these notes themselves, in the lane of the write.
    case quarantined = 3
    /// A peer's claim about writes that the peer has sent, and that this device does not claim yet.
    ///
    /// The name is the life. Stores write these notes themselves, in each lane.
    case promise = 4
    /// The settings of the machine (`SettingsCopy`).
    ///
    /// There is a single note, with an empty name.
    case setting = 5
    /// The last change by a device in the activities lane (`LastChange`).
    ///
    /// The name is the tag that all lives of the device share.
    case activitiesChange = 6
    /// The last contact with a device (`LastContact`).
    ///
    /// The name is the device.
    case lastContact = 7
    /// Facts that only this device has about one of its own activities (`OwnActivityNote`).
    ///
    /// The name is the activity.
    case ownActivity = 8
    /// A request to an app to index items again (`ReindexRequest`).
    ///
    /// The name is the index.
    case reindex = 9
    /// A record that the person hid on this device (`Dismissals`).
    ///
    /// The name is the record.
    case dismissal = 10
    /// The last change by a device in the index lane.
    ///
    /// The name is the same as in the activities lane.
    case indexChange = 11
    /// A sign that a write arrived with a time that no clock will ever reach.
    ///
    /// Stores write these notes themselves, in the lane of the write.
    case outOfReach = 12
    /// The writes that have arrived of a peer's unfinished stream of changes.
    ///
    /// The name is the peer. Stores write these notes themselves, in each lane.
    case openStream = 13
    /// The transactions that the lane claimed, would soon claim, or had garbage-collected before it gave up its claims.
    ///
    /// Stores write this note themselves, in each lane.
    case givenUp = 14
    /// An ended activity that no other device may have (`KeptActivities`).
    ///
    /// The name is the one that the activity's record would have.
    case keptActivity = 15
    /// The last batch of a writer of an app (`BatchMark`).
    ///
    /// The name is the writer.
    case batchMark = 16
    /// How often and how recently the person opened an activity that only this device keeps (`KeptActivities`).
    ///
    /// The name is the same as that of the activity's note.
    case keptUse = 17
    /// One use of a thing on this device (`Predictor`).
    ///
    /// The name is a running number.
    case pastUse = 18
    /// The learnt weights for suggesting activities (`Predictor`).
    case signWeights = 19
    /// An action that an app donated (`DonatedActions`).
    ///
    /// The name is the one that an ended activity would have.
    case donation = 20
    /// When this device first saw an activity whose last change lies in the future (`ArrivalTimes`).
    ///
    /// The name is the record.
    case arrivalTime = 25
    /// A statement of the roster that is not read when the process starts (`SkippedStatement`).
    ///
    /// The name is the hash of the statement's record.
    case skippedStatement = 26
    /// The backup from which the databases were restored (`Restoration`).
    ///
    /// There is a single note, with an empty name.
    case restoration = 27

    /// The lane that stores notes of this kind; nil if each lane stores its own.
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
