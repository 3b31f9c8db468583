package import BatonCore

/// Remembers an app's calls that a restarted node can't know: its registration, and the current activity of each
/// instance.
package struct RepeatedCalls: Sendable {
    /// The current activity of each app instance, with all changes so far.
    private var current: [String: StartActivity] = [:]
    private var registration: AppRegistration?
    /// The app instance of each request to save, by the number of the request.
    private var saves: [UInt64: String] = [:]

    /// How many requests to save are remembered.
    private static let savesMost = 64

    package init() {}

    /// Whether there is nothing to repeat.
    package var isEmpty: Bool { current.isEmpty && registration == nil }

    /// The calls to make to a node that has restarted.
    package var calls: [any LocalCall] {
        (registration.map { [RegisterApp($0)] } ?? [])
            + current.values.sorted { $0.instance < $1.instance }
    }

    /// Records a call that the node has answered with success.
    package mutating func recordCall(_ call: any LocalCall) {
        switch type(of: call).number {
        case .startActivity:
            // A restarted node knows activities that outlast the connection, so only the others are repeated.
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
            // The oldest request to save has certainly timed out.
            if saves.count > Self.savesMost, let oldest = saves.keys.min() { saves[oldest] = nil }
        case .wasContinued(let instance, _, let isTaken): if isTaken { current[instance] = nil }
        case .ended(let instance): current[instance] = nil
        case .continues, .streamWanted, .opens: break
        }
    }

    /// Notes that the connection to the node is lost, and its requests to save with it.
    package mutating func noteLoss() { saves = [:] }

    /// Notes that a restarted node refuses an activity that the previous node accepted: the activity has ended.
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
    /// The app instance whose current activity is meant; nil if the activity is named in another way.
    fileprivate var instance: String? {
        guard case .instance(_, let instance) = self else { return nil }
        return instance
    }
}
