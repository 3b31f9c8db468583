package import BatonCore

/// Remembers the calls of an app that a restarted node does not know.
///
/// These are the registration of the app, and the current activity of each instance.
package struct RepeatedCalls: Sendable {
    /// The current activity of each app instance, with all changes so far.
    private var current: [String: StartActivity] = [:]
    private var registration: AppRegistration?
    /// The app instance that each request to save is for, by the number of the request.
    private var saves: [UInt64: String] = [:]

    /// The largest number of requests to save that are remembered.
    private static let savesMost = 64

    package init() {}

    /// Whether there is nothing to repeat.
    package var isEmpty: Bool { current.isEmpty && registration == nil }

    /// The calls to repeat to a node that has restarted.
    package var calls: [any LocalCall] {
        (registration.map { [RegisterApp($0)] } ?? [])
            + current.values.sorted { $0.instance < $1.instance }
    }

    /// Records a call that succeeded.
    package mutating func recordCall(_ call: any LocalCall) {
        switch type(of: call).number {
        case .startActivity:
            // A restarted node still knows the activities that outlast the connection. So only the other activities are
            // repeated.
            guard let start = call as? StartActivity, start.lifetime == .connection else { return }
            current[start.instance] = start
        case .registerApp: registration = (call as? RegisterApp)?.registration ?? registration
        case .updateActivity:
            guard let update = call as? UpdateActivity, let instance = update.target.instance else { return }
            change(instance, by: update.change)
        case .reportSaved:
            guard let saved = call as? ReportSaved, let instance = saves.removeValue(forKey: saved.event),
                let change = saved.change
            else { return }
            self.change(instance, by: change)
        case .resignActivity: end((call as? ResignActivity)?.target)
        case .finishActivity: end((call as? FinishActivity)?.target)
        default: return
        }
    }

    /// Notes an event that the node has sent.
    package mutating func recordEvent(_ event: AppEvent) {
        switch event {
        case .save(let number, let instance):
            saves[number] = instance
            // The oldest request to save is older than the time limit of the node, so it can be forgotten.
            if saves.count > Self.savesMost, let oldest = saves.keys.min() { saves[oldest] = nil }
        case .wasContinued(let instance, _, let isTaken): if isTaken { current[instance] = nil }
        case .ended(let instance): current[instance] = nil
        case .continues, .streamWanted, .opens: break
        }
    }

    /// Notes that the connection to the node is lost, and forgets the requests to save of that connection.
    package mutating func noteLoss() { saves = [:] }

    /// Notes that an activity has ended, because the restarted node refuses to start it again.
    package mutating func noteRefusal(of start: StartActivity) { current[start.instance] = nil }

    private mutating func change(_ instance: String, by change: ActivityChange) {
        guard let start = current[instance] else { return }
        current[instance]?.change = start.change.followed(by: change)
    }

    private mutating func end(_ target: ActivityTarget?) {
        if let instance = target?.instance { current[instance] = nil }
    }
}

extension ActivityTarget {
    /// The app instance whose current activity is the target; nil if the target is named in another way.
    fileprivate var instance: String? {
        guard case .instance(_, let instance) = self else { return nil }
        return instance
    }
}
