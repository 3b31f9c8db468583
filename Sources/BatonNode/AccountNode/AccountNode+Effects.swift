import BatonCore
import BatonNetwork
import BatonSecurity

/// Carries out the effects of the account's state machine.
extension AccountNode {
    func perform(_ effect: Account.Effect) {
        switch effect {
        case .writing(let effect): performWriting(effect)
        case .activities(let effect): activities.perform(effect)
        case .roster(let effect): performRoster(effect)
        case .collector(let effect): performCollecting(effect)
        case .expiry(let effect): performExpiry(effect)
        case .settling(let effect): performSettling(effect)
        case .twin(let effect): performTwin(effect)
        case .quarantine(.quarantined(let write)):
            let sender = write.peer.map { "“\(core.name(of: $0))” sent" } ?? "there is"
            core.log.warn("\(sender) \(write.reason); it was quarantined, and the rest was saved")
        case .quarantine(.void(let device)):
            core.log.warn(
                "“\(core.name(of: device))” sent records with wrong signatures, which were not saved"
            )
        case .quarantine(.refuse(let device)):
            core.log.warn(
                """
                “\(core.name(of: device))” is refused for \(core.limits.voidPause.spoken), because it sent more than \
                \(Limits.voidWrites) records with wrong signatures
                """)
            peers.refuse(device)
        case .contacts(.keep(let note)):
            core.keep([note]) { [self] failure in
                if let failure { core.drive { $0.handleContactFailure(failure) } }
            }
        case .contacts(.warn(let text)): core.warnRefused(text)
        }
    }

    private func performWriting(_ effect: Writing.Effect) {
        switch effect {
        case .tellAhead(let transaction):
            guard peers.isConnected, let (origin, sequence) = transaction.ownName,
                core.store.witness.noteTold(
                    sequence, of: origin.life, at: transaction.clock, in: transaction.lane)
            else { return }
            peers.tellAhead(transaction)
        case .keep(let transaction, let ticket, let isDurable):
            core.store.submit(to: transaction.lane, in: core.ownWrites, durably: isDurable) {
                (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: { [self] result in
                switch result {
                case .success(let commit):
                    handleCommit(commit, of: transaction.lane)
                    core.drive { $0.handleKept(ticket, commit, in: core) }
                case .failure(let failure):
                    core.troubles.recordFailure(failure)
                    if transaction.canBeToldAhead, let (origin, sequence) = transaction.ownName {
                        core.store.witness.handleRefused(sequence, of: origin)
                    }
                    core.drive { $0.handleFailure(failure, of: ticket, in: core) }
                }
                core.answer(ticket, result)
            }
        case .begin:
            core.beginLine()
            core.store.forgetLife()
        case .witness(let life): core.store.begin(life)
        case .beginOrder(let order):
            core.store.submitToAccount { (store) throws(StoreFailure) in
                try store.begin(order)
            } then: { [self] result in
                core.drive { machine in
                    switch result {
                    case .success: machine.writing.handleBegun(order)
                    case .failure(let failure):
                        machine.writing.handleFailure(failure, of: order, at: core.loop.instant)
                    }
                }
            }
        case .meetAnew: peers.meetAnew()
        case .refused(let failure): core.warnRefused("could not save a change: \(failure)")
        case .tell(let text): core.log.tell(text)
        case .warn(let text): core.log.warn(text)
        }
    }

    private func performRoster(_ effect: RosterKeeper.Effect) {
        switch effect {
        case .entered: FirstDevice(folder: core.folder).remove(on: core.store, core.log)
        case .returned(let devices):
            let names = devices.map { "“\(core.name(of: $0))”" }.joined(separator: ", ")
            core.log.tell(
                "back in the account after being removed, so deletions are kept for it again: \(names)")
        case .warn(let text): core.log.warn(text)
        case .skip(let skipped):
            core.keep(skipped.map(\.note)) { [self] failure in
                core.drive { machine in
                    if let failure {
                        machine.handleRosterFailure(failure, of: .skip, in: core)
                    } else {
                        machine.handleSkipped(skipped, in: core)
                    }
                }
            }
        case .seek(let devices, let kept):
            core.store.read(from: .activities) { (store) throws(StoreFailure) in
                try store.statements(about: devices, admissionsOf: kept)
            } then: { [self] result in
                switch result {
                case .success(let records):
                    together {
                        core.drive { $0.handleFound(records, about: devices, in: core) }
                        handleRosterChange()
                    }
                case .failure(let failure):
                    core.drive { $0.handleRosterFailure(failure, of: .sought, in: core) }
                }
            }
        // The account's state machine has carried these effects out itself.
        case .write, .waitForFewer, .waitForMore: break
        }
    }

    private func performCollecting(_ effect: TombstoneCollector.Effect) {
        switch effect {
        case .ask(let request):
            core.store.submitToAccount { (store) throws(StoreFailure) in
                try request.perform(on: store)
            } then: { [self] result in
                core.drive { machine in
                    switch result {
                    case .success(let answer): machine.handleAnswer(answer, in: core)
                    case .failure(let failure): machine.handleFailure(failure, of: request, in: core)
                    }
                }
            }
        case .report(let complete, let lane):
            // The report covers only writes that the loop knows of. These writes were submitted to their lane before
            // this job, so they are stored when the job runs.
            core.store.submit(to: lane, durably: true) {
                [device = core.credentials.device] (store) throws(StoreFailure) in
                try store.report(of: device, having: complete)
            } then: { [self] result in
                core.drive { machine in
                    switch result {
                    case .success: machine.handleAnswer(.reported(complete, lane), in: core)
                    case .failure(let failure): machine.handleReportFailure(failure, in: core)
                    }
                }
            }
        case .tell(let reports): peers.tellReports(reports)
        case .beginAnew(without: let device?):
            core.log.tell(
                "the full copy from “\(core.name(of: device))” can't be completed; fetching everything again from the other devices"
            )
        // The account's state machine has carried these effects out itself.
        case .adopt, .beginAnew(without: nil): break
        case .warn(let text): core.log.warn(text)
        }
    }

    private func performExpiry(_ effect: Expiry.Effect) {
        switch effect {
        case .askSharedLives:
            core.store.submit(to: .activities) { (store) throws(StoreFailure) in
                Set(try store.records(of: .sharedLife).compactMap(\.sharedLife))
            } then: { [self] result in
                core.drive { machine in
                    switch result {
                    case .success(let shared): machine.handleSharedLives(shared, in: core)
                    case .failure(let failure): machine.handleSweepFailure(failure)
                    }
                }
            }
        case .sweep(let request, let lane):
            core.store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.sweep(request)
            } then: { [self] result in
                if case .success(let step?) = result, let commit = step.news {
                    handleCommit(commit, of: lane)
                }
                core.drive { machine in
                    switch result {
                    case .success(let step): machine.handleStep(step, in: core)
                    case .failure(let failure): machine.handleSweepFailure(failure)
                    }
                }
            }
        case .tell(let text): core.log.tell(text)
        case .warn(let text): core.log.warn(text)
        }
    }

    private func performSettling(_ effect: Settling.Effect) {
        switch effect {
        case .settle(let lane, let most):
            core.store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.settle(most: most)
            } then: { [self] result in
                if case .success(let commit?) = result { handleCommit(commit, of: lane) }
                core.drive { machine in
                    switch result {
                    case .success(let commit):
                        machine.handleSettled(commit, in: lane, at: core.loop.instant)
                    case .failure(let failure):
                        core.troubles.recordFailure(failure)
                        machine.handleSettlingFailure(failure, in: lane, at: core.loop.instant)
                    }
                }
            }
        case .warn(let text): core.log.warn(text)
        }
    }

    private func performTwin(_ effect: TwinDetection.Effect) {
        switch effect {
        case .appeared(let sign): core.log.warn(AccountTroubles(of: core).text(of: sign))
        case .setBack(shownBy: let peer, isOlderCopy: let isOlderCopy):
            if isOlderCopy { suspectSettings() }
            guard !core.troubles.explainsSetBack else { return }
            core.troubles.noteSetBack(shownBy: core.name(of: peer))
            let text = core.troubles.setBackText(shownBy: core.name(of: peer))
            if core.troubles.isRestored { core.log.tell(text) } else { core.log.warn("trouble: \(text)") }
        }
    }
}
