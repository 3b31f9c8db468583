import BatonCore
import Support

/// A person continues activities of other devices here, as in the product.
extension SimulatedNode {
    /// The number of days for which ended activities are kept.
    var finishedDays: Int64 { world.profile.constants.finishedDays }

    /// A person who continues an activity, from the request to the answer.
    private struct Asking {
        let name: ActivityName
        let takes: Bool
        /// The connection to ask over, or nil if there is none.
        ///
        /// It leads to one machine of a cloned device.
        let endpoint: Endpoint?
        /// The minimum that the person must be told.
        let bound: FreshestPayload.Bound
    }

    /// Continues an activity that goes on elsewhere, or did when the person looked.
    func goOn() {
        let stream = "goOn"
        guard isUp, let freshness = world.freshness else { return }
        let isLate = world.streams[stream].chance(20)
        let names =
            isLate
            ? freshness.names
            : ask { (store) throws(StoreFailure) in try store.records(of: .currentActivity) }
                .compactMap(\.activity).filter { !$0.activity.isExpired(at: wallTime) }.map(\.name)
        let others = names.filter { $0.device != identity.device }
        guard !others.isEmpty else { return }
        let name = world.streams[stream].pick(others)
        let endpoint = endpoints.first { $0.peer.identity.device == name.device && $0.session.isOpen }
        let asking = Asking(
            name: name, takes: world.streams[stream].chance(40), endpoint: endpoint,
            bound: freshness.bound(
                of: name, at: endpoint?.peer, record: contents.record(name.key.identity)))
        world.tell(
            "\(self.name) goes on with \(name.key.identity.hash.short)\(asking.takes ? ", and takes it" : "")"
        )
        request(asking)
    }

    private func request(_ asking: Asking) {
        guard let endpoint = asking.endpoint else { return useReplica(asking) }
        var isTold = false
        let isAsked = endpoint.requestContinue(asking.name.key.identity, takes: asking.takes) {
            [self] outcome in
            guard !isTold, isUp else { return }
            isTold = true
            take(outcome, asking)
        }
        guard isAsked else { return useReplica(asking) }
        later(world.limits.continuingTime) { [self] in
            guard !isTold else { return }
            isTold = true
            useReplica(asking)
        }
    }

    private func take(_ outcome: ContinueAnswer.Outcome?, _ asking: Asking) {
        switch outcome {
        case .fields(let fields, let isSaved):
            do throws(CBORError) {
                let activity = try Activity(fields)
                world.freshness?.noteTold(
                    activity, asking.name, isSaved ? .app : .node, asking.bound, to: self)
            } catch {
                world.violate(.freshestPayload, "\(name) is told what can't be read: \(error)")
            }
        case .gone: break
        case .unavailable, nil: useReplica(asking)
        }
    }

    /// Uses the replicated state; a person who takes the activity over does the other device's part.
    private func useReplica(_ asking: Asking) {
        let key = asking.name.key
        guard let record = ask({ (store) throws(StoreFailure) in try store.record(key.identity) }),
            let activity = record.activity?.activity, !activity.isExpired(at: wallTime)
        else { return }
        world.marks[.replicasTold] += 1
        let tell = { [self] in
            world.freshness?.noteReplica(record, asking.bound, to: self)
        }
        guard asking.takes else {
            tell()
            return
        }
        world.marks[.takenAlone] += 1
        let (_, drafts) = activity.takenOver(
            asking.name, by: identity.device, keeping: finishedDays, at: wallTime)
        let copy = drafts.lazy.map(\.key.identity).first { $0.kind == .savedActivity }
        world.freshness?.noteTaking(of: asking.name, by: identity.device, saving: copy)
        write(.activities, drafts) { _ in tell() }
    }

    /// Runs an action after that time.
    func later(_ time: Duration, _ action: @escaping () -> Void) {
        later(
            Int(time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000), action)
    }
}
