import BatonCore

extension LocalFailure {
    /// The failure if no activity has a text as its identifier or type, or in its title.
    static func unknownActivity(_ text: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "No activity has the ID or type “\(text)”, or that text in its title.\n"
                + "See `baton list`; `baton list --finished` shows those that have ended.")
    }

    /// The failure for an activity that another device has taken over.
    ///
    /// Its advice is the command that returns to the activity's last state on this device.
    static func takenOver(
        _ title: String, on device: String, _ end: ListedActivity?, now: WallTime
    ) -> LocalFailure {
        let time = end?.activity.continuation.map { " \($0.time.ago(at: now))" } ?? ""
        let advice =
            end.map { "Type `baton continue \($0.shortIdentifier)` to return to its state at that time." }
            ?? "See `baton list`."
        return LocalFailure(.takenOver, "“\(title)” was continued on “\(device)”\(time).\n\(advice)")
    }

    /// The failure for an activity that has ended on its device.
    static func ended(_ title: String, on device: String, _ end: ListedActivity?) -> LocalFailure {
        let advice =
            end.map { "Type `baton continue \($0.shortIdentifier)` to return to its last state." }
            ?? "See `baton list`."
        return LocalFailure(.notFound, "“\(title)” has ended on “\(device)”.\n\(advice)")
    }
}

extension ListedActivity {
    /// The beginning of the identifier, which is long enough for a command.
    var shortIdentifier: String { String(identifier.prefix(8)) }
}

extension WallTime {
    /// Returns how long ago this time was, in words for a person.
    fileprivate func ago(at now: WallTime) -> String {
        let seconds = now.since(self).components.seconds
        return switch seconds {
        case ..<60: "just now"
        case ..<3600: Self.count(seconds / 60, "minute")
        case ..<86_400: Self.count(seconds / 3600, "hour")
        default: Self.count(seconds / 86_400, "day")
        }
    }

    private static func count(_ number: Int64, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }
}
