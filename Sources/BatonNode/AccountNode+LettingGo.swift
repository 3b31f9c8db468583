import BatonCore
import BatonNetwork
import BatonSecurity

/// Drives `LettingGo`: gives it events, does what it asks for, and wakes it at its deadline.
extension AccountNode {
    /// Gives letting go an event, and does what comes of it.
    func letGo(_ event: (inout LettingGo) -> Void) {
        guard !isStopped else { return }
        event(&letting)
        guard !isLettingGo else { return }
        isLettingGo = true
        while let effect = letting.nextEffect() { perform(effect) }
        isLettingGo = false
        setLettingTimer()
    }

    private func perform(_ effect: LettingGo.Effect) {
        switch effect {
        case .ask(let request):
            store.submitToAccount { (store) throws(StoreFailure) in
                try request.perform(on: store)
            } then: { [self] result in
                letGo { letting in
                    switch result {
                    case .success(let answer): letting.handle(answer, in: self)
                    case .failure(let failure): letting.handle(failure, of: request, at: loop.instant)
                    }
                }
            }
        case .report(let complete, let lane):
            // All of it was submitted to its lane before, because the loop had heard of it: so it is kept by then.
            store.submit(to: lane, durably: true) {
                [device = credentials.device] (store) throws(StoreFailure) in
                try store.report(of: device, having: complete)
            } then: { [self] result in
                letGo { letting in
                    switch result {
                    case .success: letting.handle(.reported(complete, lane), in: self)
                    case .failure(let failure): letting.handleReportFailure(failure, at: loop.instant)
                    }
                }
            }
        case .tell(let reports): peers.tellReports(reports)
        case .adopt(let writes, let lane): adopt(writes, in: lane)
        case .beginAnew(let device):
            beginLife()
            peers.meetAnew()
            guard let device else { return }
            log.tell(
                "what “\(name(of: device))” was sending will not come to its end; all is taken anew from the others"
            )
        case .warn(let text): log.warn(text)
        }
    }

    private func setLettingTimer() {
        guard letting.deadline != lettingDeadline else { return }
        if let lettingTimer { loop.cancel(lettingTimer) }
        lettingDeadline = letting.deadline
        lettingTimer = lettingDeadline.map { deadline in
            loop.schedule(at: MonotonicTime(nanoseconds: Int64(deadline.nanoseconds))) { [self] in
                (lettingTimer, lettingDeadline) = (nil, nil)
                letGo { $0.handleDeadline(in: self, at: loop.instant) }
            }
        }
    }

    func stopLettingGo() {
        if let lettingTimer { loop.cancel(lettingTimer) }
        lettingTimer = nil
    }
}

extension AccountNode: AccountSurroundings {
    /// Nobody knows them all before another device has entered this one in the account.
    var waitedFor: Set<DeviceIdentifier>? {
        guard !peers.isSomeoneSetBack else { return nil }
        return membership.look { $0.mayLetGo ? $0.others : nil }
    }

    var gone: Set<DeviceIdentifier> { membership.look(\.gone) }

    var heeded: Reports { membership.look(\.heeded) }

    var isInStep: Bool { peers.areInStep }
}

extension AccountNode: ExpiryOwner {
    var latestTime: HybridTime { journal.clock.latest }

    var keepingExpired: Duration { .seconds(86_400 * settings[.expiredDays]) }
}
