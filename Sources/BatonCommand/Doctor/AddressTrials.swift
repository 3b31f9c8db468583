import BatonClient
package import BatonCore

/// Has the node try addresses of devices, many at the same time; returns the outcomes in order.
package struct AddressTrials: ~Copyable {
    private var connection: AppConnection
    private let trials: [ProbeAddress]
    /// The number of each request that is not answered yet, with its place among the trials.
    private var open: [UInt64: Int] = [:]
    /// The outcomes that can't be returned before those of earlier trials have arrived.
    private var outcomes: [Int: Result<ProbeReply, LocalFailure>] = [:]
    private var sent = 0
    private var taken = 0

    /// Connects to the node of a home, to try these addresses.
    package init(_ trials: [ProbeAddress], on home: Home) throws(LocalFailure) {
        self.trials = trials
        connection = try AppConnection(home)
    }

    /// How long the node may take until the next outcome: for one attempt, and for those before it in the queue.
    private static let patience = Duration.seconds(60)

    /// Returns the next outcome, in the order of the trials; the closure gets the time waited so far.
    package mutating func next(
        waiting: (Duration) -> Void
    ) throws(LocalFailure) -> Result<ProbeReply, LocalFailure> {
        precondition(taken < trials.count, "there are as many outcomes as trials")
        let watch = Stopwatch()
        while true {
            if let outcome = outcomes.removeValue(forKey: taken) {
                taken += 1
                return outcome
            }
            while sent < trials.count, connection.unanswered < AppConnection.most {
                open[try connection.send(trials[sent])] = sent
                sent += 1
            }
            _ = Waiting.forOne(
                of: [(connection.descriptor, connection.events)], within: ProgressLine.silence)
            for answer in try connection.receive() {
                guard let place = open.removeValue(forKey: answer.number) else { continue }
                outcomes[place] = try answer.result(of: ProbeAddress.self)
            }
            guard watch.elapsed < Self.patience else {
                throw LocalFailure(
                    .failed,
                    "The node did not say within \(HumanTime.span(Self.patience)) whether an address answers. Its log may say why."
                )
            }
            waiting(watch.elapsed)
        }
    }
}
