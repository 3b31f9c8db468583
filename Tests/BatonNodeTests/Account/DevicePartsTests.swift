import BatonCore
import BatonNetwork
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// The parts of an account that know its devices, without a connection.
@Suite struct `The parts that know devices` {
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

    @Test func `rename this device by a write`() throws {
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

    @Test func `log a revocation once, with the last change of the device`() throws {
        let stage = try AccountStage()
        let directory = stage.directory(stage.peers())
        let log = RevocationLog(of: stage.core, directory, DeviceChanges(of: stage.core, []))
        log.start()
        stage.core.names.meet(other, as: "stolen")
        let authority = try #require(directory.countingAuthority)
        let failure: LocalFailure? = try stage.answer(to: "a revocation") { then in
            directory.revoke(other, by: authority) { then($0) }
        }
        #expect(failure == nil)
        log.logNew()
        stage.wait(for: "a line of log") { stage.logged.contains { $0.contains("is revoked") } }
        log.logNew()
        stage.wait(for: "pending reads") { true }
        #expect(stage.logged.filter { $0.contains("“stolen”") && $0.contains("is revoked") }.count == 1)
    }

    @Test func `pass on a change's sender and title`() throws {
        let stage = try AccountStage()
        let changes = DeviceChanges(of: stage.core, [])
        let directory = stage.directory(stage.peers())
        stage.core.names.meet(other, as: "far")
        let described: [DeviceStatus] = try stage.answer(to: "a description") { then in
            changes.describe([directory.status(of: other)]) { then($0) }
        }
        #expect(described.map(\.device.name) == ["far"])
        #expect(described.first?.lastChange == nil)
    }

    @Test func `leave alone at once, and only once`() throws {
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
