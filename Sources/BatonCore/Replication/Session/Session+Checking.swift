/// What the session does about what both hold, if both sides compare it.
extension Session {
    /// The session opened, and the first messages have compared nothing.
    mutating func beginChecking() {
        guard features.contains(Features.mending) else { return }
        checking = Checking(pause: limits.checkTime, isCompared: false)
    }

    /// The session opened, and both claim the same; what is held is known of a side that holds no more than that.
    ///
    /// Two that judge at different times what has expired compare by a check, which says at which; nothing comes of one
    /// where a clock is wrong by days.
    mutating func beginChecking(_ summary: StoreSummary, _ hello: Hello) {
        guard features.contains(Features.mending) else { return }
        let isOneTime = summary.compared == hello.compared
        let isInVain = summary.compared.flatMap { own in hello.compared.map { !own.isComparable(with: $0) } }
        checking = Checking(pause: limits.checkTime, isCompared: isOneTime || isInVain ?? false)
        // Who tells nothing of what it holds may hold what it does not claim, as after a rescue.
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

    /// The peer found a difference, or answers with its own sums.
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

    /// Both claim the same and differ: that is mended once, and told if it did not help.
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

    /// When what changed is to be compared; nothing if nothing changed, or while something is mended.
    var checkDeadline: Instant? { exchange?.mending.phase == .underWay ? nil : checking?.deadline }
}
