/// Decides by the roster which devices belong to the account, and writes what this device has to enter in the roster.
///
/// `RosterKeeper` is a part of `Account`, and `Membership` has the rules. The keeper ends no sessions. If
/// `Account.learn` returns true, the driver ends sessions in `AccountNode.handleRosterChange()`.
///
/// The keeper derives the drafts to write from its state: whether this device was admitted, which devices it met, and
/// what its own record must say. At most one transaction of each subject is under way. If the transaction fails, the
/// keeper derives its drafts again after a pause.
package struct RosterKeeper {
    package private(set) var membership: Membership
    /// Whether this device is leaving the account; if so, the device does not correct its own record.
    ///
    /// A correction would undo the leaving.
    package var isLeaving = false
    package let verifier: any StatementVerifier
    private let pause: Duration
    private var own: OwnAdmission
    /// The admission in this device's statement, if the statement is valid.
    private var ownAdmission: Admission?
    /// The statement about this device that this process has stored; nil if it has stored none.
    ///
    /// The process stores the same statement only once. Otherwise, a statement that the roster does not accept would be
    /// written endlessly.
    private var entered: RosterStatement?
    /// Whether this device is the first device of the account and has not entered itself in the roster yet.
    private var isFirst = false
    /// Whether this device has claimed everything that some member claimed; then this device knows the account.
    private var isIntroduced = false
    private var isStopped = false
    /// The newest draft of this device's record among the drafts that are being stored, and the number of these drafts.
    private var (latestOwn, ownWrites): (Device?, Int) = (nil, 0)
    /// The admissions that peers have shown and that are not stored yet, oldest first.
    private var shown: [RosterStatement] = []
    /// The revocations that are saved beside the store but that the store itself lacks, oldest first.
    private var lacking: [RosterStatement] = []
    /// The corrections of this device's record that this process has stored.
    ///
    /// Each correction is made only once.
    ///
    /// Otherwise, this device and another machine with the same identity could overwrite each other's record endlessly.
    private var corrected: Set<Correction> = []
    /// The subjects that are under way, each with the changes to make in this keeper when the store succeeds.
    private var underWay: [Subject: Progress] = [:]
    /// The subjects that could not be stored; all are retried at `retryTime`.
    private var refused: Set<Subject> = []
    private var retryTime: Instant?
    private var effects: [Effect] = []

    package enum Effect: Equatable, Sendable {
        /// Store these drafts; pass the answer to `handleKept(_:at:)` or `handleFailure(_:of:at:)`.
        case write(Subject, [Journal.Draft], at: Clocks)
        /// Store notes that these statements are skipped: the next process does not read them when it begins.
        ///
        /// Pass the answer to `handleSkipped(_:at:)` or `handleFailure(_:of:at:)`.
        case skip([SkippedStatement])
        /// Read the skipped statements about these devices; pass the answer to `handleFound(_:about:at:)` or
        /// `handleFailure(_:of:at:)`.
        ///
        /// Revocations are read about all devices of the first set. Admissions are read only about the devices of the
        /// second set.
        case seek(Set<DeviceIdentifier>, admissionsOf: Set<DeviceIdentifier>)
        /// There are devices that the account no longer waits for.
        case waitForFewer
        /// There are devices that the account waits for from now on.
        case waitForMore
        /// The account's first device has entered itself in the roster.
        case entered
        /// These devices had been removed from the account, and have returned by writing new records.
        case returned([DeviceIdentifier])
        /// Write a line about a fault into the log.
        case warn(String)
    }

    /// A correction of this device's own record.
    private enum Correction: Hashable {
        case record
        case owner(OwnerIdentifier)
        case stays
        /// Other devices declared this device gone, and named the record with this stamp as its last one.
        case isHere(Stamp)
    }

    /// The content of a transaction or request under way.
    private enum Progress {
        case ownAdmission(RosterStatement?)
        case corrections(Set<Correction>)
        case admissions(count: Int)
        case revocations(count: Int)
        case skip
        case sought
    }

    /// The largest number of revocations that one transaction writes.
    private static let revocationsAtOnce = 32

    /// Creates the keeper from the state of the store and from the revocations saved beside the store.
    ///
    /// `membership` follows from the statements and device records in the store.
    ///
    /// The saved revocations are in force immediately. The store lacks the revocations in `lacking`, so the keeper
    /// writes them again. `Membership` can't tell which revocations the store lacks, because `Membership` does not have
    /// everything that the store has.
    package init(
        _ own: OwnAdmission, knowing membership: Membership, keeping kept: [RecordKey],
        lacking: Set<RecordKey>, by verifier: any StatementVerifier, limits: Limits
    ) {
        (self.own, self.verifier, pause) = (own, verifier, limits.reportTime)
        self.membership = membership
        ownAdmission = Self.verified(own, by: verifier)
        let valid = kept.compactMap { self.membership.learnKeptRevocation($0, by: verifier) }
        self.lacking = valid.filter { lacking.contains($0.key) }
        if valid.count < kept.count {
            effects.append(
                .warn(
                    "\(kept.count - valid.count) of the revocations beside the database are not valid; ignored"
                ))
        }
        warnLacking(self.lacking.count)
    }

    // MARK: Commands

    /// Called when the process has begun.
    ///
    /// If `isFirst` is true, this is the first device of the account, and it enters itself in the roster.
    package mutating func start(isFirst: Bool, at clocks: Clocks) {
        self.isFirst = isFirst
        speak(at: clocks)
    }

    /// Replaces the certificate of this device by another one.
    package mutating func use(_ admission: OwnAdmission, at clocks: Clocks) {
        own = admission
        ownAdmission = Self.verified(own, by: verifier)
        speak(at: clocks)
    }

    /// Learns records that were stored; returns whether the standing of a device may have changed.
    ///
    /// `verified` has the results of verifying the statements among the records.
    package mutating func learnRecords(
        _ records: [Record], verified: [RecordKey: VerifiedStatement], at clocks: Clocks
    ) -> Bool {
        let telling = records.filter(\.identity.kind.isSigned)
        guard !telling.isEmpty else { return false }
        let verifier = KnownStatements(verified, otherwise: verifier)
        let before = membership.waitedFor
        var (isNews, returned) = (false, [DeviceIdentifier]())
        for record in telling {
            let name = record.device?.identifier
            let wasRemoved = name.map { membership.removed($0) != nil } ?? false
            if membership.learnRecord(record, by: verifier) { isNews = true }
            if wasRemoved, let name, name != own.device, membership.removed(name) == nil {
                returned.append(name)
            }
        }
        if isNews { handleChange(since: before) }
        if !returned.isEmpty { effects.append(.returned(returned)) }
        speak(at: clocks)
        return isNews
    }

    /// Decides whether to accept a peer; returns the reason to refuse it, or nil if it is accepted.
    ///
    /// The certificate of the peer was checked before. `admission` is the admission that the peer showed, if it showed
    /// one.
    package mutating func meet(
        _ peer: DeviceIdentifier, showing admission: RosterStatement?, at clocks: Clocks
    ) -> CloseReason? {
        let before = membership.waitedFor
        switch membership.meet(peer, showing: admission, by: verifier) {
        case .refused(let reason, let entering):
            enter(entering, since: before, at: clocks)
            return reason
        case .welcome(let entering):
            enter(entering, since: before, at: clocks)
            return nil
        }
    }

    /// Enters in the roster the admission that a peer showed; nil if there is none to enter.
    private mutating func enter(
        _ statement: RosterStatement?, since before: Set<DeviceIdentifier>, at clocks: Clocks
    ) {
        guard let statement else { return }
        shown.append(statement)
        handleChange(since: before)
        speak(at: clocks)
    }

    /// Called with the set of all devices with open sessions.
    package mutating func recordConnected(_ connected: Set<DeviceIdentifier>, at clocks: Clocks) {
        guard connected != membership.connected else { return }
        let before = membership.waitedFor
        membership.connected = connected
        handleChange(since: before)
        speak(at: clocks)
    }

    /// Called when this device claims everything that a member claimed.
    ///
    /// If this device has no record, it writes one now.
    package mutating func handleIntroduction(at clocks: Clocks) {
        guard !isIntroduced else { return }
        isIntroduced = true
        speak(at: clocks)
    }

    /// Writes revocations again, because the store lost them while it was in use.
    package mutating func handleLoss(of revocations: [RecordKey], at clocks: Clocks) {
        let missing = revocations.compactMap { membership.learnKeptRevocation($0, by: verifier) }
            .filter { !lacking.contains($0) }
        lacking += missing
        warnLacking(missing.count)
        speak(at: clocks)
    }

    private mutating func warnLacking(_ count: Int) {
        guard count > 0 else { return }
        effects.append(
            .warn(
                "the database lacks \(count) \(count == 1 ? "revocation" : "revocations") that this device knew; "
                    + "they are in force, and are saved again"))
    }

    // MARK: This device's record

    /// Returns a draft of this device's record that contains a change by a person.
    ///
    /// If this device has no record, the draft is a new record.
    ///
    /// The change does not wait until another member has sent everything, because there may no longer be another
    /// member. Call `handleOwnRecord(at:)` when the draft was stored, or when storing it has failed.
    package mutating func ownRecord(changing change: (inout Device) -> Void) -> Journal.Draft {
        let joined = ownAdmission?.begins ?? WallTime(milliseconds: 0)
        var device = latestOwn ?? membership.device(own.device) ?? newRecord(at: joined)
        change(&device)
        return draft(of: device)
    }

    /// Called when a draft of this device's record was stored, or could not be stored.
    package mutating func handleOwnRecord(at clocks: Clocks) {
        endOwnWrite()
        speak(at: clocks)
    }

    private mutating func endOwnWrite() {
        ownWrites -= 1
        if ownWrites == 0 { latestOwn = nil }
    }

    private mutating func draft(of device: Device) -> Journal.Draft {
        (latestOwn, ownWrites) = (device, ownWrites + 1)
        return Journal.Draft(device)
    }

    /// Returns a new record of this device that says only what its certificate and keys say.
    package func newRecord(at wall: WallTime) -> Device {
        Device(identifier: own.device, name: own.name, admitted: wall, owner: own.owner)
    }

    /// Learns the reports that a peer sent; returns the reports to store.
    package mutating func learnReports(_ reports: Reports) -> Reports { membership.learnReports(reports) }

    /// Stops all writing, because the process ends.
    package mutating func stop() { isStopped = true }

    /// Called when the store has carried out the transaction or request of a subject.
    package mutating func handleKept(_ subject: Subject, at clocks: Clocks) {
        switch underWay.removeValue(forKey: subject) {
        case .ownAdmission(let statement):
            entered = statement
            noteEntered()
        case .corrections(let made): corrected.formUnion(made)
        case .admissions(let count): shown.removeFirst(count)
        case .revocations(let count): lacking.removeFirst(count)
        case .skip, .sought, nil: break
        }
        if subject == .ownRecord { endOwnWrite() }
        speak(at: clocks)
    }

    /// Called when the store has noted that these statements are skipped.
    package mutating func handleSkipped(_ skipped: [SkippedStatement], at clocks: Clocks) {
        membership.handleSkipped(skipped)
        handleKept(.skip, at: clocks)
    }

    /// Handles the answer to `.seek`: the skipped statements about these devices.
    ///
    /// The statements may change the standing of the devices.
    package mutating func handleFound(
        _ records: [Record], about devices: Set<DeviceIdentifier>, at clocks: Clocks
    ) {
        let before = membership.waitedFor
        membership.settle(devices, with: records, by: verifier)
        handleChange(since: before)
        handleKept(.sought, at: clocks)
    }

    /// Called when the transaction or request of a subject has failed; it is retried after a pause.
    package mutating func handleFailure(_ failure: StoreFailure, of subject: Subject, at now: Instant) {
        if underWay.removeValue(forKey: subject) != nil, subject == .ownRecord { endOwnWrite() }
        refused.insert(subject)
        guard retryTime == nil, !isStopped else { return }
        effects.append(.warn("could not \(subject.attempt): \(failure)"))
        retryTime = now + pause
    }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(at clocks: Clocks) {
        guard let time = retryTime, time <= clocks.steady else { return }
        (retryTime, refused) = (nil, [])
        speak(at: clocks)
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// The time at which the driver is to call `handleDeadline(at:)`; nil if no time is set.
    package var deadline: Instant? { retryTime }

    // MARK: The statements to write

    /// Asks the store for everything that is not stored yet.
    ///
    /// Subjects that are under way or that wait for a retry are left out.
    private mutating func speak(at clocks: Clocks) {
        guard !isStopped else { return }
        let entry = ownStatement + firstRecord(at: clocks.wall)
        if entry.isEmpty { noteEntered() }
        let revocations = lacking.prefix(Self.revocationsAtOnce).map { Journal.Draft($0) }
        write(.revocations, revocations, .revocations(count: revocations.count), at: clocks)
        write(.ownAdmission, entry, .ownAdmission(own.statement), at: clocks)
        correctOwnRecord(at: clocks)
        write(.admissions, shown.map { Journal.Draft($0) }, .admissions(count: shown.count), at: clocks)
        skip()
        seek()
    }

    /// Asks the store to note which statements the next process need not read when it begins.
    private mutating func skip() {
        guard isFree(.skip) else { return }
        let surplus = membership.surplusStatements()
        guard !surplus.isEmpty else { return }
        underWay[.skip] = .skip
        effects.append(.skip(surplus))
    }

    /// Asks the store to read the skipped statements about some devices.
    ///
    /// These devices do not count as members until the statements are read.
    private mutating func seek() {
        let sought = membership.roster.sought
        guard !sought.isEmpty, isFree(.sought) else { return }
        underWay[.sought] = .sought
        effects.append(.seek(sought, admissionsOf: membership.roster.keptUnknown.intersection(sought)))
    }

    /// Whether the subject is not under way and does not wait for a retry.
    private func isFree(_ subject: Subject) -> Bool {
        underWay[subject] == nil && !refused.contains(subject)
    }

    private mutating func write(
        _ subject: Subject, _ drafts: [Journal.Draft], _ progress: Progress, at clocks: Clocks
    ) {
        guard !drafts.isEmpty, isFree(subject) else { return }
        underWay[subject] = progress
        effects.append(.write(subject, drafts, at: clocks))
    }

    /// The statement that this device was admitted, if the roster lacks it.
    private var ownStatement: [Journal.Draft] {
        guard let statement = own.statement, let ownAdmission, statement != entered,
            !membership.roster.contains(ownAdmission)
        else { return [] }
        return [Journal.Draft(statement)]
    }

    private static func verified(_ own: OwnAdmission, by verifier: any StatementVerifier) -> Admission? {
        guard let statement = own.statement, case .admission(let admission) = verifier.verify(statement)
        else { return nil }
        return admission
    }

    /// Returns a draft of this device's record, if this device is the first of the account and has no record.
    private func firstRecord(at wall: WallTime) -> [Journal.Draft] {
        guard isFirst, membership.recordStamp(of: own.device) == nil else { return [] }
        return [Journal.Draft(newRecord(at: wall))]
    }

    /// Writes the record of this device if it is missing or needs a correction.
    private mutating func correctOwnRecord(at clocks: Clocks) {
        guard !isLeaving, !isFirst, ownWrites == 0, isFree(.ownRecord) else { return }
        var needed: Set<Correction> = []
        if membership.recordStamp(of: own.device) == nil, isIntroduced { needed.insert(.record) }
        var device = membership.device(own.device) ?? newRecord(at: clocks.wall)
        if let stamp = membership.recordStamp(of: own.device) {
            if let owner = own.owner, device.owner != owner { needed.insert(.owner(owner)) }
            if device.left != nil { needed.insert(.stays) }
            if membership.removed(own.device) != nil { needed.insert(.isHere(stamp)) }
        }
        needed.subtract(corrected)
        guard !needed.isEmpty else { return }
        if let owner = own.owner, needed.contains(.owner(owner)) { device.owner = owner }
        if needed.contains(.stays) { device.left = nil }
        write(.ownRecord, [draft(of: device)], .corrections(needed), at: clocks)
    }

    // MARK: Steps

    private mutating func noteEntered() {
        guard isFirst else { return }
        isFirst = false
        effects.append(.entered)
    }

    private mutating func handleChange(since before: Set<DeviceIdentifier>) {
        let now = membership.waitedFor
        if !now.isSubset(of: before) { effects.append(.waitForMore) }
        if !before.isSubset(of: now) { effects.append(.waitForFewer) }
    }
}
