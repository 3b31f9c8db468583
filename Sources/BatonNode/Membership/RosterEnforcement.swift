import BatonCore
import BatonNetwork
import BatonSecurity

/// What enforcing the roster wants of its account.
protocol RosterEnforcementOwner: AnyObject {
    /// Who this device is at present.
    var credentials: Credentials { get }
    /// What the account knows of this device, if it has a record of it.
    var ownDevice: Device? { get }
    /// Whether a member whose certificate has ended may come in all the same.
    func admitsExpired(_ device: DeviceIdentifier) -> Bool
    /// Keeps drafts, and passes them on.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote], durably: Bool, then: @escaping (StoreFailure?) -> Void)
    /// Has the device records as they are.
    func readDevices(then: @escaping (Result<[Record], StoreFailure>) -> Void)
    /// The roster says something else than before.
    func rosterChanged()
    /// There are fewer devices to wait for.
    func waitsForFewer()
    /// There are more.
    func waitsForMore()
    func name(of device: DeviceIdentifier) -> String
}

/// Does what the roster says, and says in it what is this device's to say: who was met, and who is not gone.
///
/// What the rules are is for `Membership` to say. It belongs to the loop's thread.
final class RosterEnforcement {
    private let membership: SharedMembership
    private let limits: Limits
    private let log: Log
    /// The options that name this home and account, for advice.
    private let options: String
    private unowned let owner: any RosterEnforcementOwner
    /// The devices that are to get a record because they had none, and their names; and those whose records are being
    /// kept.
    private var unrecorded: [DeviceIdentifier: String] = [:]
    private var recording: Set<DeviceIdentifier> = []
    /// The admissions by which peers were let in, and which are not kept yet.
    private var unkept: [RosterStatement] = []
    private var isKeeping = false
    /// Whether it is being said of devices that they are not gone.
    private var isReturning = false
    /// Hears that this device, the account's first, has entered itself.
    private var entered: (() -> Void)?
    /// Whether it is being said that this device was admitted, and whether there is more to say by now.
    private var (isEntering, isToEnterAgain) = (false, false)
    /// Whether this device says of itself that it leaves.
    var isLeaving = false
    /// Corrections that this device has made to its own records since it started, each made once: another machine with its
    /// identity may write otherwise, and the two must not overwrite each other for ever.
    private var corrected: Set<Correction> = []
    /// Set until statements that were not kept are tried again.
    private let retryTimer: OwnedTimer
    private var isStopped = false

    /// What is put right in this device's own record.
    private enum Correction: Hashable {
        case owner(OwnerIdentifier)
        case stays
    }

    init(
        _ membership: SharedMembership, on loop: EventLoop, limits: Limits, log: Log, options: String,
        owner: any RosterEnforcementOwner
    ) {
        (self.membership, retryTimer) = (membership, OwnedTimer(on: loop))
        (self.limits, self.log, self.options, self.owner) = (limits, log, options, owner)
    }

    /// Says what nobody may have said yet, or what a disk lost: that this device was admitted.
    ///
    /// The account's first device enters its record, too; that of any other one comes from others. `entered` hears once
    /// it is kept.
    func start(isFirst: Bool, entered: @escaping () -> Void) {
        if isFirst { self.entered = entered }
        enterOwnAdmission()
    }

    /// Says that this device was admitted by the certificate that it has now, and what else has changed with that; again
    /// and again until it is kept.
    func enterOwnAdmission() {
        correctOwnRecord()
        guard !isStopped else { return }
        guard !isEntering else { return isToEnterAgain = true }
        let drafts = ownAdmission + ownRecord
        guard !drafts.isEmpty else { return noteEntered() }
        isEntering = true
        owner.publish(drafts, notes: [], durably: entered != nil) { [self] failure in
            isEntering = false
            if let failure { return putOff("that this device was admitted", failure) }
            noteEntered()
            guard isToEnterAgain else { return }
            isToEnterAgain = false
            enterOwnAdmission()
        }
    }

    private func noteEntered() { entered.take()?() }

    /// The record of this device, if that is its own to write and is not there.
    private var ownRecord: [Journal.Draft] {
        let credentials = owner.credentials
        guard entered != nil, !membership.look({ $0.hasRecord(credentials.device) }) else { return [] }
        let device = Device(
            identifier: credentials.device, name: credentials.deviceName, admitted: .now,
            owner: credentials.ownerAuthority?.owner)
        return [Journal.Draft(device)]
    }

    /// That this device was admitted, if nobody has said so.
    private var ownAdmission: [Journal.Draft] {
        let credentials = owner.credentials
        do throws(SecurityError) {
            let statement = try credentials.chain.admission()
            guard case .admission(let admission) = RosterVerifier(root: credentials.root).verify(statement),
                !membership.look({ $0.roster.contains(admission) })
            else { return [] }
            return [Journal.Draft(statement)]
        } catch {
            log.warn("this device can't be entered in the roster: \(error)")
            return []
        }
    }

    func stop() {
        isStopped = true
        retryTimer.cancel()
    }

    // MARK: Events

    /// The store took something: before anything is done in answer, the roster hears of it.
    func take(_ records: [Record]) {
        correctOwnRecord()
        let before = membership.look(\.waitedFor)
        guard membership.take(records) else { return }
        owner.rosterChanged()
        considerWaiting(before)
    }

    /// A device is at the door, whose certificate may have ended: why it is not let in, if it is not.
    func meet(
        _ identity: DeviceIdentity, showing admission: RosterStatement?, expired: WallTime?
    ) -> CloseReason? {
        let before = membership.look(\.waitedFor)
        switch membership.meet(identity.device, showing: admission) {
        case .refused(let reason): return reason
        case .welcome(let statement?):
            unkept.append(statement)
            keepShown()
            considerWaiting(before)
        case .welcome(nil): break
        }
        guard let expired, !owner.admitsExpired(identity.device) else { return nil }
        return CloseReason(
            .expired,
            """
            that device's certificate ended on \(expired.date) by the clock here, which shows \(WallTime.now.date); \
            an owner's device renews it
            """)
    }

    /// Those are connected now.
    func note(connected: Set<DeviceIdentifier>) {
        let before = membership.look(\.waitedFor)
        membership.note(connected: connected)
        considerWaiting(before)
    }

    /// Forgets whom nobody waits for any longer, minds whom it waits for now, and says of who is here that it is not
    /// gone.
    private func considerWaiting(_ before: Set<DeviceIdentifier>) {
        guard !isStopped else { return }
        sayReturned()
        let now = membership.look(\.waitedFor)
        if !now.isSubset(of: before) { owner.waitsForMore() }
        if !before.isSubset(of: now) { owner.waitsForFewer() }
    }

    // MARK: Saying

    /// Enters a device that joined, by the admission that its certificate is.
    func enter(_ device: Device, _ admission: RosterStatement, then: @escaping (StoreFailure?) -> Void) {
        owner.publish(
            [Journal.Draft(admission), Journal.Draft(device)], notes: [], durably: false, then: then)
    }

    /// Enters a member that has no record, again and again until that is kept.
    func enterIfMissing(_ device: DeviceIdentifier, named name: String) {
        guard isUnrecordedMember(device), unrecorded.updateValue(name, forKey: device) == nil else { return }
        enterRecord(of: device, named: name)
    }

    private func enterRecord(of device: DeviceIdentifier, named name: String) {
        guard !isStopped, recording.insert(device).inserted else { return }
        guard isUnrecordedMember(device) else { return endRecording(of: device) }
        let record = Device(identifier: device, name: name, admitted: .now)
        owner.publish([Journal.Draft(record)], notes: [], durably: false) { [self] failure in
            if let failure {
                recording.remove(device)
                return putOff("that “\(name)” was entered", failure)
            }
            endRecording(of: device)
        }
    }

    private func endRecording(of device: DeviceIdentifier) {
        recording.remove(device)
        unrecorded[device] = nil
    }

    private func isUnrecordedMember(_ device: DeviceIdentifier) -> Bool {
        membership.look { $0.roster.isMember(device) && !$0.hasRecord(device) }
    }

    /// Enters the admissions by which peers were let in, again and again until they are kept: nobody else may know them.
    private func keepShown() {
        guard !unkept.isEmpty, !isKeeping, !isStopped else { return }
        isKeeping = true
        let statements = unkept
        owner.publish(statements.map { Journal.Draft($0) }, notes: [], durably: false) { [self] failure in
            isKeeping = false
            if let failure { return putOff("that a device was admitted", failure) }
            unkept.removeFirst(statements.count)
            keepShown()
        }
    }

    /// Has this device's own record say what is true: which owner's key it has, and that it has not left.
    private func correctOwnRecord() {
        guard !isLeaving, let device = owner.ownDevice else { return }
        var corrections: [(Correction, (Record) -> Journal.Draft?)] = []
        if let key = owner.credentials.ownerAuthority?.owner, device.owner != key {
            corrections.append((.owner(key), { Device.draft(owner: key, in: $0) }))
        }
        if device.left != nil { corrections.append((.stays, { Device.draft(left: nil, in: $0) })) }
        let due = corrections.filter { !corrected.contains($0.0) }
        guard !due.isEmpty else { return }
        corrected.formUnion(due.map(\.0))
        let identity = Device.key(device.identifier).identity
        // What was not kept was not said.
        let take: (StoreFailure?) -> Void = { [self] failure in
            guard let failure else { return }
            corrected.subtract(due.map(\.0))
            putOff("what this device is", failure)
        }
        owner.readDevices { [self] result in
            guard !isLeaving else { return }
            switch result {
            case .success(let records):
                let drafts = records.filter { $0.identity == identity }.flatMap { record in
                    due.compactMap { $0.1(record) }
                }
                guard !drafts.isEmpty else { return }
                owner.publish(drafts, notes: [], durably: false, then: take)
            case .failure(let failure): take(failure)
            }
        }
    }

    /// Says of devices that are connected that they are not gone, again and again until it is kept.
    private func sayReturned() {
        let returned = membership.look(\.returned)
        guard !returned.isEmpty, !isReturning, !isStopped else { return }
        isReturning = true
        owner.readDevices { [self] result in
            switch result {
            case .success(let records):
                let identities = Set(returned.map { Device.key($0).identity })
                let drafts = records.filter { identities.contains($0.identity) }
                    .compactMap { Device.draft(removed: nil, in: $0) }
                guard !drafts.isEmpty else { return isReturning = false }
                let names = returned.map { "“\(owner.name(of: $0))”" }.joined(separator: ", ")
                owner.publish(drafts, notes: [], durably: false) { [self] failure in
                    isReturning = false
                    if let failure { return putOff("that a device came back", failure) }
                    log.tell("\(names) came back, and is waited for again")
                    sayReturned()
                }
            case .failure(let failure):
                isReturning = false
                putOff("that a device came back", failure)
            }
        }
    }

    /// Something is to be said, and was not kept: it is said again in a while.
    private func putOff(_ what: String, _ failure: StoreFailure) {
        guard !isStopped, !retryTimer.isSet else { return }
        log.warn("\(what) could not be kept: \(failure)")
        retryTimer.set(after: limits.reportTime) { [unowned self] in retry() }
    }

    private func retry() {
        enterOwnAdmission()
        keepShown()
        for (device, name) in unrecorded.sorted(by: { $0.key < $1.key }) {
            enterRecord(of: device, named: name)
        }
        sayReturned()
    }

    // MARK: Queries

    /// What a person should know of this device itself, if it does not belong to the account any more.
    func trouble(refused refusals: [DeviceIdentifier: CloseReason]) -> String? {
        let what: String
        switch membership.standing(of: owner.credentials.device) {
        case .revoked: what = "this device was revoked"
        case .undone: what = "the owner who let this device in was revoked"
        case .member, .unknown:
            let refusals = refusals.filter { $0.value.code == .notMember }
            guard let (device, reason) = refusals.min(by: { $0.key < $1.key }) else { return nil }
            what = "“\(owner.name(of: device))” does not let this device in, and says: \(reason.text)"
        }
        return """
            \(what). What is here stays, and nothing of it reaches the others. To use this machine again, type \
            `baton leave\(options)` here, which deletes what is here, then `baton invite` on an owner's machine, and `baton \
            join CODE --at HOST:PORT\(options)` here
            """
    }
}

extension Journal.Draft {
    /// The whole record of a device.
    init(_ device: Device) {
        self.init(.full(Write.Content(fields: device.fields)), Device.key(device.identifier))
    }

    /// A statement, for good.
    init(_ statement: RosterStatement) { self.init(.full(RosterStatement.content), statement.key) }
}
