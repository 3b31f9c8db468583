/// Handles the messages of the session's peer.
extension Session {
    mutating func handle(_ message: PeerMessage, bytes: Int) throws(CloseReason) {
        switch message {
        case .hello(let hello): try handle(hello)
        case .standing(let standing): try handle(standing)
        case .batch(let batch):
            try requireOpen()
            if let transaction = try exchange?.handle(batch, bytes: bytes) {
                try conduct.handle(batch, bytes: bytes)
                storeRequests.append(.apply(transaction))
            }
        case .acknowledgement(let number):
            try requireOpen()
            try handleAcknowledgement(number)
        case .continueRequest(let request):
            try requireOpen()
            try handle(request)
        case .continueAnswer(let answer): try handle(answer)
        case .addresses(let routes):
            try requireOpen()
            try conduct.handleAddresses()
            events.append(.addressesTold(routes))
        case .reports(let reports):
            try requireOpen()
            try handle(reports)
        case .check(let check):
            try requireOpen()
            try handle(told: check)
        case .sums(let sums):
            try requireOpen()
            try handle(told: sums)
        case .stream:
            // The session's driver takes them before, once it is open and both sides support streams.
            throw CloseReason(.unexpected, "a stream between devices that have none")
        case .close(let reason): end(.closedByPeer(reason))
        }
    }

    private func requireOpen() throws(CloseReason) {
        guard isOpen else {
            throw CloseReason(.unexpected, "a message before the opening ones were exchanged")
        }
    }
}
