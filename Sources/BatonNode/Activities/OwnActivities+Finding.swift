import BatonCore
import BatonSecurity

/// Finds the activity of this device that a person means.
extension OwnActivities {
    /// Returns the activity that a person named by its app instance or by the beginning of its identifier.
    func find(_ target: ActivityTarget) throws(LocalFailure) -> (name: ActivityName, activity: Activity) {
        switch target {
        case .instance(let app, let instance):
            let name = presentName(of: instance, of: app)
            guard let activity = activity(name) else {
                throw LocalFailure(
                    .notFound, "This shell has no activity. Type `baton start TYPE` to start one.")
            }
            return (name, activity)
        case .identifier(let prefix):
            let names = self.names.filter { $0.shortIdentifier.hasPrefix(prefix.lowercased()) }
            guard let name = names.first, names.count == 1, let activity = activity(name) else {
                throw LocalFailure(.notFound, Self.text(prefix, count: names.count))
            }
            return (name, activity)
        }
    }

    private static func text(_ prefix: String, count: Int) -> String {
        count > 1
            ? "Several activities of this device have an ID that begins with “\(prefix)”. Type more of the ID; see `baton list`."
            : "No activity of this device has an ID that begins with “\(prefix)”. See `baton list`."
    }
}

extension ActivityName {
    /// The identifier of the activity in commands.
    var shortIdentifier: String { identity.hash.description }
}
