import BatonCore
import Support

/// Checks of what every node shows in the end.
extension FreshestPayload {
    func judgeAtRest(_ world: World, _ truth: Truth) {
        guard world.isEnding else { return }
        for node in world.honest {
            guard let apps = node.apps, node.isUp else { continue }
            let device = node.identity.device
            let shared = apps.machine.all.filter { apps.machine.isShared($0.name) }
                .map { Listed(name: $0.name, activity: $0.own.activity) }.sorted(by: Listed.precedes)
            for other in world.honest {
                // A record that was planted with a time that no clock shows stays for good, and belongs to nobody.
                let found = (other.apps?.read(.currentActivity) ?? [])
                    .filter { !World.isStrange($0.incarnation.time) }.compactMap(\.activity)
                    .filter { $0.name.device == device }.map { Listed(name: $0.name, activity: $0.activity) }
                    .sorted(by: Listed.precedes)
                if found != shared {
                    world.violate(
                        .freshestPayload,
                        about: Violation.Subject(
                            records: (found + shared).map(\.name.key.identity), at: other),
                        "\(other.name) lists \(found.map(\.told)) of \(node.name), where \(shared.map(\.told)) is going on"
                    )
                }
                if !isCloned(device, world) { judgeTaken(of: apps, at: other, world) }
            }
            for listed in shared { judge(listed, at: apps) }
            for name in names where name.device == device { judgeLost(name, at: apps) }
            for name in names.map(apps.machine.present) where apps.machine.hasUnexplainedEnd(name) {
                // No device claims an end that a device lost until it adopts it, which happens with a report.
                let end = node.contents.record(name.key.identity)?.tombstone
                guard end.map({ node.contents.complete.covers($0.dot) }) ?? true else { continue }
                world.violate(
                    .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: node),
                    "the app at \(node.name) is never told how \(name.instance) ended")
            }
        }
    }

    /// Checks that an activity that goes on in the end has not expired, and that nobody has forgotten this state.
    private func judge(_ listed: Listed, at apps: SimulatedApps) {
        let world = apps.world
        if apps.isOver(listed.activity) {
            world.violate(
                .freshestPayload,
                about: Violation.Subject(records: [listed.name.key.identity], at: apps.node),
                "\(listed.told) goes on at \(apps.node.name), and its time is over")
        }
        guard let state = known[place(listed.name, apps)], state.isToldOnce, !state.mayHaveEnded,
            !isCloned(listed.name.device, world),
            let dot = erasures.dot(forgetting: listed.name.first, listed.activity.version),
            let entry = world.ledger[dot], !entry.isLost
        else { return }
        world.violate(
            .noResurrection,
            about: Violation.Subject([entry.write], records: [listed.name.key.identity], at: apps.node),
            "\(listed.told) goes on at \(apps.node.name), and was forgotten by \(entry.write.told(in: apps.world))"
        )
    }

    /// Whether a member ever wrote to that record in the name of its device: what it makes up of several activities is
    /// saved as one thing.
    private func isForged(_ identity: RecordIdentity, _ world: World) -> Bool {
        world.profile[.impersonate] > 0
            && world.ledger.entries.contains { entry in
                guard entry.write.identity == identity, entry.write.isFull else { return false }
                return Record(entry.write).activity.map { !entry.write.stamp.life.isOf($0.name.device) }
                    ?? false
            }
    }

    /// Checks that all nodes name the same device as the one that took an activity over.
    private func judgeTaken(of apps: SimulatedApps, at other: SimulatedNode, _ world: World) {
        let device = apps.node.identity.device
        let taken = TakenActivities(other.apps?.read(.savedActivity) ?? [], of: device)
        for name in names
        where name.device == device && known[place(name, apps)]?.wasTaken ?? false && !erasures.concern(name)
        {
            let identity = apps.machine.present(name).identity
            let (own, others) = (apps.machine.takenOver(identity), taken[identity])
            guard own?.device != others?.device || own == nil, !isForged(identity, world) else { continue }
            world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(other.name) and \(apps.node.name) do not agree on where \(name.instance) went on")
        }
    }

    private struct Listed: Equatable {
        let name: ActivityName
        let activity: Activity

        static func precedes(_ one: Self, _ two: Self) -> Bool { one.name.instance < two.name.instance }

        var told: String { "\(name.instance) at \(activity.version)" }
    }
}
