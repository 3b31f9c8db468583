import BatonCore
import BatonNetwork
import Support
import Testing

@testable import BatonNode
@testable import BatonSecurity

/// What a device says in the roster, on a disk that refuses it some times.
@Suite struct `What belongs in the roster` {
    private let account: AgedAccount
    private let owner: ActedOwner
    private let loop: EventLoop

    init() throws {
        account = try AgedAccount(days: 0)
        owner = try ActedOwner(try account.device("desk", days: 0, hasKey: true))
        loop = try EventLoop()
    }

    /// RosterEnforcement of a device whose own admission is known, or is still to be said.
    private func belonging(isKnown: Bool = true) throws -> RosterEnforcement {
        if isKnown { try owner.keep([Journal.Draft(try owner.credentials.chain.admission())]) }
        var limits = Limits()
        limits.reportTime = .milliseconds(1)
        return RosterEnforcement(
            owner.membership, on: loop, limits: limits, log: Log { [owner] in owner.lines.append($0) },
            options: " --account desk", owner: owner)
    }

    /// Lets the loop go on until something holds.
    private func await(_ what: String, _ condition: () -> Bool) throws {
        guard loop.run(until: loop.now + .seconds(20), or: condition) else {
            throw DeadlinePassed(description: "\(what): \(owner.lines)")
        }
    }

    private func meet(_ device: Credentials, _ belonging: RosterEnforcement) throws -> CloseReason? {
        let identity = try DeviceIdentity(device: device.certificate, account: device.account)
        return belonging.meet(identity, showing: try device.chain.admission(), expired: nil)
    }

    @Test(arguments: [0, 1, 4]) func `the admission that a peer showed is said until it is kept`(
        refusals: Int
    ) throws {
        let (belonging, laptop) = (try belonging(), try account.device("laptop", days: 0))
        owner.refusals = refusals
        #expect(try meet(laptop, belonging) == nil)
        let admission = try laptop.chain.admission()
        try self.await("that it is kept") { owner.has(admission.key) }
        #expect(owner.asked == refusals + 1)
        #expect(owner.lines.count { $0.contains("that a device was admitted could not be kept") } == refusals)
        loop.close()
    }

    @Test func `admissions that were shown while the disk refused are kept with the others`() throws {
        let belonging = try belonging()
        let devices = try ["laptop", "phone", "tower"].map { try account.device($0, days: 0) }
        owner.refusals = 2
        for device in devices { #expect(try meet(device, belonging) == nil) }
        let admissions = try devices.map { try $0.chain.admission() }
        try self.await("that all are kept") { admissions.allSatisfy { owner.has($0.key) } }
        loop.close()
    }

    @Test(arguments: [0, 1, 4]) func `a member without a record is entered until that is kept`(
        refusals: Int
    ) throws {
        let (belonging, laptop) = (try belonging(), try account.device("laptop", days: 0))
        #expect(try meet(laptop, belonging) == nil)
        (owner.refusals, owner.asked) = (refusals, 0)
        // However often it is met meanwhile.
        for _ in 0..<3 { belonging.enterIfMissing(laptop.device, named: "laptop") }
        try self.await("that it is entered") { owner.has(Device.key(laptop.device)) }
        #expect(owner.asked == refusals + 1)
        belonging.enterIfMissing(laptop.device, named: "another name")
        #expect(owner.asked == refusals + 1 && owner.devices[laptop.device]?.name == "laptop")
        loop.close()
    }

    @Test func `who is not a member, or is entered by another meanwhile, is not entered`() throws {
        let (belonging, laptop) = (try belonging(), try account.device("laptop", days: 0))
        belonging.enterIfMissing(laptop.device, named: "laptop")
        #expect(owner.asked == 0)
        #expect(try meet(laptop, belonging) == nil)
        (owner.refusals, owner.asked) = (1, 0)
        belonging.enterIfMissing(laptop.device, named: "laptop")
        #expect(owner.asked == 1)
        try owner.keep([Journal.Draft(Device(identifier: laptop.device, name: "mine", admitted: .now))])
        // Something else that is refused is told, so that the time to try again comes.
        let phone = try account.device("phone", days: 0)
        #expect(try meet(phone, belonging) == nil)
        let admission = try phone.chain.admission()
        try self.await("the next time") { owner.has(admission.key) }
        try self.await("a turn of the retry") { owner.lines.contains { $0.contains("was entered") } }
        #expect(owner.devices[laptop.device]?.name == "mine")
        loop.close()
    }

    @Test(arguments: [0, 1, 4])
    func `the account's first device enters itself until that is kept, and hears it once`(
        refusals: Int
    ) throws {
        let (belonging, own) = (try belonging(isKnown: false), owner.credentials)
        var heard = 0
        owner.refusals = refusals
        belonging.start(isFirst: true) { heard += 1 }
        #expect(heard == (refusals == 0 ? 1 : 0))
        let admission = try own.chain.admission()
        try self.await("that it is entered") { owner.has(Device.key(own.device)) && owner.has(admission.key) }
        belonging.enterOwnAdmission()
        #expect(heard == 1 && owner.asked == refusals + 1 && owner.wasDurable)
        #expect(owner.devices[own.device]?.owner == own.ownerAuthority?.owner)
        loop.close()
    }

    @Test func `a device that joined says that it was admitted, and leaves its record to others`() throws {
        let (belonging, own) = (try belonging(isKnown: false), owner.credentials)
        owner.refusals = 2
        belonging.start(isFirst: false) { Issue.record("it is not the first") }
        let admission = try own.chain.admission()
        try self.await("that it is kept") { owner.has(admission.key) }
        #expect(!owner.has(Device.key(own.device)))
        loop.close()
    }

    @Test(arguments: [(0, 1), (1, 0), (2, 3)])
    func `whose key a device has is said in its record until it is kept`(reading: Int, keeping: Int) throws {
        let (belonging, own) = (try belonging(), owner.credentials)
        try owner.keep([
            Journal.Draft(Device(identifier: own.device, name: "desk", admitted: .now, left: .now))
        ])
        (owner.unreadable, owner.refusals) = (reading, keeping)
        belonging.take([])
        try self.await("the key") { owner.devices[own.device]?.owner == own.ownerAuthority?.owner }
        #expect(owner.devices[own.device]?.left == nil)
        // Another machine with its identity says otherwise; the two are not to go on about it.
        try owner.keep([Journal.Draft(Device(identifier: own.device, name: "desk", admitted: .now))])
        let asked = owner.asked
        belonging.take([])
        #expect(owner.asked == asked)
        loop.close()
    }

    @Test func `nothing is said any more once it has stopped`() throws {
        let (belonging, laptop) = (try belonging(), try account.device("laptop", days: 0))
        owner.refusals = .max
        #expect(try meet(laptop, belonging) == nil)
        try self.await("some refusals") { owner.asked >= 3 }
        belonging.stop()
        let asked = owner.asked
        var isLate = false
        loop.schedule(after: .milliseconds(20)) { isLate = true }
        try self.await("a while") { isLate }
        #expect(owner.asked == asked)
        loop.close()
    }

    @Test func `what is to be typed names the account`() throws {
        let trouble = try belonging().trouble(refused: [
            owner.credentials.device: CloseReason(.notMember, "that device was revoked")
        ])
        #expect(trouble?.contains("`baton leave --account desk`") == true, "\(trouble ?? "nothing")")
        #expect(trouble?.contains("`baton join CODE --at HOST:PORT --account desk`") == true)
        loop.close()
    }
}

/// An account on a disk that refuses some times to keep, or to read.
private final class ActedOwner: RosterEnforcementOwner {
    let credentials: Credentials
    let membership: SharedMembership
    private let store = InMemoryStore()
    private var journal: Journal
    var lines: [String] = []
    /// How often it still refuses to keep, and to read.
    var (refusals, unreadable) = (0, 0)
    /// How often it was asked to keep something, and whether it was to survive the loss of power.
    var (asked, wasDurable) = (0, false)
    private(set) var devices: [DeviceIdentifier: Device] = [:]

    init(_ credentials: Credentials) throws {
        self.credentials = credentials
        membership = SharedMembership(of: credentials, knowing: [])
        journal = Journal(life: Life(after: .zero, of: credentials.device, random: 1), latest: .zero)
    }

    var ownDevice: Device? { devices[credentials.device] }

    func has(_ key: RecordKey) -> Bool { store.record(key.identity) != nil }

    /// Keeps what this device says, or what has come from others; the roster hears of it.
    func keep(_ drafts: [Journal.Draft]) throws(StoreFailure) {
        guard let transaction = journal.transaction(.activities, drafts, now: .now) else { return }
        let commit = try store.commit(transaction)
        for device in commit.changed.compactMap(\.device) { devices[device.identifier] = device }
        _ = membership.take(commit.changed)
    }

    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote], durably: Bool, then: @escaping (StoreFailure?) -> Void
    ) {
        (asked, wasDurable) = (asked + 1, durably)
        guard refusals == 0 else {
            refusals -= 1
            return then(StoreFailure(.full, "there is no room"))
        }
        do throws(StoreFailure) {
            try keep(drafts)
            then(nil)
        } catch {
            then(error)
        }
    }

    func readDevices(then: @escaping (Result<[Record], StoreFailure>) -> Void) {
        guard unreadable == 0 else {
            unreadable -= 1
            return then(.failure(StoreFailure(.failed, "nothing can be read")))
        }
        then(.success(store.records(of: .device)))
    }

    func admitsExpired(_ device: DeviceIdentifier) -> Bool { false }
    func rosterChanged() {}
    func waitsForFewer() {}
    func waitsForMore() {}
    func name(of device: DeviceIdentifier) -> String { device.short }
}
