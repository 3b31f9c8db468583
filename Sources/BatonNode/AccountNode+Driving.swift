import BatonCore
import BatonNetwork
import BatonSecurity

/// Drives `Account`: gives it events, carries out its effects, and wakes it at its deadline.
extension AccountNode {
    /// Gives the account an event, and carries out the effects.
    @discardableResult
    func drive<Value>(_ event: (inout Account) -> Value) -> Value {
        let value = event(&account)
        // Carrying out an effect may cause further events; their effects come after those that are pending.
        guard !isDriving else { return value }
        isDriving = true
        while let effect = account.nextEffect() { perform(effect) }
        isDriving = false
        setAccountTimer()
        return value
    }

    private func perform(_ effect: Account.Effect) {
        // A stopping node still sends and stores what it writes; everything else is left to the next process.
        if isStopped, !effect.isWriting { return }
        switch effect {
        case .writing(let effect): perform(effect)
        case .roster(let effect): perform(effect)
        case .collector(let effect): perform(effect)
        case .expiry(let effect): perform(effect)
        case .settling(let effect): perform(effect)
        case .twin(let effect): perform(effect)
        }
    }

    private func perform(_ effect: Writing.Effect) {
        switch effect {
        case .tellAhead(let transaction):
            guard !peers.connected.isEmpty, let (origin, sequence) = transaction.completing.sorted.last,
                store.witness.noteTold(
                    sequence, of: origin.life, at: transaction.clock, in: transaction.lane)
            else { return }
            peers.handleWriting(transaction)
        case .keep(let transaction, let ticket, let isDurable):
            store.submit(to: transaction.lane, in: ownWrites, durably: isDurable) {
                (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: { [self] result in
                switch result {
                case .success(let commit):
                    handle(commit, of: transaction.lane)
                    drive { $0.handleKept(ticket, commit, in: self) }
                case .failure(let failure):
                    storeTroubles?.note(failure)
                    drive { $0.handle(failure, of: ticket, in: self) }
                }
                waiting.removeValue(forKey: ticket)?(result)
            }
        case .begin: ownWrites = StoreLine()
        case .witness(let life): store.begin(life)
        case .beginOrder(let order):
            store.submitToAccount { [witness = store.witness] (store) throws(StoreFailure) in
                witness.remove()
                try store.begin(order)
            } then: { [self] result in
                drive { account in
                    switch result {
                    case .success: account.writing.handleBegun(order)
                    case .failure(let failure): account.writing.handle(failure, of: order, at: loop.instant)
                    }
                }
            }
        case .meetAnew: peers.meetAnew()
        case .tell(let text): log.tell(text)
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: RosterEnforcement.Effect) {
        switch effect {
        case .entered: FirstDevice(folder: folder).remove(on: store, log)
        case .returned(let devices):
            let names = devices.map { "“\(name(of: $0))”" }.joined(separator: ", ")
            log.tell("\(names) came back, and is waited for again")
        case .warn(let text): log.warn(text)
        // The account itself carries these out.
        case .write, .waitForFewer, .waitForMore: break
        }
    }

    private func perform(_ effect: TombstoneCollector.Effect) {
        switch effect {
        case .ask(let request):
            store.submitToAccount { (store) throws(StoreFailure) in
                try request.perform(on: store)
            } then: { [self] result in
                drive { account in
                    switch result {
                    case .success(let answer): account.handle(answer, in: self)
                    case .failure(let failure): account.handle(failure, of: request, in: self)
                    }
                }
            }
        case .report(let complete, let lane):
            // The report covers only what the loop has heard of. All of that was submitted to its lane before this, so
            // it is stored by then.
            store.submit(to: lane, durably: true) {
                [device = credentials.device] (store) throws(StoreFailure) in
                try store.report(of: device, having: complete)
            } then: { [self] result in
                drive { account in
                    switch result {
                    case .success: account.handle(.reported(complete, lane), in: self)
                    case .failure(let failure): account.handleReportFailure(failure, in: self)
                    }
                }
            }
        case .tell(let reports): peers.tellReports(reports)
        case .beginAnew(without: let device?):
            log.tell(
                "what “\(name(of: device))” was sending will not come to its end; all is taken anew from the others"
            )
        // The account itself carries these out.
        case .adopt, .beginAnew(without: nil): break
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: Expiry.Effect) {
        switch effect {
        case .askSharedLives:
            store.submit(to: .activities) { (store) throws(StoreFailure) in
                Set(try store.records(of: .sharedLife).compactMap(\.sharedLife))
            } then: { [self] result in
                drive { account in
                    switch result {
                    case .success(let shared): account.handle(shared: shared, in: self)
                    case .failure(let failure): account.handleSweepFailure(failure)
                    }
                }
            }
        case .sweep(let request, let lane):
            store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.sweep(request)
            } then: { [self] result in
                if case .success(let step?) = result { handle(step.commit, of: lane) }
                drive { account in
                    switch result {
                    case .success(let step): account.handle(step, in: self)
                    case .failure(let failure): account.handleSweepFailure(failure)
                    }
                }
            }
        case .tell(let text): log.tell(text)
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: Settling.Effect) {
        switch effect {
        case .settle(let lane, let most):
            store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.settle(most: most)
            } then: { [self] result in
                if case .success(let commit?) = result { handle(commit, of: lane) }
                drive { account in
                    switch result {
                    case .success(let commit):
                        account.handle(settled: commit, in: lane, at: loop.instant)
                    case .failure(let failure):
                        storeTroubles?.note(failure)
                        account.handleSettlingFailure(failure, in: lane, at: loop.instant)
                    }
                }
            }
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: TwinDetection.Effect) {
        switch effect {
        case .appeared(let sign): log.warn(trouble(of: sign))
        case .setBack(shownBy: let peer):
            guard storeTroubles?.explainsSetBack == false else { return }
            storeTroubles?.noteSetBack(shownBy: name(of: peer))
            log.warn("trouble: \(StoreTroubles.setBackText(shownBy: name(of: peer)))")
        }
    }

    private func setAccountTimer() {
        let deadline = isStopped ? nil : account.deadline.map(MonotonicTime.init)
        guard deadline != accountTimer.deadline else { return }
        guard let deadline else { return accountTimer.cancel() }
        accountTimer.set(at: deadline) { [unowned self] in
            drive { $0.handleDeadline(in: self) }
        }
    }

    /// Stops waking the account.
    func stopDriving() { setAccountTimer() }
}

extension AccountNode: AccountDriver {
    var isSomeoneSetBack: Bool { peers.isSomeoneSetBack }

    var isInStep: Bool { peers.areInStep }

    var keepingExpired: Duration? { .seconds(86_400 * settings[.expiredDays]) }

    var clocks: Clocks { Clocks(wall: .now, steady: loop.instant) }
}
