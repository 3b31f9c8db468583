package import BatonClient
package import BatonCore

/// The JSON that `--json` prints.
///
/// Its form is stable: later versions may add keys, but remove none.
extension JSON {
    /// A time in ISO 8601, or null for nil.
    package init(_ time: WallTime?) { self.init(time.map { CivilTime($0).text }) }

    /// Everything that is known about an activity.
    package init(_ summary: ActivitySummary) {
        let activity = summary.activity
        let continued = activity.continuation.map { continuation in
            JSON.object([
                Member(
                    "device",
                    .object([
                        Member("id", .string(continuation.device.description)),
                        Member("name", JSON(summary.continuedOn)),
                    ])),
                Member("at", JSON(continuation.time)),
            ])
        }
        self = .object([
            Member("id", .string(summary.identifier)),
            Member("device", JSON(summary.device)),
            Member("app", .string(summary.app)),
            Member("instance", .string(summary.instance)),
            Member("type", .string(activity.type)),
            Member("title", JSON(activity.title)),
            Member("info", JSON(activity.info)),
            Member("url", JSON(activity.webpage)),
            Member("keywords", .array(activity.keywordsInOrder.map { .string($0) })),
            Member("started", JSON(activity.started)),
            Member("changed", JSON(activity.changed)),
            Member("expires", JSON(activity.expiration)),
            Member("continued", continued ?? .null),
            Member("finished", JSON(activity.finished)),
            Member(
                "sent",
                activity.sent.map {
                    .object([
                        Member("device", .object([Member("id", .string($0.device.description))])),
                        Member("at", JSON($0.time)),
                    ])
                } ?? .null),
            Member("sentHere", .boolean(summary.isSentHere)),
            Member("taken", .boolean(activity.isTaken)),
            Member("forgotten", .boolean(summary.isForgotten)),
            Member("private", .boolean(summary.isPrivate)),
            Member("protected", .boolean(activity.protection != nil)),
            Member("locked", .boolean(activity.protection?.content != nil)),
            Member("departed", JSON(summary.departureWord)),
        ])
    }

    /// The identifier and name of a device, and whether it is this machine.
    package init(_ device: DeviceReference) {
        self = .object([
            Member("id", .string(device.identifier.description)), Member("name", .string(device.name)),
            Member("here", .boolean(device.isHere)),
        ])
    }

    /// Everything that a node knows about a device.
    package init(_ status: DeviceStatus) {
        self = .object([
            Member("device", JSON(status.device)),
            Member("admitted", JSON(status.knownAdmission)),
            Member("connected", .boolean(status.isConnected)),
            Member("inStep", .boolean(status.isInStep)),
            Member("seen", JSON(status.seen)),
            Member("addresses", .array(status.addresses.map { .string($0) })),
            Member("namedAddresses", .array(status.namedAddresses.map { .string($0) })),
            Member("trouble", JSON(status.trouble)),
            Member("owner", .boolean(status.isOwner)),
            Member("removed", JSON(status.removed)),
            Member("left", .boolean(status.hasLeft)),
            Member(
                "revoked",
                status.revocation.map { revocation in
                    .object([
                        Member("at", JSON(revocation.date)), Member("by", .string(revocation.revoker)),
                        Member("owner", .boolean(revocation.isOfOwner)),
                    ])
                } ?? .null),
            Member("version", JSON(status.version)),
            Member("clockLeadMilliseconds", status.clockLead.map { .integer($0) } ?? .null),
            Member("lastChange", status.lastChange.map { JSON($0) } ?? .null),
            Member(
                "received",
                status.received.map { received in
                    .object([
                        Member("count", .integer(Int64(clamping: received.count))),
                        Member("latest", JSON(received.latest)),
                    ])
                } ?? .null),
            Member("connectedSince", JSON(status.connectedSince)),
            Member("outOfStepSince", JSON(status.outOfStepSince)),
            Member("attempts", .array(status.attempts.map { JSON($0) })),
            Member("backlog", status.backlog.map { JSON($0) } ?? .null),
            Member("closeCode", status.closeCode.map { .integer(Int64(clamping: $0)) } ?? .null),
        ])
    }

    /// The last attempt to reach a device at one address.
    private init(_ attempt: AddressAttempt) {
        self = .object([
            Member("address", .string(attempt.address)), Member("source", .string(attempt.source.key)),
            Member("outcome", .string(attempt.outcome.key)), Member("text", .string(attempt.text)),
            Member("at", JSON(attempt.time)),
        ])
    }

    /// The changes that two devices must still exchange before they are in step.
    private init(_ backlog: SyncBacklog) {
        self = .object([
            Member("toSend", .integer(Int64(clamping: backlog.toSend))),
            Member("toTake", .integer(Int64(clamping: backlog.toTake))),
            Member("taken", .integer(Int64(clamping: backlog.taken))),
            Member("sendingSnapshot", .boolean(backlog.isSendingSnapshot)),
            Member("takingSnapshot", .boolean(backlog.isTakingSnapshot)),
        ])
    }

    /// The last change that this device received from another device.
    private init(_ change: DeviceStatus.Change) {
        self = .object([
            Member("what", .string(change.thing)), Member("title", JSON(change.title)),
            Member("deletion", .boolean(change.isDeletion)), Member("made", JSON(change.made)),
            Member("taken", JSON(change.taken)), Member("through", JSON(change.sender)),
        ])
    }

    /// The status of a node.
    package init(_ status: NodeStatus) {
        self = .object([
            Member("account", .string(status.account.description)),
            Member("name", JSON(status.accountName)),
            Member("device", JSON(status.device)),
            Member("version", .string(status.build)),
            Member("pid", .integer(Int64(status.process))),
            Member("listening", .string(status.listening)),
            Member("peers", .array(status.peers.map { JSON($0) })),
            Member("discovery", JSON(status.discovery)),
            Member("locked", status.isLocked.map { .boolean($0) } ?? .null),
            Member("troubles", .array(status.troubles.map { .string($0) })),
        ])
    }

    /// The status of an account.
    package init(_ status: AccountStatus) {
        self = .object([
            Member("name", .string(status.name)), Member("default", .boolean(status.isDefault)),
            Member("account", JSON(status.account?.description)),
            Member("devices", .integer(Int64(status.devices))),
            Member("connected", .integer(Int64(status.connected))),
            Member("trouble", JSON(status.trouble)),
        ])
    }

    /// A continued activity, the source of its state, and the time that this took.
    ///
    /// `handler` is the handler that opens the activity on this machine, or null if it is not known.
    package init(_ continued: ContinuedActivity, took time: Duration, handler: JSON = .null) {
        self = .object([
            Member("activity", JSON(continued.summary)), Member("source", .string(continued.source.name)),
            Member("taken", .boolean(continued.isTaken)),
            Member("milliseconds", .real(time.milliseconds)), Member("handler", handler),
        ])
    }
}

extension ActivitySummary {
    /// The reason why the activity's machine is no longer part of the account, as `--json` writes it.
    fileprivate var departureWord: String? {
        departure.map { departure in
            switch departure {
            case .left: "left"
            case .removed: "removed"
            case .revoked: "revoked"
            }
        }
    }
}

extension Activity {
    /// The keywords, sorted by their bytes.
    ///
    /// A set would have another order in each process.
    var keywordsInOrder: [String] { keywords.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension AddressSource {
    /// The name of the source in `--json`.
    fileprivate var key: String {
        switch self {
        case .named: "named"
        case .met: "met"
        case .told: "told"
        case .found: "found"
        }
    }
}

extension AddressAttempt.Outcome {
    /// The name of the outcome in `--json`.
    fileprivate var key: String {
        switch self {
        case .other: "other"
        case .trying: "trying"
        case .connected: "connected"
        case .unresolved: "unresolved"
        case .noAnswer: "noAnswer"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .rejected: "rejected"
        case .otherDevice: "otherDevice"
        case .notTried: "notTried"
        }
    }
}

extension DeviceStatus {
    /// The time when the device joined, or nil if this machine does not know it yet.
    ///
    /// The node reports an unknown time as the beginning of 1970.
    var knownAdmission: WallTime? { admitted > WallTime(milliseconds: 0) ? admitted : nil }
}
