import BatonCore
import BatonNetwork
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// The core of an account without its parts.
@Suite struct `The core of an account` {
    private let name = ActivityName(
        device: DeviceIdentifier(high: 5, low: 6), app: "org.example", instance: "1")

    @Test func `stores a published write, and then answers its caller`() throws {
        let stage = try AccountStage()
        let key = SavedActivityName(app: "org.example", identifier: "a").key
        let failure: StoreFailure? = try stage.answer(to: "a write") { then in
            stage.core.publish([Journal.Draft(.deletion, key)]) { then($0) }
        }
        #expect(failure == nil)
        #expect(stage.kept.map { $0.writes.map(\.identity) } == [[key.identity]])
    }

    @Test func `refuses a write that is too large to be sent`() throws {
        let stage = try AccountStage()
        let key = SavedActivityName(app: String(repeating: "a", count: 2_000_000), identifier: "a").key
        let failure: StoreFailure? = try stage.answer(to: "a refusal") { then in
            stage.core.publish([Journal.Draft(.deletion, key)]) { then($0) }
        }
        #expect(failure?.code == .failed)
        #expect(stage.kept.isEmpty)
    }

    @Test func `stores writes published after it has stopped, and starts no other work`() throws {
        let stage = try AccountStage()
        stage.core.owner = nil
        stage.core.drive { $0.report() }
        stage.core.stop()
        stage.core.publish([Journal.Draft(.deletion, name.key)]) { _ in }
        var effects: [Account.Effect] = []
        while let effect = stage.core.nextEffect() { effects.append(effect) }
        let isKept = effects.contains { if case .writing(.keep) = $0 { true } else { false } }
        #expect(isKept)
        #expect(effects.allSatisfy { $0.isDoneWhileEnding })
    }

    @Test func `logs repeated refusals of the disk once`() throws {
        let stage = try AccountStage()
        for _ in 0..<5 { stage.core.warnRefused("could not save a change") }
        #expect(stage.logged == ["could not save a change"])
    }
}

@Suite struct `The names of devices` {
    private let other = DeviceIdentifier(high: 1, low: 2)

    @Test func `show this device under the name that it was set up with`() throws {
        let stage = try AccountStage("desk")
        #expect(stage.core.name(of: stage.device) == "desk")
        #expect(stage.core.names.reference(stage.device).isHere)
    }

    @Test func `show an unknown device by its identifier until it sends its name`() throws {
        let stage = try AccountStage()
        #expect(stage.core.name(of: other) == other.short)
        stage.core.names.meet(other, as: "far")
        #expect(stage.core.name(of: other) == "far")
        #expect(stage.core.names.devices.contains(other))
    }

    @Test func `distinguish two devices with the same name`() throws {
        let stage = try AccountStage("twin")
        stage.core.names.meet(other, as: "twin")
        #expect(stage.core.name(of: other) == "twin (\(other.short))")
        #expect(Set(stage.core.names.present(named: "twin")).contains(other))
    }
}

@Suite struct `Outputs of links` {
    @Test func `are handled in order, even those that are added meanwhile`() throws {
        let outputs = PeerOutputs()
        let devices = (1...3).map { DeviceIdentifier(high: 0, low: $0) }
        outputs.add(.toldAll(by: devices[0]))
        outputs.add(.storing(devices[1]))
        var found: [DeviceIdentifier] = []
        while let output = outputs.next() {
            switch output {
            case .toldAll(let device):
                found.append(device)
                outputs.add(.snapshotLost(by: devices[2]))
            case .storing(let device), .snapshotLost(let device): found.append(device)
            default: Issue.record("not added: \(output)")
            }
        }
        #expect(found == devices)
    }

    @Test func `report progress once, however often it was noted`() {
        let outputs = PeerOutputs()
        #expect(!outputs.takeProgress())
        outputs.noteProgress()
        outputs.noteProgress()
        #expect(outputs.takeProgress())
        #expect(!outputs.takeProgress())
    }
}
