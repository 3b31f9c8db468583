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

    /// Now and then declares a device gone for good, of which the others then forget the reports.
    private func loseOne() {
        let candidates = honest.filter { canSpare($0) && isOnly($0) }
        guard streams["refusing"].chance(30), !candidates.isEmpty else { return }
        let node = streams["refusing"].pick(candidates)
        tell("\(node.name) is destroyed, and everyone hears of it")
        remove(node)
        dismiss([node.identity.device])
    }
}
