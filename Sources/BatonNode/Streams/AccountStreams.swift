import BatonCore
import BatonNetwork
import BatonSecurity

/// The continuation streams of an account.
///
/// Other devices request streams to apps of this device, and apps of this device request streams to other devices.
final class AccountStreams {
    private let account: AccountCore
    private let peers: Peers
    private let activities: OwnActivities
    private let allActivities: AllActivities
    private var wanted: [UInt64: WantedStream] = [:]
    private var last: UInt64 = 0

    init(of account: AccountCore, _ peers: Peers, _ activities: OwnActivities, _ all: AllActivities) {
        self.account = account
        self.peers = peers
        self.activities = activities
        allActivities = all
    }

    // MARK: Wanted here

    /// Handles a request of another device for a stream to an app.
    ///
    /// `identity` is the record of the app's activity.
    func handleRequest(_ number: UInt64, _ identity: RecordIdentity, from link: Link) {
        let streams = link.streams
        // At present, other devices may not see some activities. They are told that such an activity has ended.
        guard let name = activities.name(of: identity), activities.isShared(name),
            let activity = activities.activity(name)
        else { return streams.refuse(number, .gone) }
        guard activity.supportsStreams else { return streams.refuse(number, .notOffered) }
        guard let events = activities.app(of: name) else {
            return streams.refuse(number, .notTaken)
        }
        last += 1
        let key = last
        let wanted = WantedStream(
            number, of: streams, to: events, on: account.loop, within: account.limits.streamTakingTime
        ) { [weak self, weak events] in
            self?.wanted[key] = nil
            events?.withdraw(stream: key)
        }
        self.wanted[key] = wanted
        let reference = account.names.reference(link.device.device)
        guard events.tell(.streamWanted(key, instance: name.instance, from: reference)) else {
            return wanted.refuse(.notTaken)
        }
        account.log.tell("“\(reference.name)” requested streams to “\(activity.title ?? activity.type)”")
    }

    /// Accepts a requested stream for an app.
    ///
    /// The connection on which the app has accepted the stream carries it from now on.
    func accept(
        _ key: UInt64, on connection: LocalConnection, _ answer: Answer<Done>
    ) throws(LocalFailure) {
        guard let wanted = wanted.removeValue(forKey: key), wanted.accept() else {
            throw LocalFailure(.notFound, "No open request for streams has this number.")
        }
        answer(.success(Done()))
        connection.carry(
            JoinedStream(wanted.number, of: wanted.streams, on: connection, limits: account.limits))
    }

    /// Refuses the streams that wait for an app, because the app has disconnected.
    func forget(_ app: AppEvents) {
        for (_, wanted) in wanted.sorted(by: { $0.key < $1.key }) where wanted.app === app {
            wanted.refuse(.notTaken)
        }
    }

    // MARK: Wanted of others

    /// Requests a stream to the app of an activity from the device on which the activity is current.
    func open(
        _ found: ListedActivity, on connection: LocalConnection, _ answer: @escaping Answer<StreamReply>
    ) throws(LocalFailure) -> OpeningStream {
        guard !account.settings.isPrivate else {
            throw LocalFailure(
                .notAllowed,
                "This machine is private, so nothing leaves it, and streams go both ways.\nType `baton private off\(account.options)` first."
            )
        }
        let summary = allActivities.summary(found)
        let (device, title) = (summary.device.name, summary.activity.title ?? summary.activity.type)
        guard !summary.device.isHere else {
            throw LocalFailure(
                .usage, "“\(title)” is on this machine, but streams connect two machines.")
        }
        guard summary.activity.supportsStreams else {
            throw LocalFailure(.failed, OpeningStream.notOffered(title, on: device))
        }
        guard let link = peers.link(to: found.device) else {
            throw LocalFailure(
                .unreachable,
                "“\(device)” is not connected. See `baton devices` for the reason, then try again.")
        }
        guard link.offersStreams else {
            throw LocalFailure(
                .versionMismatch, "“\(device)” runs an older version of Baton that has no streams.")
        }
        let opening = OpeningStream(
            to: summary, over: link.streams, on: connection, loop: account.loop, limits: account.limits,
            answer)
        opening.begin(found.identity)
        return opening
    }
}
