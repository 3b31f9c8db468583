import BatonClient
package import BatonCore

/// Lets the node try several addresses at the same time, and returns the outcomes in order.
package struct AddressTrials: ~Copyable {
    private var connection: AppConnection
    private let trials: [ProbeAddress]
    /// The unanswered requests: the number of each request, and the index of its address in `trials`.
    private var open: [UInt64: Int] = [:]
    /// The outcomes that arrived before those of earlier trials, and must wait for them.
    private var outcomes: [Int: Result<ProbeReply, LocalFailure>] = [:]
    private var sent = 0
    private var taken = 0

    /// Connects to the node of a home.
    ///
    /// The node tries the given addresses.
    package init(_ trials: [ProbeAddress], on home: Home) throws(LocalFailure) {
        self.trials = trials
        connection = try AppConnection(home)
    }

    /// How long to wait for the next outcome.
    ///
    /// The node may still be busy with earlier attempts.
    private static let patience = Duration.seconds(60)

    /// Waits for the next outcome, in the order of the trials.
    ///
    /// The closure is called repeatedly during the wait, with the time that has passed.
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
