import BatonCore
import Support

/// Faults between devices.
extension World {
    func strikeLink(_ fault: Fault) {
        if fault == .partition { return divide() }
        let open = links.flatMap { link in link.open.map { (link, $0) } }
        guard !open.isEmpty else { return }
        let (link, ends) = streams[fault.rawValue].pick(open)
        let end = streams[fault.rawValue].chance(50) ? ends.0 : ends.1
        let (node, peer) = (end.node.name, end.peer.name)
        switch fault {
        case .cut:
            tell("\(node) and \(peer) lose a connection")
            end.cut()
        case .halfOpen:
            tell("\(node) loses a connection to \(peer), which does not know")
            end.cutHalf()
        case .oneWay:
            tell("nothing gets from \(node) to \(peer)")
            marks[.oneWay] += 1
            end.isStuck = true
            // Each side gives the connection up at a time of its own.
            enter(at: now + .milliseconds(streams[fault.rawValue].number(0...60_000))) { end.cutHalf() }
        case .duplicate:
            if link.isUsable, link.open.count < 3 { link.connect(in: self) }
        default:
            tell("\(peer) reads slowly from \(node)")
            end.isSlow = true
        }
    }

    /// Keeps some devices from reaching the others for a while.
    private func divide() {
        divide(Set(nodes.filter { _ in streams["partition"].chance(50) }.map(\.number)))
    }

    /// Keeps two devices and their neighbours from reaching each other for a while.
    func divide(apart one: SimulatedNode, _ two: SimulatedNode) {
        let others = nodes.filter { $0 !== one && $0 !== two }
        let side = others.filter { _ in streams["partition"].chance(50) }.map(\.number)
        divide(Set(side + [one.number]))
    }

    private func divide(_ side: Set<Int>) {
        let between = links.filter {
            side.contains($0.one.number) != side.contains($0.two.number) && !$0.isDown
        }
        guard !between.isEmpty else { return }
        tell("a partition: \(side.sorted().map { name(of: $0) }) can't reach the others")
        marks[.partitions] += 1
        for link in between { link.isDown = true }
        // Some connections survive the partition, and some are given up.
        if streams["partition"].chance(50) { for link in between { for (end, _) in link.open { end.cut() } } }
        later(.partition, 1...20) { [self] in
            tell("the partition is over")
            for link in between {
                link.isDown = false
                link.proceed()
            }
            if profile.shape == .changing { changeLinks() }
        }
    }

    /// Changes which devices can reach each other.
    func changeLinks() {
        for link in links { link.isPresent = streams["shape"].chance(40) }
        for link in links where !link.isPresent { for (end, _) in link.open { end.cut() } }
        enter(at: now + .milliseconds(streams["shape"].number(1...20) * max(1, profile.pace))) {
            [unowned self] in
            if !isHealed { changeLinks() }
        }
    }
}
