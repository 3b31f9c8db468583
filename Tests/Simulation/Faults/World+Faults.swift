import BatonCore
import Support

/// Faults, each time at another device or link.
extension World {
    func strike(_ fault: Fault) {
        guard !isHealed else { return }
        switch fault {
        case .cut, .halfOpen, .oneWay, .duplicate, .slowReader, .partition: strikeLink(fault)
        case .pause, .crash, .powerLoss, .stop: strikeProcess(fault)
        case .fullDisk, .backup, .restore, .clone, .cloneRunning, .empty, .rescue, .loseSettings:
            strikeDisk(fault)
        case .destroy, .join, .leave, .away: strikeMember(fault)
        case .clock: strikeClock()
        case .strangeTime: writeStrangely()
        case .impersonate: impersonate()
        case .feud: feud()
        case .intrude: intrude()
        case .giveUp: giveUp()
        case .misdial: misdial()
        // The faulty device is there from the beginning; disks refuse when they are used.
        case .rubbish, .failedGroup, .fullInSnapshot, .failedUpkeep: break
        // It strikes behind a batch of an app.
        case .clockBehindBatch: break
        // It strikes when a range of a snapshot arrives.
        case .loseSender: break
        }
    }

    /// Returns a device for the fault to strike.
    func victim(of fault: Fault, where isMeant: (SimulatedNode) -> Bool = { $0.isUp }) -> SimulatedNode? {
        let candidates = honest.filter(isMeant)
        return candidates.isEmpty ? nil : streams[fault.rawValue].pick(candidates)
    }

    /// Plans an action that follows later, unless all has healed by then.
    func later(_ fault: Fault, _ range: ClosedRange<Int>, _ action: @escaping () -> Void) {
        let delay = streams[fault.rawValue].number(range) * max(1, profile.pace)
        enter(at: now + .milliseconds(delay)) { [unowned self] in if !isHealed { action() } }
    }

    private func strikeProcess(_ fault: Fault) {
        guard let node = victim(of: fault) else { return }
        switch fault {
        case .pause:
            tell("\(node.name) stands still")
            marks[.pauses] += 1
            node.pause()
            later(.pause, 1...20) { node.resume() }
        case .crash: node.crash()
        case .stop: node.stopInOrder()
        default: node.losePower()
        }
        if fault != .pause { later(fault, 0...10) { node.start() } }
    }

    private func strikeClock() {
        guard let node = victim(of: .clock) else { return }
        let year = Duration.seconds(31_557_600)
        switch streams["clock"].number(0...4) {
        case 0:
            let zero = WallTime(milliseconds: 0).since(NodeClock().time(at: now))
            node.clock.offset = zero
            marks[.clockZero] += 1
        case 1:
            node.clock.offset = year * (streams["clock"].chance(50) ? 10 : -10)
            marks[.clockFar] += 1
        case 2: node.clock.offset = .zero
        default:
            let jump = Duration.milliseconds(streams["clock"].number(-600_000...600_000))
            node.clock.offset += jump
            if jump < .zero { marks[.clockBack] += 1 }
        }
        tell("the clock of \(node.name) says \(node.wallTime.milliseconds)")
    }
}
