import BatonCore
import Support

/// Faults of disks, and what people do about them.
extension World {
    func strikeDisk(_ fault: Fault) {
        switch fault {
        case .fullDisk:
            guard let node = victim(of: fault, where: { !$0.isFull }) else { return }
            tell("the disk of \(node.name) is full")
            node.isFull = true
            later(fault, 1...10) { [unowned self] in
                tell("the disk of \(node.name) has room again")
                node.isFull = false
            }
        case .backup: victim(of: fault, where: { _ in true })?.disk.backUp()
        case .loseSettings:
            guard let node = victim(of: fault, where: { $0.isUp && $0.apps != nil }) else { return }
            let loss = streams[fault.rawValue].pick(SettingsLoss.allCases)
            if loss == .everything { node.empty() } else { node.crash() }
            node.apps?.lose(loss)
            later(fault, 0...5) { node.start() }
        case .restore:
            guard let node = victim(of: fault, where: { $0.disk.backup != nil }) else { return }
            node.restore()
            later(fault, 0...10) { node.start() }
            // Some people are away when they restore a backup, and work before they meet anyone.
            if streams[fault.rawValue].chance(50) { leaveAlone(node, fault) }
        case .empty:
            guard let node = victim(of: fault) else { return }
            node.empty()
            later(fault, 0...5) { node.start() }
        case .rescue:
            guard let node = victim(of: fault) else { return }
            node.rescue()
            later(fault, 0...5) { node.start() }
        default:
            guard honest.count < Self.devicesMost, let node = victim(of: fault) else { return }
            tell("\(node.name) is cloned\(fault == .cloneRunning ? " while it runs" : "")")
            marks[.clones] += 1
            let clone = addClone(of: node)
            // The copy of the disk may have what this process gave up when the disk failed to sync.
            clone.entriesInDoubt = node.entriesInDoubt
            clone.enterFound()
            if fault == .cloneRunning { (clone.witness, clone.toldAhead) = (node.witness, node.toldAhead) }
            clone.start()
        }
    }

    /// The most devices of a world; more make worlds slow and find nothing more.
    static let devicesMost = 9

    func strikeMember(_ fault: Fault) {
        switch fault {
        case .join:
            guard honest.count < Self.devicesMost, canInvite else { return }
            let node = join()
            tell("\(node.name) joins")
            marks[.joined] += 1
        case .away:
            guard let node = victim(of: fault, where: { $0.isUp && !$0.isAway }) else { return }
            tell("\(node.name) goes away")
            marks[.away] += 1
            for endpoint in node.endpoints { endpoint.cut() }
            leaveAlone(node, fault)
        default:
            guard let node = victim(of: fault, where: { self.canSpare($0) }) else { return }
            guard fault == .leave else { return destroy(node, fault, dismissedWithin: 1...40) }
            tell("\(node.name) leaves")
            remove(node)
            if isGone(node.identity.device) { dismiss([node.identity.device]) }
            later(fault, 0...10) { [unowned self] in
                guard honest.count < Self.devicesMost, canInvite else { return }
                let again = join()
                tell("\(node.name) joins again, as \(again.name)")
                marks[.rejoined] += 1
            }
        }
    }

    /// Takes a device away for good; its person declares it gone some steps later, and until then all wait for it.
    func destroy(_ node: SimulatedNode, _ fault: Fault, dismissedWithin steps: ClosedRange<Int>) {
        tell("\(node.name) is destroyed")
        remove(node)
        let isAlone = isGone(node.identity.device)
        marks[.destroyed] += 1
        later(fault, steps) { [unowned self] in
            if isAlone { dismiss([node.identity.device]) }
        }
    }

    /// Whether no machine has the identity of the device.
    private func isGone(_ device: DeviceIdentifier) -> Bool {
        !nodes.contains { $0.identity.device == device }
    }

    /// Keeps the device from meeting anyone for a long time.
    func leaveAlone(_ node: SimulatedNode, _ fault: Fault) {
        node.isAway = true
        later(fault, 10...60) { [unowned self] in
            tell("\(node.name) comes back")
            node.isAway = false
        }
    }
}
