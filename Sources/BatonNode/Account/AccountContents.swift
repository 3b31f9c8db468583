import BatonCore
import BatonSecurity
import BatonStore

/// The contents of the store when it was opened.
struct AccountContents: Sendable {
    let opening: Witness.Opening
    let summary: StoreSummary
    let activities: [Record]
    /// The membership, computed from the stored statements and device records.
    private(set) var membership: Membership
    let ownActivities: [LocalNote]
    let taken: TakenActivities
    let addresses: [LocalNote]
    let contacts: [LocalNote]
    let quarantined: [QuarantinedWrite]
    let reindex: [LocalNote]
    let settings: OpenedSettings
    /// The record of a restored backup; nil if the store was not restored, or if all changes made after the backup are
    /// here again.
    let restoration: Restoration?
    /// The revocations that were read from the files beside the database.
    let revocations: RevocationFiles.Found
    /// The keys of revocations that the files beside the database have, and the database lacks.
    let lostRevocations: Set<RecordKey>
    let dismissals: [LocalNote]
    let arrivals: [LocalNote]
    let kept: [LocalNote]
    let uses: [LocalNote]
    let donations: [LocalNote]
    let changes: [LocalNote]
    /// Whether any protected index has items, which are then opened for searches.
    let hasProtectedItems: Bool

    init(
        _ store: any AccountStore, of device: DeviceIdentifier, by verifier: RosterVerifier,
        _ witness: Witness, in folder: String
    ) throws(StoreFailure) {
        var generator = SystemRandomNumberGenerator()
        opening = try witness.open(store, using: &generator)
        summary = try store.summary()
        // Other devices can write activities in this device's name. Therefore, the limits apply to these activities,
        // too. Expired activities are included, because they are finished.
        let (lane, start) = (store.lane(.activities), WallTime(milliseconds: .min))
        activities = try lane.recordsListed(on: device, at: start)
        membership = try Membership(own: device, storedIn: store, by: verifier)
        quarantined = try store.quarantined()
        reindex = try store.notes(in: .reindex)
        settings = try OpenedSettings(of: SettingsFiles(folder: folder), store, witness)
        restoration = Restoration(try store.notes(in: .restoration))
        revocations = RevocationFiles(folder: folder).read()
        lostRevocations = Set(try lane.lacking(revocations.keys))
        dismissals = try store.notes(in: .dismissal)
        arrivals = try store.notes(in: .arrivalTime)
        kept = try store.notes(in: .keptActivity) + store.notes(in: .keptUse)
        uses = try store.notes(in: .pastUse) + store.notes(in: .signWeights)
        donations = try store.notes(in: .donation)
        changes = try store.notes(in: .activitiesChange) + store.notes(in: .indexChange)
        ownActivities = try store.notes(in: .ownActivity)
        taken = TakenActivities(try lane.recordsFinished(on: device, at: start), of: device)
        addresses = try store.notes(in: .address)
        contacts = try store.notes(in: .lastContact)
        hasProtectedItems = try (store.lane(.index) as? SQLiteLane)?.hasProtectedItems() ?? false
    }

    /// A copy of these contents without the membership.
    var withoutMembership: AccountContents {
        var contents = self
        contents.membership = Membership(own: membership.own)
        return contents
    }
}
