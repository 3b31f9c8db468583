import BatonCore
import BatonNetwork
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// The parts of an account that know its devices, without a connection.
@Suite struct `The parts of an account for devices` {
    private let other = DeviceIdentifier(high: 1, low: 2)

    @Test func `find a device by its name, or by the beginning of its identifier`() throws {
        let stage = try AccountStage()
        let directory = stage.directory(stage.peers())
        stage.core.names.meet(other, as: "far")
        #expect(try directory.find("far") == other)
        #expect(try directory.find(other.description) == other)
        #expect(throws: LocalFailure.self) { try directory.find("nobody") }
    }

    @Test func `say why an unknown device is not connected`() throws {
        let stage = try AccountStage()
        let peers = stage.peers()
        let directory = stage.directory(peers)
        let status = directory.status(of: other)
        #expect(!status.isConnected)
        #expect(status.trouble == "its address is not known")
        #expect(peers.isQuiet && !peers.areInStep && peers.inStep.isEmpty)
    }

    @Test func `rename this device by writing its record`() throws {
        let stage = try AccountStage("before")
        let directory = stage.directory(stage.peers())
        let failure: LocalFailure? = try stage.answer(to: "the new name") { then in
            directory.changeOwn({ $0.name = "after" }, then: { then($0) })
        }
        #expect(failure == nil)
        stage.core.names.forget()
        #expect(stage.core.name(of: stage.device) == "after")
        #expect(directory.recorded(stage.device) == "after")
    }

    @Test func `log a revocation once, with the last change by the device`() throws {
        let stage = try AccountStage()
        let directory = stage.directory(stage.peers())
        let changes = DeviceChanges(of: stage.core, [])
        let log = RevocationLog(of: stage.core, directory, changes)
        log.start()
        stage.core.names.meet(other, as: "stolen")
        try receiveChange(in: stage, changes)
        let authority = try #require(directory.countingAuthority)
        let failure: LocalFailure? = try stage.answer(to: "a revocation") { then in
            directory.revoke(other, by: authority) { then($0) }
        }
        #expect(failure == nil)
        log.logNew()
        log.logNew()
        // It is read behind what a line of log would be read from.
        let _: [DeviceStatus] = try stage.answer(to: "reads") { then in changes.describe([]) { then($0) } }
        let lines = stage.logged.filter { $0.contains("is revoked") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("“stolen” (\(other.short)) is revoked by “own”") ?? false)
        #expect(lines.first?.contains("last change received: ") ?? false)
    }

    @Test func `describe a device with the title and the sender of its last change`() throws {
        let stage = try AccountStage()
        let changes = DeviceChanges(of: stage.core, [])
        let directory = stage.directory(stage.peers())
        stage.core.names.meet(other, as: "far")
        try receiveChange(in: stage, changes)
        let described: [DeviceStatus] = try stage.answer(to: "a description") { then in
            changes.describe([directory.status(of: other)]) { then($0) }
        }
        #expect(described.map(\.device.name) == ["far"])
        #expect(described.first?.lastChange?.title == "a letter")
        #expect(described.first?.lastChange?.sender.name == "far")
    }

    /// Receives an activity of the other device, and stores it.
    private func receiveChange(in stage: AccountStage, _ changes: DeviceChanges) throws {
        var journal = Journal(life: Life(after: .zero, of: other, random: 1), latest: .zero)
        var activity = Activity(type: "org.example.edit", started: .now)
        activity.title = "a letter"
        let name = ActivityName(device: other, app: "org.example", instance: "1")
        let named = journal.transaction(
            .activities, [Journal.Draft(.full(activity.content), name.key)], now: .now)
        let transaction = try #require(named)
        _ = changes.receiveWrites(transaction.writes, of: .activities, from: other)
        let stored: Result<StoreCommit, StoreFailure> = try stage.answer(to: "a commit") { then in
            stage.core.store.submit(to: .activities) { (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: {
                then($0)
            }
        }
        _ = try stored.get()
    }

    @Test func `leave a single-device account immediately, and only once`() throws {
        let stage = try AccountStage()
        let peers = stage.peers()
        let leaving = Leaving(stage.core, stage.directory(peers), peers)
        #expect(leaving.departure.others == [])
        #expect(leaving.departure.isOwner)
        var told: [String]?
        try leaving.begin { told = $0 }
        #expect(told == [])
        #expect(throws: LocalFailure.self) { try leaving.begin { _ in } }
    }
}
