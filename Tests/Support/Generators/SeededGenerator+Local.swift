package import BatonCore

extension SeededGenerator {
    package mutating func localRequest() -> LocalRequest {
        switch number(0...45) {
        case 0:
            .start(
                StartActivity(
                    app: text(), instance: text(), lifetime: lifetime(), type: text(),
                    change: change()))
        case 1: .update(target(), change())
        case 2: .finish(target())
        case 3:
            .list(
                ListActivities(
                    pick([.goingOn, .withForgotten, .finished]),
                    after: chance(50)
                        ? ListPlace(changed: WallTime(milliseconds: integer()), identifier: text()) : nil))
        case 4: .continueActivity(ContinueActivity(.last, takes: chance(50)))
        case 5:
            .continueActivity(
                ContinueActivity(.named(text()), takes: chance(50), handler: chance(50) ? appName() : nil))
        case 6: .status
        case 7: .devices
        case 8: .invite(asksPerson: chance(50))
        case 9: .unknown(100 + next() % 1000)
        case 10: .search(text(), most: Int(integer()))
        case 11:
            .index(
                ChangeIndex(
                    indexName(), batch: chance(50) ? next() : nil,
                    (0..<number(0...4)).map { _ in indexChange() }))
        case 12:
            .endBatch(
                EndBatch(
                    indexName(), batch: next(), state: chance(50) ? bytes(0...9) : nil,
                    isConditional: chance(50), expected: chance(50) ? bytes(0...9) : nil))
        case 13: .discardBatch(indexName(), next())
        case 14: .clientState(indexName())
        case 15: .opened(ItemName(app: text(), index: text(), identifier: text()))
        case 16: .awaitReindexing(indexName())
        case 17: .acknowledgeReindexing(indexName(), extent())
        case 18: .backup(path: text(), replaces: chance(50))
        case 19: .restore(path: text(), isConfirmed: chance(50))
        case 20: .awaitBackup
        case 22: .settings
        case 23: .set(text(), to: chance(50) ? integer() : nil)
        case 21: .digest(at: WallTime(milliseconds: integer()))
        case 24: .answerJoiner(code: text(), letIn: chance(50))
        case 25: .revoke(text(), isConfirmed: chance(50))
        case 26: .remove(text())
        case 28: .promote(code: text())
        case 29: .leave(isConfirmed: chance(50))
        case 44: .setAddresses(text(), (0..<number(0...3)).map { _ in text() })
        case 27: .rename(chance(50) ? text() : nil, to: text())
        case 30: .accounts
        case 31: .cancelInvitation
        case 32: .resign(target())
        case 33: .watch(after: chance(50) ? next() : nil)
        case 34: .forget(text(), everywhere: chance(50))
        case 35: .send(target(), to: text())
        case 36: .deleteSaved(app: text(), identifiers: chance(50) ? [text(), text()] : nil)
        case 37: .register(registration())
        case 38: .registrations
        case 39: .awaitEvent
        case 40: .saved(next(), chance(50) ? change() : nil)
        case 41: .openStream(chance(50) ? .named(text()) : .last)
        case 42: .acceptStream(next())
        case 43: .unforget(text())
        default: .awaitInvitation(code: text(), isJoinerKnown: chance(50))
        }
    }

    private mutating func lifetime() -> ActivityLifetime {
        switch number(0...2) {
        case 0: .untilFinished
        case 1: .process(process())
        default: .connection
        }
    }

    private mutating func appName() -> AppName { AppName(app: text(), instance: text()) }

    private mutating func registration() -> AppRegistration {
        AppRegistration(
            appName(), types: (0..<number(0...3)).map { _ in text() }, title: chance(50) ? text() : nil)
    }

    private mutating func continued() -> ContinuedActivity {
        ContinuedActivity(
            summary: summary(), source: pick(ContinuedActivity.Source.allCases), isTaken: chance(50))
    }

    private mutating func event() -> AppEvent {
        switch number(0...4) {
        case 0: .save(next(), instance: text())
        case 1: .wasContinued(instance: text(), on: reference(), isTaken: chance(50))
        case 2: .ended(instance: text())
        case 3: .continues(continued())
        default: .streamWanted(next(), instance: text(), from: reference())
        }
    }

    private mutating func changes() -> ActivityChanges {
        ActivityChanges(
            number: next(), isAnew: chance(50), changed: (0..<number(0...3)).map { _ in summary() },
            gone: (0..<number(0...3)).map { _ in text() })
    }

    private mutating func indexName() -> ClientStateName { ClientStateName(app: text(), index: text()) }

    private mutating func indexChange() -> IndexChange {
        let domain = chance(50) ? text() : nil
        return switch number(0...3) {
        case 0: .item(text(), domain: domain, fields())
        case 1: .update(text(), domain: domain, fields())
        case 2: .deletion(text())
        default: .clear(domain: domain)
        }
    }

    private mutating func extent() -> ReindexRequest.Extent {
        chance(50)
            ? .all
            : .items(Set((0..<number(0...3)).map { _ in text() }))
    }

    private mutating func process() -> ProcessName {
        ProcessName(number: Int32(truncatingIfNeeded: next()), started: next(), boot: text())
    }

    private mutating func target() -> ActivityTarget {
        chance(50) ? .identifier(text()) : .instance(app: text(), instance: text())
    }

    private mutating func change() -> ActivityChange {
        var change = ActivityChange()
        change.title = chance(50) ? text() : nil
        change.set = dictionary(depth: 2)
        change.removed = Set((0..<number(0...3)).map { _ in value(depth: 1) })
        change.webpage = chance(50) ? text() : nil
        change.keywords = chance(50) ? [text(), "word"] : nil
        change.expiration = chance(50) ? WallTime(milliseconds: integer()) : nil
        change.requiredKeys = chance(50) ? [text()] : nil
        change.referrer = chance(50) ? text() : nil
        change.targetContentIdentifier = chance(50) ? text() : nil
        change.persistentIdentifier = chance(50) ? text() : nil
        change.eligibility = chance(50) ? Eligibility(rawValue: next() % 32) : nil
        change.supportsStreams = chance(50) ? chance(50) : nil
        change.attributes = chance(50) ? attributes() : nil
        change.replaces = chance(50)
        return change
    }

    package mutating func localAnswer() -> LocalAnswer {
        switch number(0...29) {
        case 29: .settling(Unsettled(toMerge: number(0...99), toClear: number(0...99)))
        case 28: .streamOpened(continued())
        case 0: .failure(LocalFailure(pick(LocalFailure.Code.allCases), text()))
        case 1: .activity(summary())
        case 2: .activities((0..<number(0...3)).map { _ in summary() }, isLast: chance(50))
        case 3: .continued(continued())
        case 24: .changes(changes())
        case 25: .registrations((0..<number(0...3)).map { _ in registration() })
        case 26: .event(event())
        case 27: .done
        case 4: .status(status())
        case 5: .devices((0..<number(0...3)).map { _ in deviceStatus() })
        case 6:
            .invitation(
                code: text(), expires: WallTime(milliseconds: integer()),
                addresses: (0..<number(0...3)).map { _ in text() })
        case 7: .joined(reference())
        case 18: .joining(name: text(), phrase: text(), asksPerson: chance(50))
        case 9: .found((0..<number(0...3)).map { _ in foundItem() }, isWhole: chance(50))
        case 10: .indexed(passedOver: number(0...1000))
        case 11: .clientState(chance(50) ? bytes(0...9) : nil)
        case 12: .reindexing(extent())
        case 8: .initialised(identifier(), reference(), recoveryCode: text())
        case 13: .working(bytes: Int(integer()), all: chance(50) ? Int(integer()) : nil)
        case 14: .backup(backup())
        case 17: .settings(settings())
        case 16: .digest(StateDigest(bytes: bytes(32...32)) ?? StateDigest())
        case 19: .departure(departure())
        case 20:
            .promoted(
                Promotion(
                    account: identifier(), device: reference(), ends: WallTime(milliseconds: integer()),
                    wasOwner: chance(50)))
        case 15: .restored(backup(), aside: (0..<number(0...3)).map { _ in text() })
        case 21: .accounts((0..<number(0...3)).map { _ in accountStatus() })
        case 22: .invitationCancelled
        default: .admitted(identifier(), reference(), inviter: reference())
        }
    }

    private mutating func departure() -> Departure {
        var departure = Departure(
            account: identifier(), device: reference(), folder: text(), isOwner: chance(50),
            others: chance(50) ? (0..<number(0...3)).map { _ in text() } : nil, leavesOwner: chance(50))
        departure.told = (0..<number(0...3)).map { _ in text() }
        (departure.remains, departure.isOut) = (chance(50) ? text() : nil, chance(50))
        return departure
    }

    private mutating func backup() -> BackupDescription {
        BackupDescription(
            path: text(), bytes: Int(integer()), items: Int(integer()), activities: Int(integer()),
            account: identifier(), device: reference(), made: WallTime(milliseconds: integer()), build: text()
        )
    }

    private mutating func settings() -> Settings {
        var settings = Settings()
        for setting in Setting.allCases where chance(50) { settings.set(setting, to: integer()) }
        return settings
    }

    private mutating func foundItem() -> FoundItem {
        FoundItem(
            app: text(), index: text(), identifier: text(), domain: chance(50) ? text() : nil,
            title: chance(50) ? text() : nil, summary: chance(50) ? text() : nil,
            url: chance(50) ? text() : nil,
            indexed: chance(50) ? WallTime(milliseconds: integer()) : nil)
    }

    private mutating func reference() -> DeviceReference {
        DeviceReference(identifier: identifier(), name: text(), isHere: chance(50))
    }

    package mutating func summary() -> ActivitySummary {
        var summary = ActivitySummary(
            identifier: text(), device: reference(), app: text(), instance: text(), activity: activity(),
            continuedOn: chance(50) ? text() : nil)
        (summary.isSentHere, summary.isForgotten, summary.isPrivate) = (chance(50), chance(50), chance(50))
        if chance(20) { summary.departure = pick(DeviceDeparture.allCases) }
        return summary
    }

    private mutating func deviceStatus() -> DeviceStatus {
        var status = DeviceStatus(
            device: reference(), admitted: WallTime(milliseconds: integer()), isConnected: chance(50),
            isInStep: chance(50), seen: chance(50) ? WallTime(milliseconds: integer()) : nil,
            addresses: (0..<number(0...3)).map { _ in text() }, trouble: chance(50) ? text() : nil)
        (status.isOwner, status.hasLeft) = (chance(50), chance(50))
        (status.version, status.clockLead) = (chance(50) ? text() : nil, chance(50) ? integer() : nil)
        status.removed = chance(50) ? WallTime(milliseconds: integer()) : nil
        status.connectedSince = chance(50) ? WallTime(milliseconds: integer()) : nil
        status.outOfStepSince = chance(50) ? WallTime(milliseconds: integer()) : nil
        if chance(50) {
            status.backlog = SyncBacklog(
                toSend: UInt64(bitPattern: integer()), toTake: UInt64(bitPattern: integer()),
                taken: UInt64(bitPattern: integer()), isSendingSnapshot: chance(50),
                isTakingSnapshot: chance(50))
        }
        if chance(50) {
            status.revocation = DeviceStatus.Revoked(
                date: WallTime(milliseconds: integer()), revoker: text(), isOfOwner: chance(50))
        }
        if chance(50) {
            status.lastChange = DeviceStatus.Change(
                kind: RecordKind(rawValue: UInt64(number(0...20))), title: chance(50) ? text() : nil,
                isDeletion: chance(50), made: WallTime(milliseconds: integer()),
                taken: WallTime(milliseconds: integer()), sender: reference())
        }
        return status
    }

    private mutating func accountStatus() -> AccountStatus {
        AccountStatus(
            name: text(), isDefault: chance(50), account: chance(50) ? identifier() : nil,
            devices: number(0...1000), connected: number(0...1000), trouble: chance(50) ? text() : nil)
    }

    private mutating func status() -> NodeStatus {
        var status = NodeStatus(
            account: identifier(), device: reference(), build: text(),
            process: Int32(truncatingIfNeeded: next()),
            listening: text(), peers: (0..<number(0...3)).map { _ in deviceStatus() },
            troubles: (0..<number(0...3)).map { _ in text() })
        status.accountName = chance(50) ? text() : nil
        return status
    }
}
