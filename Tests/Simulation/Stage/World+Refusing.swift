import BatonCore
import Support

/// A phase of a world's life in which disks refuse once what devices do by themselves, and nothing else happens that
/// would make the devices do it again.
extension World {
    /// Has one device clear what it wrote, and refuses the next work of all devices that no app and no peer asked for.
    ///
    /// All of it must be done in the end.
    func refuseUpkeep() {
        begin(.refusing)
        let stream = "refusing"
        let node = streams[stream].pick(honest)
        tell("\(node.name) clears something, and disks refuse what follows from it")
        for lane in Lane.allCases {
            let scope = streams[stream].scope()
            let key = streams[stream].key(lane, of: profile.keys)
            node.write(lane, [Journal.Draft(.full(Write.Content(scope: scope, fields: Fields())), key)])
            node.write(
                lane, [Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: lane))])
        }
        loseOne()
        for node in honest {
            node.refusals = streams[stream].number(1...3)
            if profile.collects { node.report() }
        }
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        for node in nodes { node.refusals = 0 }
        // Sessions that asked for something together with what was refused have ended.
        comeToRest()
    }

    /// Has stores lost, devices join and go, and clears made, while each disk refuses once some of what the account does by
    /// itself.
    ///
    /// Every refused subject must be done in the end.
    func refuseAccounts() {
        let stream = Phase.refusingAccounts.rawValue
        tell("disks refuse what the account does by itself")
        for node in honest { refuseOnce(node) }
        if streams[stream].chance(50) { loseStore(stream) }
        loseOne(stream)
        if profile.hasRoster, streams[stream].chance(40), honest.count < Self.devicesMost, canInvite {
            let new = join()
            tell("\(new.name) joins")
            connect(honest)
            refuseOnce(new)
        }
        for lane in Lane.allCases {
            let node = streams[stream].pick(honest)
            let key = streams[stream].key(lane, of: profile.keys)
            let scope = streams[stream].scope()
            node.write(lane, [Journal.Draft(.full(Write.Content(scope: scope, fields: Fields())), key)])
            node.write(
                lane, [Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: lane))])
        }
        if profile.collects { for node in honest { node.report() } }
        connectAll()
        guard play() else { return violate(.convergence, "the nodes never fall silent") }
        for node in nodes { (node.refusedSubjects.toRefuse, node.entryRefusals) = ([], 0) }
        // The owner that admitted the new device may have been revoked before.
        partFromOutcasts()
        if violation == nil, honest.count > 1 { comeToRest() }
    }

    /// Has the disk of a node refuse once some subjects of the account, and some of its statements.
    private func refuseOnce(_ node: SimulatedNode) {
        let stream = Phase.refusingAccounts.rawValue
        node.refusedSubjects.toRefuse = Set(RefusedSubjects.all.filter { _ in streams[stream].chance(50) })
        node.entryRefusals = streams[stream].number(0...2)
    }

    /// Empties the store of a device, an owner if there is one.
    ///
    /// The owner has revoked a lost device where nobody heard of it, and only the files beside its store say so.
    private func loseStore(_ stream: String) {
        // A device can't end what it wrote with a time ahead of all clocks and then lost.
        let candidates = profile[.strangeTime] > 0 ? [] : honest.filter { canSpare($0) && isOnly($0) }
        guard !candidates.isEmpty else { return }
        let owners = candidates.filter { $0.papers?.owner != nil }
        let node = streams[stream].pick(owners.isEmpty ? candidates : owners)
        let lost = honest.filter { $0 !== node && canSpare($0) && isOnly($0) }
        if node.papers?.owner != nil, !lost.isEmpty {
            let target = streams[stream].pick(lost)
            node.isAway = true
            for endpoint in node.endpoints { endpoint.cut() }
            tell("\(target.name) is destroyed")
            remove(target)
            revoke(target, by: node, device: true, owner: false)
            play()
            node.isAway = false
            dismiss([target.identity.device])
        }
        node.empty()
        node.start()
    }

    /// Now and then declares a device gone for good, of which the others then forget the reports.
    private func loseOne(_ stream: String = "refusing") {
        let candidates = honest.filter { canSpare($0) && isOnly($0) }
        guard streams[stream].chance(30), !candidates.isEmpty else { return }
        let node = streams[stream].pick(candidates)
        tell("\(node.name) is destroyed, and everyone hears of it")
        remove(node)
        dismiss([node.identity.device])
    }
}
