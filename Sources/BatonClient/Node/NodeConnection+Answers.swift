package import BatonCore

extension NodeConnection {
    /// Asks for something whose answer is one activity.
    package mutating func activity(_ request: LocalRequest) throws(LocalFailure) -> ActivitySummary {
        guard case .activity(let summary) = try self.request(request) else { throw Self.mistaken }
        return summary
    }

    /// Activities of all devices, the one that changed last first.
    package mutating func activities(
        _ extent: ListActivities.Extent = .goingOn
    ) throws(LocalFailure) -> [ActivitySummary] {
        var activities: [ActivitySummary] = []
        while true {
            guard
                case .activities(let part, let isLast) = try request(
                    .list(ListActivities(extent, after: activities.last?.place)))
            else { throw Self.mistaken }
            activities += part
            if isLast || part.isEmpty { return activities }
        }
    }

    /// Continues an activity here, or in the app that the call names.
    package mutating func `continue`(_ call: ContinueActivity) throws(LocalFailure) -> ContinuedActivity {
        guard case .continued(let continued) = try request(.continueActivity(call)) else {
            throw Self.mistaken
        }
        return continued
    }

    /// Waits until the list of what is going on is another than at that number, and tells how; at once without one.
    ///
    /// To begin, a caller asks without a number, lists what is going on, and goes on from the number in the answer; so
    /// nothing is lost in between. It asks for the list anew whenever the answer says so.
    package mutating func watch(
        after number: UInt64?, within patience: Duration = Self.patience
    ) throws(LocalFailure) -> ActivityChanges {
        guard case .changes(let changes) = try request(.watch(after: number), within: patience) else {
            throw Self.mistaken
        }
        return changes
    }

    /// Offers an activity of this device on another one before all others.
    package mutating func send(
        _ target: ActivityTarget, to device: String
    ) throws(LocalFailure) -> ActivitySummary {
        try activity(.send(target, to: device))
    }

    /// Says that the app at this connection continues activities, for as long as it is connected.
    package mutating func register(_ registration: AppRegistration) throws(LocalFailure) {
        try done(.register(registration))
    }

    /// The apps that said so.
    package mutating func registrations() throws(LocalFailure) -> [AppRegistration] {
        guard case .registrations(let registrations) = try request(.registrations) else {
            throw Self.mistaken
        }
        return registrations
    }

    /// Waits for what concerns the activities that this connection began, or what it registered for.
    package mutating func event(within patience: Duration = Self.patience) throws(LocalFailure) -> AppEvent {
        guard case .event(let event) = try request(.awaitEvent, within: patience) else { throw Self.mistaken }
        return event
    }

    /// Says that the app has brought its activity up to date, as the event of that number asked.
    package mutating func saved(_ number: UInt64, _ change: ActivityChange?) throws(LocalFailure) {
        try done(.saved(number, change))
    }

    /// Asks for something of which there is nothing to be told but that it was done.
    package mutating func done(_ request: LocalRequest) throws(LocalFailure) {
        guard case .done = try self.request(request) else { throw Self.mistaken }
    }

    /// What the node says of itself.
    package mutating func status() throws(LocalFailure) -> NodeStatus {
        guard case .status(let status) = try request(.status) else { throw Self.mistaken }
        return status
    }

    /// The devices of the account.
    package mutating func devices() throws(LocalFailure) -> [DeviceStatus] {
        guard case .devices(let devices) = try request(.devices) else { throw Self.mistaken }
        return devices
    }

    /// Asks for something about one device; answers how it stands with it then.
    package mutating func device(_ request: LocalRequest) throws(LocalFailure) -> DeviceStatus {
        guard case .devices(let devices) = try self.request(request), let device = devices.first else {
            throw Self.mistaken
        }
        return device
    }

    /// The accounts that stand in the home; the node begins to serve such as are new.
    package mutating func accounts() throws(LocalFailure) -> [AccountStatus] {
        guard case .accounts(let accounts) = try request(.accounts) else { throw Self.mistaken }
        return accounts
    }

    /// Ends the open invitation.
    package mutating func cancelInvitation() throws(LocalFailure) {
        guard case .invitationCancelled = try request(.cancelInvitation) else { throw Self.mistaken }
    }

    /// Makes this device an owner.
    package mutating func promotion(_ request: LocalRequest) throws(LocalFailure) -> Promotion {
        guard case .promoted(let promotion) = try self.request(request) else { throw Self.mistaken }
        return promotion
    }

    /// What leaving the account means, or, once that is confirmed, has come to.
    package mutating func departure(isConfirmed: Bool) throws(LocalFailure) -> Departure {
        guard
            case .departure(let departure) = try request(
                .leave(isConfirmed: isConfirmed), within: Self.patienceWithDisks)
        else { throw Self.mistaken }
        return departure
    }

    /// Opens an invitation.
    package mutating func invite(
        asksPerson: Bool
    ) throws(LocalFailure) -> (code: String, expires: WallTime, addresses: [String]) {
        guard
            case .invitation(let code, let expires, let addresses) = try request(
                .invite(asksPerson: asksPerson))
        else { throw Self.mistaken }
        return (code, expires, addresses)
    }

    /// Waits until an invitation was used, and tells by whom; the closure hears before who is joining, and says
    /// whether it may, if that is asked.
    package mutating func awaitInvitation(
        _ code: String, within patience: Duration,
        joining: (_ name: String, _ phrase: String, _ isAsked: Bool) throws(LocalFailure) -> Bool
    ) throws(LocalFailure) -> DeviceReference {
        var answer = try request(.awaitInvitation(code: code, isJoinerKnown: false), within: patience)
        if case .joining(let name, let phrase, let isAsked) = answer {
            let letIn = try joining(name, phrase, isAsked)
            let next: LocalRequest =
                isAsked
                ? .answerJoiner(code: code, letIn: letIn)
                : .awaitInvitation(code: code, isJoinerKnown: true)
            answer = try request(next, within: patience)
        }
        guard case .joined(let device) = answer else { throw Self.mistaken }
        return device
    }

    /// The items that have all the words of a text, and whether all items were looked through.
    package mutating func search(
        _ text: String, most: Int
    ) throws(LocalFailure) -> (items: [FoundItem], isWhole: Bool) {
        guard case .found(let items, let isWhole) = try request(.search(text, most: most)) else {
            throw Self.mistaken
        }
        return (items, isWhole)
    }

    /// What is set on this machine.
    package mutating func settings() throws(LocalFailure) -> Settings {
        guard case .settings(let settings) = try request(.settings) else { throw Self.mistaken }
        return settings
    }

    /// Sets something; answers with all that is set then.
    package mutating func set(_ name: String, to value: Int64?) throws(LocalFailure) -> Settings {
        guard case .settings(let settings) = try request(.set(name, to: value)) else { throw Self.mistaken }
        return settings
    }

    /// What nodes in step have in common; what has expired at that time counts as gone.
    ///
    /// It is not known while batches and clears have something left to be done; the closure hears now and then how much.
    package mutating func digest(
        at time: WallTime, waiting: (Unsettled) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> StateDigest {
        while true {
            switch try request(.digest(at: time), within: Self.patienceWithDisks) {
            case .digest(let digest): return digest
            case .settling(let left): try waiting(left)
            default: throw Self.mistaken
            }
        }
    }

    /// Changes an index, or ends a batch; answers how many updates had nothing to change.
    @discardableResult
    package mutating func index(_ request: LocalRequest) throws(LocalFailure) -> Int {
        guard case .indexed(let passedOver) = try self.request(request) else { throw Self.mistaken }
        return passedOver
    }

    /// What an indexing job stored last, as far as all that it covers is here.
    package mutating func clientState(of index: ClientStateName) throws(LocalFailure) -> [UInt8]? {
        guard case .clientState(let state) = try request(.clientState(index)) else { throw Self.mistaken }
        return state
    }

    /// Has the node work on a backup, until it has ended; the closure hears now and then how far it has come.
    package mutating func work(
        on request: LocalRequest, progress: (Int, Int?) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> LocalAnswer {
        var answer = try self.request(request)
        while case .working(let bytes, let all) = answer {
            try progress(bytes, all)
            answer = try self.request(.awaitBackup, within: Self.patienceWithDisks)
        }
        return answer
    }

    /// How long a node may take to close one store and open another on a slow disk, which it can't tell of.
    private static var patienceWithDisks: Duration { .seconds(120) }

    /// The node answered another question than the one that was asked.
    static var mistaken: LocalFailure { .mistaken }
}
