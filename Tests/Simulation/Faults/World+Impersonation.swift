import BatonCore
import Support

/// A member of bad will that writes the records of activities in the names of other devices.
extension World {
    /// The type of the activities that it makes up; no app has such an activity.
    static let plantedType = "org.acting.planted"

    /// The ways to make up a record.
    private enum Forgery: CaseIterable {
        case unmarked
        /// With a mark that another device can make.
        case markedByOther
        /// With the mark of an earlier record of the device.
        case oldMark
        /// An earlier record of the activity, as the device wrote it.
        case oldRecord
        /// The record of another activity of the device, as the device wrote it.
        case otherRecord
        /// A change of the record that is there.
        case changed
    }

    /// Writes over the record of some device's activity, or where nothing is going on.
    func impersonate() {
        let concern = Fault.impersonate.rawValue
        guard let forger = victim(of: .impersonate) else { return }
        let others = honest.filter { $0.identity.device != forger.identity.device }
        guard !others.isEmpty else { return }
        let target = streams[concern].pick(others)
        let first = ActivityName(
            device: target.identity.device, app: SimulatedApps.app,
            instance: "\(streams[concern].number(1...2))")
        let name = target.apps?.machine.present(first) ?? first
        let forgery = streams[concern].pick(Forgery.allCases)
        marks[.impersonations] += 1
        forger.write(
            action(forgery, of: name, by: forger), name.key, isMarked: forgery == .markedByOther)
    }

    /// Returns what is written; the activity is made up where there is no record to begin with.
    private func action(
        _ forgery: Forgery, of name: ActivityName, by forger: SimulatedNode
    ) -> Write.Action {
        let concern = Fault.impersonate.rawValue
        let planted = Activity(type: Self.plantedType, started: forger.wallTime).content
        let own = ownRecords(of: name.device)
        switch forgery {
        case .unmarked, .markedByOther: return .full(planted)
        case .oldMark:
            guard !own.isEmpty else { return .full(planted) }
            let mark = FieldName.number(ActivityMark.number)
            var fields = planted.fields
            fields[mark] = streams[concern].pick(own).content.fields[mark]
            return .full(Write.Content(scope: planted.scope, fields: fields))
        case .oldRecord, .otherRecord:
            let meant = own.filter { ($0.identity == name.identity) == (forgery == .oldRecord) }
            return .full(meant.isEmpty ? planted : streams[concern].pick(meant).content)
        case .changed:
            guard let record = forger.contents.record(name.identity), record.content != nil else {
                return .full(planted)
            }
            var fields = Fields()
            fields.set(1) { $0.text(Self.plantedType) }
            return .partial(of: record.incarnation, fields)
        }
    }

    /// All records of current activities that a device ever wrote itself.
    private func ownRecords(
        of device: DeviceIdentifier
    ) -> [(identity: RecordIdentity, content: Write.Content)] {
        ledger.entries.compactMap { entry in
            guard case .full(let content) = entry.write.action, entry.write.stamp.life.isOf(device),
                Record(entry.write).activity?.name.device == device
            else { return nil }
            return (entry.write.identity, content)
        }
    }

    /// Whether the device wrote everything itself that is left of a record.
    func wrote(_ record: Record, _ device: DeviceIdentifier) -> Bool {
        record.survivingWrites.allSatisfy { $0.stamp.life.isOf(device) }
    }
}

extension SimulatedNode {
    /// Writes to the record of another device's activity: with this device's mark, or as it is.
    fileprivate func write(_ action: Write.Action, _ key: RecordKey, isMarked: Bool) {
        write(Work.OwnWrite(isBatch: false, seen: known) { _ in }) { journal in
            let draft = Journal.Draft(action, key)
            guard var transaction = journal.transaction(.activities, [draft], now: wallTime) else {
                return nil
            }
            if !isMarked {
                transaction.writes = transaction.writes.map {
                    Write(dot: $0.dot, key: key, stamp: $0.stamp, action: action)
                }
            }
            world.tell("\(name) makes up \(transaction.writes.map { $0.told(in: world) })")
            return transaction
        }
    }
}
