/// Compares what both sides hold, if both support that.
extension Session {
    /// Called when the session opened and the first messages have compared nothing.
    mutating func beginChecking() {
        guard features.contains(Features.mending) else { return }
        checking = Checking(pause: limits.checkTime, isCompared: false)
    }

    /// Called when the session opened and both claim the same; a side that sent a digest of its state holds no more
    /// than it claims.
    ///
    /// Two sides that judge expiry at different times compare by a check, which names its time; they do not compare if
    /// a clock is wrong by days.
    mutating func beginChecking(_ summary: StoreSummary, _ hello: Hello) {
        guard features.contains(Features.mending) else { return }
        let isOneTime = summary.compared == hello.compared
        let isInVain = summary.compared.flatMap { own in hello.compared.map { !own.isComparable(with: $0) } }
        checking = Checking(pause: limits.checkTime, isCompared: isOneTime || isInVain ?? false)
        // A side that sends no digest of its state may hold what it does not claim, as after a rescue.
        if let time = hello.compared, hello.state != nil { events.append(.met(at: time)) }
        guard isOneTime, let time = hello.compared, let own = summary.state, let told = hello.state else {
            return
        }
        if own == told { note(nil) } else { noteDifference(at: time, isMended: false) }
    }

    // MARK: The peer

    mutating func handle(told check: StateCheck) throws(CloseReason) {
        guard let exchange, checking != nil else {
            throw CloseReason(.unexpected, "a state check, which this session is without")
        }
        try checking?.handle(check, in: exchange)
        events.append(.timeTold(check.time))
    }

    /// Handles the peer's sums, which it sends when it found a difference, or as an answer.
    mutating func handle(told sums: LaneSums) throws(CloseReason) {
        guard checking != nil else {
            throw CloseReason(.unexpected, "sums, which this session is without")
        }
        let isNews = exchange?.mending.isBegun == false
        try exchange?.mend { (mending) throws(CloseReason) in try mending.handle(told: sums) }
        if isNews { note(.found) }
    }

    // MARK: The store

    mutating func handle(_ own: StateCheck?) {
        switch checking?.handle(own) {
        case .nothing, nil: break
        case .tell(let check): frames.append(PeerMessage.check(check).frame)
        case .same(let time):
            events.append(.met(at: time))
            note(nil)
        case .differs(let time, let isMended):
            events.append(.met(at: time))
            noteDifference(at: time, isMended: isMended)
        }
    }

    mutating func handle(_ sums: LaneSums) {
        if let frame = exchange?.mend({ $0.handle(sums) }) { frames.append(frame) }
    }

    // MARK: Outcomes

    /// Handles a difference between two sides that claim the same: it is repaired once, and reported if that did not
    /// help.
    private mutating func noteDifference(at time: WallTime, isMended: Bool) {
        #if DEBUG
            if Faults.isPlanted(.differenceIgnored) { return }
        #endif
        if exchange?.mending.begin(at: time) == true {
            note(.found)
        } else if isMended {
            note(.remaining)
        }
    }

    private mutating func note(_ difference: Difference?) {
        if let event = checking?.note(difference) { events.append(event) }
    }

    /// When changes are to be compared; nil if nothing changed, or while a repair is under way.
    var checkDeadline: Instant? { exchange?.mending.phase == .underWay ? nil : checking?.deadline }
}
