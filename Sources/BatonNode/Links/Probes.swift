import BatonCore
import BatonNetwork
import BatonSecurity

/// Tries addresses of devices when a person asks why a device can't be reached.
///
/// A few attempts run at once, and the others wait for their turn.
final class Probes {
    private let network: MachineNetwork
    private let account: AccountCore
    /// Knows the devices that are dialled at an address.
    private let peers: Peers
    private let limits: Limits
    private var running: [AddressProbe] = []
    /// The attempts that wait for their turn, oldest first.
    private var waiting: [AddressProbe] = []
    /// The questions that are not answered yet, by number.
    private var questions: [UInt64: Question] = [:]
    /// The number of the next question.
    private var nextNumber: UInt64 = 0

    /// A question about a place, with the part of the answer that is known.
    private struct Question {
        let answer: Answer<ProbeReply>
        /// The addresses of the place, each with its outcome; nil until the outcome is known.
        var attempts: [(address: SocketAddress, outcome: ProbeOutcome?)] = []
    }

    init(over network: MachineNetwork, of account: AccountCore, _ peers: Peers) {
        self.network = network
        self.account = account
        self.peers = peers
        limits = account.limits
    }

    // MARK: Commands

    /// Tries a place of a device.
    ///
    /// The answer comes once the outcomes at all addresses of the place are known.
    func probe(_ place: Place, of device: DeviceIdentifier, _ answer: @escaping Answer<ProbeReply>) {
        guard !account.isStopped else { return answer(.failure(Self.stopping)) }
        guard questions.count < limits.waitingProbes else {
            return answer(
                .failure(
                    LocalFailure(
                        .failed,
                        "The node is trying \(limits.waitingProbes) addresses already. Try again in a minute."
                    )))
        }
        let endpoint: Endpoint
        do throws(NetworkError) {
            endpoint = try Endpoint(text: place.address)
        } catch {
            return answer(.success(ProbeReply([ProbeAttempt(.failed(error.reason))])))
        }
        let number = nextNumber
        nextNumber += 1
        questions[number] = Question(answer: answer)
        network.resolver.resolve(endpoint, deadline: account.loop.now + limits.addressProbeTime) {
            [weak self] answer in
            self?.resolved(answer, place, of: device, for: number)
        }
    }

    /// Ends all attempts.
    ///
    /// Callers that wait get the failure that the node is stopping.
    func stop() {
        for probe in running + waiting { probe.cancel() }
        (running, waiting) = ([], [])
        let open = questions.sorted { $0.key < $1.key }
        questions = [:]
        for (_, question) in open { question.answer(.failure(Self.stopping)) }
    }

    private static var stopping: LocalFailure { LocalFailure(.failed, "The node is stopping.") }

    // MARK: Steps

    private func resolved(
        _ answer: HostResolver.Answer, _ place: Place, of device: DeviceIdentifier, for number: UInt64
    ) {
        guard questions[number] != nil else { return }
        switch answer {
        case .failure(let error): settle(number, Self.outcome(of: error))
        case .success(let found):
            let addresses = found.filter { place.mayLead(to: $0, over: network) }
                .prefix(limits.probedAddresses)
            guard !addresses.isEmpty else {
                return settle(number, found.isEmpty ? .nameUnknown("it has no address") : .notTried)
            }
            questions[number]?.attempts = addresses.map { ($0, nil) }
            for (index, address) in addresses.enumerated() {
                let note: (ProbeOutcome) -> Void = { [unowned self] outcome in
                    questions[number]?.attempts[index].outcome = outcome
                    answerIfDone(number, at: place)
                }
                let tolerance: ClockTolerance = place.source == .found ? .hours : .days
                begin(address, of: device, naming: device, tolerating: tolerance) {
                    [unowned self] outcome in
                    guard case .closed = outcome else { return note(outcome) }
                    findOther(among: others(than: device, at: address)[...], than: device, at: address, note)
                }
            }
        }
    }

    /// Returns the devices that may answer at an address in place of the requested device.
    ///
    /// The program that listens at the address learns the hint. Therefore, hints are made only for devices that are
    /// dialled at this address anyway. If the hint does not leave this machine, one is made for this device, too.
    private func others(than device: DeviceIdentifier, at address: SocketAddress) -> [DeviceIdentifier] {
        let own = address.host.isLoopback || network.isOwn(address.host) ? [account.credentials.device] : []
        let dialled = peers.devices(dialledAt: address).filter { $0 != device }
        return own + dialled.prefix(Self.othersMost)
    }

    /// The largest number of other devices that are tried at an address.
    private static let othersMost = 4

    /// Finds out which device listens at an address where the connection to the requested device was closed.
    ///
    /// `others` are the devices to try.
    private func findOther(
        among others: ArraySlice<DeviceIdentifier>, than device: DeviceIdentifier, at address: SocketAddress,
        _ then: @escaping (ProbeOutcome) -> Void
    ) {
        guard let next = others.first else { return then(.closed) }
        begin(address, of: device, naming: next, tolerating: .hours) { [unowned self] outcome in
            switch outcome {
            case .otherDevice, .thisMachine: then(outcome)
            case .closed: findOther(among: others.dropFirst(), than: device, at: address, then)
            // All that is known is that the connection to the requested device was closed.
            default: then(.closed)
            }
        }
    }

    /// Answers a question without any attempt to connect.
    private func settle(_ number: UInt64, _ outcome: ProbeOutcome) {
        questions.removeValue(forKey: number)?.answer(.success(ProbeReply([ProbeAttempt(outcome)])))
    }

    private func answerIfDone(_ number: UInt64, at place: Place) {
        guard let question = questions[number] else { return }
        let attempts = question.attempts.compactMap { attempt in
            attempt.outcome.map { outcome in
                let text = attempt.address.description
                return ProbeAttempt(outcome, at: text == place.address ? nil : text)
            }
        }
        guard attempts.count == question.attempts.count else { return }
        questions[number] = nil
        question.answer(.success(ProbeReply(attempts)))
    }

    /// Begins an attempt whose hint is made for the device `named`.
    ///
    /// If too many attempts are running, the attempt waits for its turn.
    private func begin(
        _ address: SocketAddress, of device: DeviceIdentifier, naming named: DeviceIdentifier,
        tolerating tolerance: ClockTolerance, then: @escaping (ProbeOutcome) -> Void
    ) {
        var probe: AddressProbe?
        probe = AddressProbe(address, of: device, naming: named, tolerating: tolerance, in: account) {
            [unowned self] outcome in
            running.removeAll { $0 === probe }
            probe = nil
            then(outcome)
            beginWaiting()
        }
        if let probe { waiting.append(probe) }
        beginWaiting()
    }

    private func beginWaiting() {
        while running.count < limits.probes, !waiting.isEmpty {
            let probe = waiting.removeFirst()
            running.append(probe)
            probe.begin()
        }
    }

    private static func outcome(of error: NetworkError) -> ProbeOutcome {
        switch error.code {
        case .notFound: .nameUnknown(error.reason)
        case .timedOut, .unavailable: .nameUnanswered(error.reason)
        default: .failed(error.reason)
        }
    }
}
