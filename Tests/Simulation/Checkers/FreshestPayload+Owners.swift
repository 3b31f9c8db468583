import BatonCore
import Support

/// Checks that a device has for its own only what it wrote itself, and loses nothing to what others write in its name.
extension FreshestPayload {
    /// A process has loaded the activities of its disk, with the notes beside them.
    func judgeLoaded(_ records: [Record], _ notes: [LocalNote], by apps: SimulatedApps) {
        guard apps.world.profile[.impersonate] > 0 else { return }
        let noted = Set(
            notes.compactMap(OwnActivityNote.read).filter { $0.1.activity != nil }.map(\.0.identity))
        for record in foreign(records, to: apps) where !noted.contains(record.identity) {
            guard let name = apps.machine.name(of: record.identity), apps.machine[name] != nil else {
                continue
            }
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [record.identity], at: apps.node),
                "\(apps.node.name) loads \(name.instance), which another device wrote")
        }
    }

    /// A machine goes on with another state of an activity after these records have changed.
    func judgeTakenUp(_ name: ActivityName, _ records: [Record], by apps: SimulatedApps) {
        let told = records.filter { $0.identity == name.identity }
        guard apps.world.profile[.impersonate] > 0, !told.isEmpty,
            foreign(told, to: apps).count == told.count
        else { return }
        apps.world.violate(
            .freshestPayload, about: Violation.Subject(records: [name.identity], at: apps.node),
            "\(apps.node.name) takes \(name.instance) up, which another device wrote")
    }

    /// A machine has done something: none of its activities is made up.
    func judgeOwn(of apps: SimulatedApps) {
        guard let (name, _) = apps.machine.all.first(where: { $0.own.activity.type == World.plantedType })
        else { return }
        apps.world.violate(
            .freshestPayload, about: Violation.Subject(records: [name.identity], at: apps.node),
            "\(apps.node.name) has \(name.instance) for its own, which a member made up")
    }

    /// Checks in the end that a machine still has what its app has begun and was never told the end of.
    func judgeLost(_ name: ActivityName, at apps: SimulatedApps) {
        let present = apps.machine.present(name)
        guard apps.world.profile[.impersonate] > 0, let state = known[place(name, apps)], state.isGoingOn,
            state.ending == nil, !state.isUncertain, !state.mayHaveEnded,
            !state.hasExpired(at: apps.node.wallTime), !apps.machine.hasUnexplainedEnd(present),
            apps.machine[present] == nil
        else { return }
        apps.world.violate(
            .acknowledgedIsKept, about: Violation.Subject(records: [present.identity], at: apps.node),
            "\(apps.node.name) has lost \(name.instance), and its app knows of no end")
    }

    /// Returns the names of this device's activities on whose records others have written, which a process that starts
    /// can't tell from nothing.
    func overwritten(_ records: [Record], at apps: SimulatedApps) -> Set<ActivityName> {
        guard apps.world.profile[.impersonate] > 0 else { return [] }
        return Set(foreign(records, to: apps).compactMap { $0.activity?.name.first })
    }

    /// Returns the records of this device's activities in which something stands that it did not write.
    private func foreign(_ records: [Record], to apps: SimulatedApps) -> [Record] {
        let device = apps.node.identity.device
        return records.filter { record in
            record.activity?.name.device == device && !apps.world.wrote(record, device)
        }
    }
}
