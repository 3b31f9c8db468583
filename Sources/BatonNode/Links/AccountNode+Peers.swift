import BatonCore
import BatonNetwork
import BatonSecurity

/// What links bring from other devices.
extension AccountNode {
    /// Takes note of what the store took, from here or from a peer, and lets the links send it on.
    func handle(_ commit: StoreCommit, of lane: Lane) { handle(commit, of: lane, told: []) }

    /// The same, of what a peer sent, some of which was told to those who watch before.
    func handle(_ commit: StoreCommit, of lane: Lane, told: Set<RecordIdentity>) {
        storeTroubles?.note(nil)
        for device in commit.changed.compactMap(\.device) { devices[device.identifier] = device }
        if account.learn(commit.changed, at: commit.clock, in: self) { handleRosterChange() }
        note(commit)
        if lane == .activities {
            activities.takeBack(commit)
            watching.keep(commit.changed, told: told)
            activityCount.note(commit.changed)
        }
        peers.handleCommit(lane)
        drive { $0.handle(commit, of: lane, in: self) }
    }

    /// The store could not do what was asked.
    func handle(_ failure: StoreFailure) { storeTroubles?.note(failure) }

    /// The store could not do what a peer's session asked.
    func handle(_ failure: StoreFailure, of device: DeviceIdentifier) {
        handle(failure)
        log.warn("what “\(name(of: device))” sent or lacks can't be kept or read: \(failure)")
    }

    /// The store has kept reports that a peer told; these are all that it knows now.
    func handle(_ reports: Reports) { drive { $0.handle(reports, in: self) } }

    /// All that the device claimed at that time of comparing is claimed here.
    func handle(met device: DeviceIdentifier, at time: WallTime) {
        drive { $0.handle(met: device, at: time, in: self) }
    }

    /// All that the device claimed when its session opened is claimed here.
    func handleToldAll(by device: DeviceIdentifier) {
        twin.noteToldAll(by: device)
        // All that the peer knows of who has a record is here. Before that, a new device would enter everyone anew, over
        // what their records say: their names, who let them in, whose key they have.
        drive { $0.enterIfMissing(device, named: recordedName(of: device), in: self) }
    }

    /// A device said at which time it compares what it holds.
    func handle(told time: WallTime, by device: DeviceIdentifier) {
        drive { $0.note(told: time, by: device, in: self) }
    }

    /// A life that nobody had before.
    func newLife() -> Life { drive { $0.writing.newLife() } }

    /// Two machines have this device's identity and life, as clones of one disk or memory have, or the peer lies:
    /// what is named from now on is this machine's own.
    ///
    /// Links that find the same life taken are one story; so are later lives, for the log.
    func handle(taken: Life, shownBy device: DeviceIdentifier) {
        guard journal.life == taken else { return }
        drive { $0.writing.giveUp(taken, at: .now) }
        tellOfTwin(shownBy: device)
    }

    /// What is on its way to be kept may show that another machine uses this device's identity.
    func lookForTwin(in writes: [Write], from peer: DeviceIdentifier) {
        if twin.isShown(by: writes, from: peer) { tellOfTwin(shownBy: peer) }
        guard storeTroubles?.explainsSetBack == false, twin.isSetBack(by: writes, from: peer) else { return }
        storeTroubles?.noteSetBack(shownBy: name(of: peer))
        log.warn("trouble: \(StoreTroubles.setBackText(shownBy: name(of: peer)))")
    }

    /// A link with a device has ended; whether it did so for a newer one of which nothing is known here.
    func handleEnd(of device: DeviceIdentifier, isReplacedElsewhere: Bool) {
        guard twin.noteEnd(with: device, isReplacedElsewhere: isReplacedElsewhere) else { return }
        tellOfTwin("“\(name(of: device))” is connected with it elsewhere")
    }

    private func tellOfTwin(shownBy device: DeviceIdentifier) {
        tellOfTwin("“\(name(of: device))” has writes in its name that were not made here")
    }

    /// Says so for as long as there are signs: which of the two is to go on is for the person to say.
    private func tellOfTwin(_ sign: String) {
        let trouble = """
            another machine uses this device's identity: \(sign). Let only one of the two go on; on the other, stop the \
            node, type `baton leave\(accountOption)`, and join anew.
            """
        if twin.note(trouble, at: loop.now) { log.warn(trouble) }
    }

    /// Takes note of what can't be read, and of what can be after all.
    private func note(_ commit: StoreCommit) {
        for aside in commit.setAside {
            asides[aside.dot] = .some(aside.peer)
            let sender = aside.peer.map { "“\(name(of: $0))” sent" } ?? "there is"
            log.warn("\(sender) \(aside.reason); it was set aside, and the rest is taken")
        }
        for dot in commit.resolved { asides[dot] = nil }
    }

    /// Faults that a person should know of, in words.
    var troubles: [String] {
        let senders = Dictionary(grouping: asides.values.compactMap(\.self), by: \.self)
        return [rosterTrouble, twin.trouble(at: loop.now), sweepingTrouble]
            .compactMap(\.self) + renewal.troubles + activityCount.troubles + (storeTroubles?.texts ?? [])
            + senders.sorted { $0.key < $1.key }.map { device, all in
                """
                \(all.count == 1 ? "1 record" : "\(all.count) records") from “\(name(of: device))” can't be read \
                and \(all.count == 1 ? "is" : "are") set aside; a newer version of Baton there or here may help
                """
            }
    }

    /// Why nothing that has expired is swept, if a clock is wrong.
    private var sweepingTrouble: String? {
        switch drive({ $0.sweepingDoubt(at: clocks) }) {
        case nil: nil
        case .jumped:
            """
            the clock of this device was set by more than a day; if it is right now (`date` shows it), what has expired is \
            removed again after a day
            """
        case .behind:
            """
            the clock of this device is more than a day behind what was written before; set it (`timedatectl` shows whether \
            it is kept right), or what has expired is not removed
            """
        case .differs(let device):
            """
            the clock of “\(name(of: device))” and that of this device differ by a day or more; set the wrong one \
            (`timedatectl` shows whether it is kept right), or what has expired is not removed
            """
        }
    }

    /// The name of a device, told apart from others with the same name.
    func name(of device: DeviceIdentifier) -> String {
        let name = recordedName(of: device)
        let isShared = presentDevices(named: name).contains { $0 != device }
        return isShared ? "\(name) (\(device.short))" : name
    }

    /// The name of a device by its record, or by which it was met.
    func recordedName(of device: DeviceIdentifier) -> String {
        if let name = devices[device]?.name ?? peers.metName(of: device) { return name }
        return device == credentials.device ? credentials.deviceName : device.short
    }
}
