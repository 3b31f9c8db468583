import BatonCore
import BatonNetwork
import BatonSecurity

/// Handles the events of links to other devices.
extension AccountNode {
    /// Handles a commit of the store, of local or remote writes, and lets the links send it on.
    func handle(_ commit: StoreCommit, of lane: Lane) { handle(commit, of: lane, told: []) }

    /// Handles a commit of a peer's writes, some of which were reported to watchers before.
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

    /// Handles a failure of the store.
    func handle(_ failure: StoreFailure) { storeTroubles?.note(failure) }

    /// Handles a failure of a job that a peer's session submitted.
    func handle(_ failure: StoreFailure, of device: DeviceIdentifier) {
        handle(failure)
        log.warn("what “\(name(of: device))” sent or lacks can't be kept or read: \(failure)")
    }

    /// Handles durability reports from a peer that were stored; they are all that the store knows now.
    func handle(_ reports: Reports) { drive { $0.handle(reports, in: self) } }

    /// Notes that everything is claimed here that the device claimed when it compared at that time.
    func handle(met device: DeviceIdentifier, at time: WallTime) {
        drive { $0.handle(met: device, at: time, in: self) }
    }

    /// Notes that everything is claimed here that the device claimed when its session opened.
    func handleToldAll(by device: DeviceIdentifier) {
        drive { $0.handleToldAll(by: device, named: recordedName(of: device), in: self) }
    }

    /// Notes the time of its clock at which a device compares what it has.
    func handle(told time: WallTime, by device: DeviceIdentifier) {
        drive { $0.note(told: time, by: device, in: self) }
    }

    /// Returns a new life that no device has used before.
    func newLife() -> Life { drive { $0.writing.newLife() } }

    /// Handles a peer that has writes in the name of this device's life that were not made here.
    func handle(taken life: Life, shownBy device: DeviceIdentifier) {
        drive { $0.handle(taken: life, shownBy: device, in: self) }
    }

    /// Handles the end of a link with a device; the peer may have said that a newer connection, which is not here,
    /// replaces it.
    func handleEnd(of device: DeviceIdentifier, isReplacedElsewhere: Bool) {
        drive {
            $0.handleEnd(
                ofConnectionWith: device, isReplacedElsewhere: isReplacedElsewhere, at: loop.instant)
        }
    }

    /// Says that another machine has this device's identity; a person decides which of the two is to go on.
    func trouble(of sign: TwinDetection.Sign) -> String {
        let shown =
            switch sign {
            case .writes(let peer): "“\(name(of: peer))” has writes in its name that were not made here"
            case .connection(let peer): "“\(name(of: peer))” is connected with it elsewhere"
            }
        return """
            another machine uses this device's identity: \(shown). Let only one of the two go on; on the other, stop the \
            node, type `baton leave\(accountOption)`, and join anew.
            """
    }

    /// Notes writes that can't be read, and quarantined writes that can be read by now.
    private func note(_ commit: StoreCommit) {
        for aside in commit.setAside {
            asides[aside.dot] = .some(aside.peer)
            let sender = aside.peer.map { "“\(name(of: $0))” sent" } ?? "there is"
            log.warn("\(sender) \(aside.reason); it was set aside, and the rest is taken")
        }
        for dot in commit.resolved { asides[dot] = nil }
    }

    /// Problems that a person should know of, in words.
    var troubles: [String] {
        let senders = Dictionary(grouping: asides.values.compactMap(\.self), by: \.self)
        return [rosterTrouble, account.twin.sign(at: loop.instant).map(trouble), sweepingTrouble]
            .compactMap(\.self) + renewal.troubles + activityCount.troubles + (storeTroubles?.texts ?? [])
            + senders.sorted { $0.key < $1.key }.map { device, all in
                """
                \(all.count == 1 ? "1 record" : "\(all.count) records") from “\(name(of: device))” can't be read \
                and \(all.count == 1 ? "is" : "are") set aside; a newer version of Baton there or here may help
                """
            }
    }

    /// The problem to show if a clock is wrong, so that nothing expired is swept; nil otherwise.
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

    /// Returns the name of a device, with part of its identifier if others have the same name.
    func name(of device: DeviceIdentifier) -> String {
        let name = recordedName(of: device)
        let isShared = presentDevices(named: name).contains { $0 != device }
        return isShared ? "\(name) (\(device.short))" : name
    }

    /// Returns the name of a device from its record, or else the name that it gave when it connected.
    func recordedName(of device: DeviceIdentifier) -> String {
        if let name = devices[device]?.name ?? peers.metName(of: device) { return name }
        return device == credentials.device ? credentials.deviceName : device.short
    }
}
