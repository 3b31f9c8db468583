/// Opens a session: each side says what it has, and the two are compared.
extension Session {
    mutating func handle(_ summary: StoreSummary) {
        guard case .starting(let early) = state else {
            preconditionFailure("the store is asked for its summary once")
        }
        state = .greeting(summary)
        var hello = Hello(
            account: own.account, device: own.device, name: own.name,
            completeDigest: summary.complete.digest, port: own.port, build: Build.version,
            features: own.features, reportsDigest: summary.reports.isEmpty ? nil : summary.reports.digest,
            parts: summary.parts(salt: salt, beyond: limits.undividedOrigins),
            compared: own.features.contains(Features.mending) ? summary.compared : nil,
            state: own.features.contains(Features.mending) ? summary.state : nil)
        (hello.resume, hello.clock) = (summary.resume, own.clock)
        frames.append(PeerMessage.hello(hello).frame)
        guard let early else { return }
        greet(early, summary)
    }

    mutating func handle(_ hello: Hello) throws(CloseReason) {
        guard isOwn(hello.account), hello.device == peer else {
            throw CloseReason(.identity, "the first message names another device than the certificate")
        }
        switch state {
        case .starting(hello: nil): state = .starting(hello: hello)
        case .greeting(let summary): greet(hello, summary)
        case .starting, .comparing, .exchanging, .closed:
            throw CloseReason(.unexpected, "a second first message")
        }
    }

    /// Continues once both first messages are known: standings are sent only if the digests differ.
    private mutating func greet(_ hello: Hello, _ summary: StoreSummary) {
        features = own.features.common(with: hello.features)
        events.append(.greeted(hello))
        if let time = hello.compared { events.append(.timeTold(time)) }
        if hello.reportsDigest == summary.reports.digest { reporting.begin(with: summary.reports) }
        let cursors = cursors(of: hello, summary)
        if hello.completeDigest == summary.complete.digest {
            // Everything up to `settled` is claimed, and so the peer has it.
            open(
                summary, peer: Standing(complete: summary.complete),
                after: cursors.merging(summary.settled.mapValues { Cursor($0) }) { $0.joined($1) })
            if isOpen { beginChecking(summary, hello) }
        } else {
            state = .comparing(summary, digest: hello.completeDigest, cursors)
            frames.append(PeerMessage.standing(summary.standing(for: hello.parts)).frame)
        }
    }

    /// Handles the peer's standing, as its first message announced it.
    mutating func handle(_ standing: Standing) throws(CloseReason) {
        guard case .comparing(let summary, let digest, let cursors) = state else {
            throw CloseReason(.unexpected, "a standing that nobody waits for")
        }
        let parts = standing.parts
        let standing = try standing.completed(by: summary, beyond: limits.undividedOrigins)
        guard standing.complete.digest == digest else {
            throw CloseReason(
                parts == nil ? .unexpected : .mistaken,
                "a vector whose digest is not that of the first message")
        }
        try conduct.handle(standing)
        open(summary, peer: standing, after: cursors)
        if isOpen { beginChecking() }
    }

    /// Returns where to continue, from the resume tokens that the peer returned and can have been sent.
    private func cursors(of hello: Hello, _ summary: StoreSummary) -> [Lane: Cursor] {
        var cursors: [Lane: Cursor] = [:]
        for (lane, token) in hello.resume {
            guard let cursor = token.cursor(in: summary.order), let head = summary.heads[lane],
                max(cursor.writes, cursor.clears) <= head
            else { continue }
            cursors[lane] = cursor
            #if DEBUG
                if Faults.isPlanted(.resumeOffByOne) {
                    cursors[lane]?.writes = Arrival(value: cursor.writes.value + 1)
                }
            #endif
        }
        return cursors
    }

    private mutating func open(_ summary: StoreSummary, peer: Standing, after cursors: [Lane: Cursor]) {
        guard !isInVain(summary.snapshots, of: peer) else {
            events.append(.snapshotLost)
            return close(CloseReason(.startingOver, "a snapshot of this device can't come to its end"))
        }
        state = .exchanging
        wasBehind = summary.reports[self.peer].map { !$0.isWithin(peer.complete) } ?? false
        exchange = Exchange(
            of: own.device, with: self.peer, own: summary, peer: peer, after: cursors, holdsIndex: holdsIndex,
            limits: limits)
        #if DEBUG
            if Faults.isPlanted(.holdForgotten) { exchange?.holdsIndex = false }
        #endif
        conduct.begin(peer.complete)
        events.append(.opened)
        // A peer that claims nothing may hold writes all the same, as a rescued store does. Its first whole batch will
        // show.
        if !peer.complete.isEmpty { noteToldAll() }
    }

    /// Whether snapshots of the peer that were under way can't come to their end.
    ///
    /// This is so if the peer no longer has what they were to bring, or if it is in the middle of a snapshot of this
    /// device and is the one that continues.
    private func isInVain(_ snapshots: [Lane: SnapshotProgress], of peer: Standing) -> Bool {
        snapshots.contains { lane, progress in
            let isMutual = peer.snapshots[lane] != nil && self.peer < own.device
            return isMutual || !progress.start.isWithin(peer.complete)
        }
    }
}
