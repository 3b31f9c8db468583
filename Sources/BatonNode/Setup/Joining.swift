package import BatonCore
import BatonNetwork
import BatonSecurity

/// Makes this device a member of an account, by a code that another device of the account shows.
///
/// If the person typed an address, this address is called. Otherwise, all machines on local networks are called that
/// announce an invitation with the bits of the code. The first machine that proves that it knows the code is the
/// inviter.
///
/// The object is used once, in the foreground. In the end, the home has the account, or is as it was before.
package final class Joining {
    private let home: Home
    /// The address that the person typed; nil if machines on local networks are to be called.
    private let endpoint: Endpoint?
    private let joiner: JoiningCall.Joiner
    private let discovery: DiscoverySettings
    private let loop: EventLoop
    private let resolver: HostResolver
    private let limits: Limits
    /// Called once, with a description of the inviter.
    private let greeted: (PairingNotice) -> Void

    /// The calls to machines that may have the invitation.
    private var calls: [JoiningCall] = []
    /// The addresses that were called already.
    private var called: Set<SocketAddress> = []
    /// The failures of the calls, in the order in which they happened.
    private var failures: [LocalFailure] = []
    /// The time at which the attempt to join ends.
    private var deadline: MonotonicTime
    private var result: Result<AdmissionReply, LocalFailure>?

    /// Prepares to join with the text that the person typed.
    ///
    /// If the text can't be a code, this throws before anything is sent.
    package init(
        _ home: Home, code text: String, at address: String?, name: String,
        discovery: DiscoverySettings = DiscoverySettings(), limits: Limits = Limits(),
        clock: (() -> WallTime)? = nil, greeted: @escaping (PairingNotice) -> Void = { _ in }
    ) throws(LocalFailure) {
        try home.demandNoAccount()
        // The code can be used only once. A machine that can't store its keys must not use it up.
        try home.demandPlace()
        let code = try Self.code(text)
        self.home = home
        self.limits = limits
        self.greeted = greeted
        self.discovery = discovery
        do {
            endpoint = try address.map { (address) throws(NetworkError) in
                try Endpoint(text: address, usualPort: Home.port)
            }
            loop = try EventLoop()
            resolver = try HostResolver(on: loop)
        } catch  where error.code == .malformed {
            throw LocalFailure(
                .usage, "“\(address ?? "")” is not an address. An address looks like HOST:\(Home.port).")
        } catch {
            throw LocalFailure(.failed, "\(error)")
        }
        deadline =
            loop.now + (endpoint == nil ? limits.searchingTime : limits.connectingTime + limits.openingTime)
        do {
            joiner = JoiningCall.Joiner(
                code: code, name: name, key: try PrivateKey.generate(), clock: clock ?? { .now })
        } catch {
            throw LocalFailure(.failed, "Can't create a key: \(error)")
        }
    }

    /// Joins the account, and returns the outcome for the person.
    package func run() throws(LocalFailure) -> AdmissionReply {
        defer {
            resolver.close()
            loop.close()
        }
        let context: TLSContext
        do {
            context = try TLSContext.joiner(key: joiner.key, now: WallTime.now.seconds)
        } catch {
            throw LocalFailure(.failed, "The connection can't be secured: \(error)")
        }
        var search: InvitationSearch?
        if let endpoint {
            let call = self.call("\(endpoint)", as: context)
            call.begin(endpoint)
        } else {
            search = try look(as: context)
        }
        defer { search?.close() }
        while true {
            let until = deadline
            if loop.run(until: until, or: { result != nil && !calls.contains(where: \.isOpen) }) { break }
            // A greeting may have extended the deadline in the meantime.
            guard deadline > until else { break }
        }
        for call in calls { call.cancel() }
        guard let result else { throw lateFailure(search) }
        return try result.get()
    }

    /// Reads the typed code.
    ///
    /// If the code is malformed, the error says what is wrong.
    private static func code(_ text: String) throws(LocalFailure) -> PairingCode {
        do {
            return try PairingCode(text: text)
        } catch {
            throw LocalFailure(
                .usage, "\(error.message)\nA code looks like lemon-tiger-cloud; `baton invite` shows one.")
        }
    }

    // MARK: Calling

    /// Looks for machines on local networks that announce an invitation with the bits of the code, and calls them.
    private func look(as context: TLSContext) throws(LocalFailure) -> InvitationSearch {
        guard discovery.isOn else {
            throw LocalFailure(
                .usage,
                "The configuration turns discovery off, so the address of the machine that shows the code is needed.\n"
                    + "Add --at HOST:PORT, as `baton invite` shows it there.")
        }
        do {
            return try InvitationSearch(
                try joiner.code.announcedBits(), discovery, on: loop, limits: limits
            ) { [unowned self] addresses in callFound(addresses, as: context) }
        } catch {
            throw LocalFailure(
                .failed,
                "This machine can't look for others on its networks: \(error)\n"
                    + "Add --at HOST:PORT, as `baton invite` shows it there.")
        }
    }

    /// Calls a machine that announces an invitation, unless too many machines were called.
    ///
    /// Each machine that is called could make one guess at the code.
    private func callFound(_ addresses: [SocketAddress], as context: TLSContext) {
        let new = addresses.filter { !called.contains($0) }
        guard result == nil, !calls.contains(where: \.isProven), let first = new.first,
            called.isDisjoint(with: addresses), calls.count < Limits.triedInvitations
        else { return }
        called.formUnion(new)
        call(first.description, as: context).begin(new)
        deadline = max(deadline, loop.now + limits.openingTime)
    }

    /// Creates a call.
    @discardableResult private func call(_ address: String, as context: TLSContext) -> JoiningCall {
        let call = JoiningCall(
            joiner, to: address, as: context, by: resolver, on: loop, limits: limits,
            keep: { [unowned self] credentials, host, meeting throws(LocalFailure) in
                try keep(credentials, invitedBy: host, meeting)
            })
        call.tell = { [unowned self, unowned call] event in handleEvent(event, of: call) }
        calls.append(call)
        return call
    }

    private func handleEvent(_ event: JoiningCall.Event, of call: JoiningCall) {
        switch event {
        case .greeted(let host):
            // The machine that knows the code is the right one. The other machines only announce the same bits.
            for other in calls where other !== call { other.cancel() }
            greet(host)
        case .joined(let admission): result = .success(admission)
        case .failed(let failure):
            failures.append(failure)
            // A machine that was found and has not proved that it knows the code may be the wrong one. Therefore, its
            // failure is not final.
            if endpoint != nil || call.isProven { result = .failure(failure) }
        }
    }

    /// Tells the person which device answered.
    ///
    /// If the person at that device must confirm, more time is allowed.
    private func greet(_ host: PairingHost) {
        greeted(PairingNotice(name: host.name, phrase: host.phrase, asksPerson: host.asksPerson))
        deadline = loop.now + (host.asksPerson ? limits.invitationTime : limits.openingTime)
    }

    /// The failure if the time is over.
    private func lateFailure(_ search: InvitationSearch?) -> LocalFailure {
        if let failure = failures.first { return failure }
        if let call = calls.first(where: \.isProven) ?? calls.first {
            return call.unreachable("It did not answer in time.")
        }
        let trouble = search?.trouble.map { " \($0)" } ?? ""
        return LocalFailure(
            .unreachable,
            "No machine on the local network has an open invitation with this code.\(trouble)\n"
                + "Check the code, and that `baton invite` is still waiting there; or add --at HOST:PORT, as it shows."
        )
    }

    /// Stores the credentials that were granted.
    ///
    /// The inviter is told of the success only after that.
    private func keep(
        _ credentials: Credentials, invitedBy host: PairingHost, _ meeting: JoiningCall.Meeting
    ) throws(LocalFailure) -> AdmissionReply {
        let inviter = DeviceReference(identifier: host.device, name: host.name, isHere: false)
        try home.demandStrange(credentials.account)
        try home.makePlace(for: credentials.account)
        if let endpoint {
            try home.keepRoute(to: inviter, at: endpoint, of: credentials.account)
        } else {
            let links = PresentLinks(on: loop).remembered(carrying: meeting.local?.host)
            try home.keepRoute(
                to: inviter, metAt: meeting.remote, on: links, of: credentials.account)
        }
        try home.keep(credentials)
        let device = DeviceReference(
            identifier: credentials.device, name: credentials.deviceName, isHere: true)
        return AdmissionReply(credentials.account, device, inviter: inviter)
    }
}
