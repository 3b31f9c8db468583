package import BatonCore

extension SeededGenerator {
    /// Makes up a call of any kind, and a reply to it.
    package mutating func localExchange() -> LocalExchange { localExchange(pick(LocalCallNumber.allCases)) }

    /// Makes up a call of that number, and a reply to it.
    package mutating func localExchange(_ number: LocalCallNumber) -> LocalExchange {
        switch number {
        case .startActivity: LocalExchange(start(), summary())
        case .updateActivity: LocalExchange(UpdateActivity(target(), change()), summary())
        case .finishActivity: LocalExchange(FinishActivity(target()), summary())
        case .listActivities:
            LocalExchange(listing(), ActivitiesReply(few { $0.summary() }, isLast: chance(50)))
        case .continueActivity: LocalExchange(continuing(), continued())
        case .getStatus: LocalExchange(GetStatus(), status())
        case .listDevices: LocalExchange(ListDevices(), DevicesReply(few { $0.deviceStatus() }))
        case .openInvitation: LocalExchange(OpenInvitation(asksPerson: chance(50)), invitation())
        case .awaitInvitation:
            LocalExchange(AwaitInvitation(code: text(), isJoinerKnown: chance(50)), invitationReply())
        case .changeIndex: LocalExchange(indexRequest(), indexReply())
        case .endBatch: LocalExchange(batchEnd(), indexReply())
        case .discardBatch: LocalExchange(DiscardBatch(indexName(), next()), indexReply())
        case .getClientState:
            LocalExchange(GetClientState(indexName()), ClientStateReply(chance(50) ? bytes(0...9) : nil))
        case .countOpening:
            LocalExchange(
                CountOpening(ItemName(app: text(), index: text(), identifier: text())), indexReply())
        case .awaitReindexing:
            LocalExchange(
                AwaitReindexing(few { $0.indexName() }),
                chance(80) ? ReindexingReply(indexName(), extent()) : .replaced)
        case .acknowledgeReindexing: LocalExchange(AcknowledgeReindexing(indexName(), extent()), indexReply())
        case .requestReindexing: LocalExchange(RequestReindexing(indexName(), extent()), Done())
        case .getDigest: LocalExchange(GetDigest(at: time()), digestReply())
        case .getSettings: LocalExchange(GetSettings(), settings())
        case .changeSetting:
            LocalExchange(ChangeSetting(text(), to: chance(50) ? integer() : nil), settings())
        case .searchItems:
            LocalExchange(
                search(),
                SearchReply(
                    few { $0.searchResult() }, isWhole: chance(50), corrected: chance(50) ? text() : nil))
        case .queryItems:
            LocalExchange(query(), SearchReply(few { $0.searchResult() }, isWhole: chance(50)))
        case .suggestSearches:
            LocalExchange(
                SuggestSearches(text(), most: Int(integer()), app: chance(50) ? text() : nil),
                SuggestionsReply(few { $0.suggestion() }))
        case .suggestActivities:
            LocalExchange(
                SuggestActivities(most: Int(integer())),
                SuggestedActivitiesReply(
                    few {
                        SuggestedActivity(
                            $0.summary(), score: Double($0.number(-999...999)) / 8,
                            reasons: $0.few { $0.reason() })
                    },
                    after: chance(50) ? text() : nil))
        case .donateAction:
            LocalExchange(DonateAction(app: text(), donation(), type: text(), change: change()), Done())
        case .deleteDonations:
            LocalExchange(
                DeleteDonations(
                    app: text(),
                    pick([
                        .all, .group(text()), .identifiers(few { $0.text() }),
                        .subject(text(), group: chance(50) ? text() : nil),
                    ])), Done())
        case .listFocuses: LocalExchange(ListFocuses(), focuses())
        case .switchFocus: LocalExchange(SwitchFocus(chance(50) ? text() : nil), focuses())
        case .changeFocus:
            LocalExchange(
                ChangeFocus(
                    text(),
                    pick([
                        .add, .remove, .set(focusFilter()),
                        .unset(app: text(), intent: chance(50) ? text() : nil),
                    ])), focuses())
        case .awaitFocus:
            LocalExchange(
                AwaitFocus(of: text(), after: chance(50) ? next() : nil),
                FocusNotice(next(), name: chance(50) ? text() : nil, filters: few { $0.focusFilter() }))
        case .listEntityTypes: LocalExchange(ListEntityTypes(), EntityTypesReply(few { $0.entityType() }))
        case .describeEntityTypes: LocalExchange(DescribeEntityTypes(few { $0.entityType() }), Done())
        case .setLock:
            LocalExchange(SetLock(bytes(0...40), proof: chance(50) ? lockProof() : nil), Done())
        case .removeLock: LocalExchange(RemoveLock(lockProof()), Done())
        case .lockAccount: LocalExchange(LockAccount(), Done())
        case .unlockAccount: LocalExchange(UnlockAccount(lockProof()), Done())
        case .demandUnlocked: LocalExchange(DemandUnlocked(), Done())
        case .forgetEntityTypes: LocalExchange(ForgetEntityTypes(of: text()), Done())
        case .rememberSearch: LocalExchange(RememberSearch(text(), in: chance(50) ? text() : nil), Done())
        case .forgetSearches: LocalExchange(ForgetSearches(chance(50) ? text() : nil), Done())
        case .explainItem:
            LocalExchange(
                ExplainItem(app: text(), text(), words: chance(50) ? text() : nil),
                ExplanationReply(few { $0.explanation() }))
        case .explainActivity:
            LocalExchange(
                ExplainActivity(text(), words: chance(50) ? text() : nil),
                ExplanationReply(few { $0.explanation() }))
        case .examineApp:
            LocalExchange(
                ExamineApp(text(), indexes: few { $0.text() }),
                AppItemsReply(
                    Int(next() >> 24), expired: Int(next() >> 24),
                    in: few {
                        AppIndexStatus(
                            $0.text(), reindexing: $0.chance(50) ? $0.extent() : nil, isHeard: $0.chance(50),
                            hasItems: $0.chance(50))
                    }))
        case .writeBackup: LocalExchange(WriteBackup(path: text(), replaces: chance(50)), backupReply())
        case .restoreBackup:
            LocalExchange(RestoreBackup(path: text(), isConfirmed: chance(50)), backupReply())
        case .awaitBackup: LocalExchange(AwaitBackup(), backupReply())
        case .answerJoiner: LocalExchange(AnswerJoiner(code: text(), letIn: chance(50)), invitationReply())
        case .revokeDevice: LocalExchange(RevokeDevice(text(), isConfirmed: chance(50)), deviceReply())
        case .removeDevice: LocalExchange(RemoveDevice(text()), deviceReply())
        case .renameDevice: LocalExchange(RenameDevice(to: text()), deviceReply())
        case .listAccounts: LocalExchange(ListAccounts(), AccountsReply(few { $0.accountStatus() }))
        case .cancelInvitation: LocalExchange(CancelInvitation(), CancelInvitationReply())
        case .promoteDevice: LocalExchange(PromoteDevice(code: text()), promotion())
        case .leaveAccount: LocalExchange(LeaveAccount(isConfirmed: chance(50)), departure())
        case .resignActivity: LocalExchange(ResignActivity(target()), summary())
        case .watchActivities: LocalExchange(WatchActivities(after: chance(50) ? next() : nil), changes())
        case .forgetActivity: LocalExchange(ForgetActivity(text(), everywhere: chance(50)), summary())
        case .sendActivity: LocalExchange(SendActivity(target(), to: text()), summary())
        case .deleteSavedActivities:
            LocalExchange(
                DeleteSavedActivities(app: text(), identifiers: chance(50) ? [text(), text()] : nil), Done())
        case .registerApp: LocalExchange(RegisterApp(registration()), Done())
        case .listRegistrations:
            LocalExchange(ListRegistrations(), RegistrationsReply(few { $0.registration() }))
        case .awaitEvent: LocalExchange(AwaitEvent(), event())
        case .reportSaved: LocalExchange(ReportSaved(next(), chance(50) ? change() : nil), Done())
        case .unforgetActivity: LocalExchange(UnforgetActivity(text()), summary())
        case .openStream:
            LocalExchange(OpenStream(chance(50) ? .named(text()) : .last), StreamReply(continued()))
        case .acceptStream: LocalExchange(AcceptStream(next()), Done())
        case .findItem:
            LocalExchange(
                FindItem(ItemName(app: text(), index: text(), identifier: text())),
                SearchReply(few { $0.searchResult() }, isWhole: true))
        case .openInApp: LocalExchange(OpenInApp(opening()), OpenedReply(registration()))
        case .reportOpened: LocalExchange(ReportOpened(next()), Done())
        case .watchSearch:
            LocalExchange(WatchSearch(search(), after: chance(50) ? next() : nil), searchChanges())
        case .beginSearch: LocalExchange(pagedSearch(), searchPage())
        case .nextPage: LocalExchange(NextPage(next()), searchPage())
        case .endSearch: LocalExchange(EndSearch(next()), Done())
        case .countActivityOpening: LocalExchange(CountActivityOpening(text()), indexReply())
        case .setAddresses: LocalExchange(SetAddresses(text(), few { $0.text() }), deviceReply())
        case .awaitTexts:
            LocalExchange(
                AwaitTexts(
                    model: text(), few { TextVector($0.next(), $0.chance(50) ? $0.embedding() : nil) }),
                TextsReply(few { NumberedText($0.next(), $0.text()) }))
        case .listPlaces: LocalExchange(ListPlaces(text()), places())
        case .probeAddress:
            LocalExchange(ProbeAddress(text(), at: text()), ProbeReply(few { $0.probeAttempt() }))
        }
    }

    /// Makes up an answer to a call of any kind, or one that only `baton-node` gives.
    package mutating func localAnswer(number request: UInt64) -> Frame {
        switch number(0...20) {
        case 0: LocalAnswer.frame(LocalFailure(pick(LocalFailure.Code.allCases), text()), number: request)
        case 1: NewAccountReply(identifier(), reference(), recoveryCode: text()).frame(number: request)
        case 2: AdmissionReply(identifier(), reference(), inviter: reference()).frame(number: request)
        default: localExchange().reply.frame(number: request)
        }
    }

    // MARK: Arguments

    private mutating func lockProof() -> LockProof {
        chance(50) ? .passphrase(bytes(0...40)) : .recoveryCode(text())
    }

    private mutating func query() -> QueryItems {
        let offset = 900 * number(-48...56)
        let change = number(-300...300)
        let now = WallTime(milliseconds: 1_700_000_000_000 + integer() % 1_000_000_000_000)
        let present = PresentTime(now, firstWeekday: Int64(number(0...6))) { time in
            time < now.advanced(by: .seconds(change * 86_400)) ? offset : offset + 3600
        }
        return QueryItems(
            text(), filter: filter(), most: Int(integer()),
            sorting: few { QuerySort($0.text(), isDescending: $0.chance(50)) }, at: present)
    }

    /// The filter of an app, whose names can be those of a field.
    private mutating func focusFilter() -> FocusFilter {
        var values: [String: [String]] = [:]
        for name in few({ $0.text() }) { values[name] = few { $0.text() } }
        return FocusFilter(app: "app\(number(0...9))", intent: "intent\(number(0...9))", values: values)
    }

    private mutating func entityType() -> EntityTypeDescription {
        EntityTypeDescription(
            EntityTypeName(app: text(), type: text()), title: text(), synonyms: few { $0.text() },
            properties: few {
                EntityTypeDescription.Property(
                    $0.text(), kind: $0.text(), attribute: $0.chance(50) ? $0.text() : nil)
            }, appTitle: chance(50) ? text() : nil)
    }

    private mutating func focuses() -> FocusesReply {
        // The codec sorts filters and focuses, so a sample has each name once.
        let focuses = (0..<number(0...3)).map { place in
            Focus(
                "focus\(place)", created: time(),
                filters: chance(50) ? [focusFilter()] : [])
        }
        return FocusesReply(
            FocusSettings(focuses, last: chance(50) ? PresentFocus(text(), changed: time()) : nil))
    }

    private mutating func reason() -> PredictionReason {
        let (times, all) = (number(0...99), number(0...99))
        return switch number(1...7) {
        case 1: .follows(times: times, of: all)
        case 2:
            .often(
                times: times,
                mostly: chance(50)
                    ? WeekPart(pick(WeekPart.Days.allCases), pick(WeekPart.Part.allCases)) : nil)
        case 3: .now(times: times, of: all)
        case 4: .recent(time())
        case 5: .elsewhere(time())
        case 6: .device(times: times)
        default: .donated(time())
        }
    }

    private mutating func donation() -> Donation {
        Donation(text(), in: chance(50) ? text() : nil, at: time(), about: few { $0.text() })
    }

    private mutating func embedding() -> Embedding? {
        Embedding((0..<number(8...20)).map { _ in Double(number(-9...9)) })
    }

    private mutating func pagedSearch() -> BeginSearch {
        let hasWords = chance(50)
        return BeginSearch(
            next(), words: hasWords ? search() : nil, query: !hasWords || chance(50) ? query() : nil,
            filters: few { $0.text() }, order: pick(SearchOrder.allCases),
            attributes: chance(50) ? few { $0.text() } : nil, pageMost: Int(integer()))
    }

    private mutating func searchPage() -> SearchPage {
        SearchPage(
            few { $0.searchResult() }, isLast: chance(50), isWhole: chance(50),
            corrected: chance(50) ? text() : nil)
    }

    private mutating func search() -> SearchItems {
        SearchItems(text(), most: Int(integer()), filter: filter(), replacesEarlier: chance(50))
    }

    private mutating func filter() -> SearchFilter {
        SearchFilter(
            app: chance(50) ? text() : nil,
            kind: chance(50) ? pick([.item, .activity, .contentType(text() + ".")]) : nil,
            since: chance(50) ? time() : nil)
    }

    private mutating func searchChanges() -> SearchChanges {
        SearchChanges(
            number: next(), few { $0.chance(50) ? .same($0.next()) : .other($0.searchResult()) },
            isWhole: chance(50), corrected: chance(50) ? text() : nil)
    }

    /// Makes up a suggestion with ranges of whole scalars.
    private mutating func suggestion() -> SearchSuggestion {
        let text = text()
        var (ranges, place) = ([Range<Int>](), 0)
        for scalar in text.unicodeScalars {
            let end = place + String(scalar).utf8.count
            if chance(30) { ranges.append(place..<end) }
            place = end
        }
        return SearchSuggestion(text, pick([.word, .title, .search]), typed: ranges)
    }

    private mutating func few<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<number(0...3)).map { _ in make(&self) }
    }

    private mutating func start() -> StartActivity {
        StartActivity(
            app: text(), instance: text(), lifetime: lifetime(), type: text(), change: change())
    }

    private mutating func listing() -> ListActivities {
        ListActivities(
            pick([.goingOn, .withForgotten, .finished]),
            after: chance(50) ? ListPlace(changed: time(), identifier: text()) : nil)
    }

    private mutating func continuing() -> ContinueActivity {
        ContinueActivity(
            chance(50) ? .last : .named(text()), takes: chance(50), handler: chance(50) ? appName() : nil,
            step: pick(ContinuationStep.allCases), type: chance(50) ? text() : nil)
    }

    private mutating func indexRequest() -> ChangeIndex {
        ChangeIndex(
            indexName(), at: chance(50) ? BatchPlace(next(), offset: number(0...Limits.batchDrafts)) : nil,
            (0..<number(0...4)).map { _ in indexChange() })
    }

    private mutating func batchEnd() -> EndBatch {
        EndBatch(
            indexName(), batch: next(), count: number(0...9), state: chance(50) ? bytes(0...9) : nil,
            isConditional: chance(50), expected: chance(50) ? bytes(0...9) : nil,
            mark: chance(50) ? BatchMark(writer: bytes(16...16), number: next()) : nil)
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
        var registration = AppRegistration(
            appName(), types: (0..<number(0...3)).map { _ in text() }, title: chance(50) ? text() : nil,
            folder: chance(50) ? text() : nil)
        registration.used = chance(50) ? time() : nil
        return registration
    }

    private mutating func continued() -> ContinuedActivity {
        ContinuedActivity(
            summary: summary(), source: pick(ContinuedActivity.Source.allCases), isTaken: chance(50))
    }

    private mutating func event() -> AppEvent {
        switch number(0...5) {
        case 0: .save(next(), instance: text())
        case 1: .wasContinued(instance: text(), on: reference(), isTaken: chance(50))
        case 2: .ended(instance: text())
        case 3: .continues(next(), continued())
        case 4: .opens(next(), instance: text(), opening())
        default: .streamWanted(next(), instance: text(), from: reference())
        }
    }

    private mutating func opening() -> AppOpening {
        chance(50)
            ? .item(ItemName(app: text(), index: text(), identifier: text()))
            : .search(app: text(), words: text())
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
        case 0: .item(text(), item())
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
        change.isProtected = chance(50) ? chance(50) : nil
        change.attributes = chance(50) ? attributes() : nil
        change.replaces = chance(50)
        return change
    }

    // MARK: Replies

    private mutating func invitation() -> OpenInvitationReply {
        OpenInvitationReply(code: text(), expires: time(), addresses: few { $0.text() })
    }

    private mutating func invitationReply() -> InvitationReply {
        chance(50)
            ? .joined(reference())
            : .joining(PairingNotice(name: text(), phrase: text(), asksPerson: chance(50)))
    }

    private mutating func indexReply() -> IndexReply { IndexReply(passedOver: number(0...1000)) }

    private mutating func digestReply() -> DigestReply {
        chance(50)
            ? .digest(StateDigest(bytes: bytes(32...32)) ?? StateDigest(), toClear: number(0...99))
            : .settling(Unsettled(toMerge: number(0...99), toClear: number(0...99)))
    }

    private mutating func backupReply() -> BackupReply {
        switch number(0...2) {
        case 0: .working(bytes: Int(integer()), all: chance(50) ? Int(integer()) : nil)
        case 1: .backup(backup())
        default: .restored(backup(), replaced: few { $0.text() })
        }
    }

    private mutating func deviceReply() -> DeviceReply { DeviceReply(deviceStatus()) }

    private mutating func promotion() -> Promotion {
        Promotion(account: identifier(), device: reference(), ends: time(), wasOwner: chance(50))
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
        for switched in AppSwitch.allCases where chance(50) {
            settings.set(AppSwitchName(switched, of: "org.example.\(number(0...9))"), isOff: true)
        }
        if chance(20) { settings.suspect(pick(SettingsDoubt.allCases)) }
        return settings
    }

    private mutating func explanation() -> SearchExplanation {
        var explanation = SearchExplanation(
            pick(SearchExplanation.Outcome.allCases), title: chance(50) ? text() : nil,
            app: chance(50) ? text() : nil, index: chance(50) ? text() : nil)
        explanation.words = few { $0.text() }
        explanation.place = chance(50) ? number(1...100) : nil
        return explanation
    }

    private mutating func foundItem() -> FoundItem {
        FoundItem(
            app: text(), index: text(), identifier: text(), domain: chance(50) ? text() : nil,
            title: chance(50) ? text() : nil, summary: chance(50) ? text() : nil,
            url: chance(50) ? text() : nil,
            indexed: chance(50) ? WallTime(milliseconds: integer()) : nil,
            expires: chance(50) ? WallTime(milliseconds: integer()) : nil,
            entity: chance(50) ? Activity.Entity(type: text(), identifier: text()) : nil)
    }

    private mutating func foundActivity() -> FoundActivity {
        FoundActivity(
            identifier: text(), app: text(), type: text(), title: chance(50) ? text() : nil,
            summary: chance(50) ? text() : nil, url: chance(50) ? text() : nil,
            ended: WallTime(milliseconds: integer()), isHere: chance(50))
    }

    private mutating func searchResult() -> SearchResult {
        let thing =
            pick([
                FoundThing.item(foundItem()), .activity(foundActivity()), .both(foundItem(), foundActivity()),
            ])
        return SearchResult(
            thing,
            rank: chance(50)
                ? ItemRank(text: part(), use: part(), hint: part(), freshness: part(), meaning: part())
                : nil,
            devices: few { $0.reference() }, snippet: chance(50) ? snippet() : nil,
            attributes: chance(30) ? attributes().fields : nil)
    }

    private mutating func snippet() -> Snippet {
        let text = text()
        let middle = number(0...text.utf8.count)
        return Snippet(text, chance(50) ? [0..<middle, middle..<text.utf8.count] : [])
    }

    /// A part of a rank, which is always a number.
    private mutating func part() -> Double { Double(number(0...1000)) / 8 }

    private mutating func places() -> PlacesReply {
        PlacesReply(
            reference(),
            few {
                KnownPlace($0.text(), $0.pick(AddressSource.allCases), isNamed: $0.chance(50))
            },
            connection: chance(50) ? OpenConnection(text(), isDialled: chance(50)) : nil)
    }

    private mutating func probeAttempt() -> ProbeAttempt {
        ProbeAttempt(probeOutcome(), at: chance(50) ? text() : nil)
    }

    /// Makes up an outcome of any case.
    package mutating func probeOutcome() -> ProbeOutcome {
        switch number(0...20) {
        case 0: .reached(version: text(), clockLead: chance(50) ? integer() : nil)
        case 1: .nameUnknown(text())
        case 2: .nameUnanswered(text())
        case 3: .notTried
        case 4: .refused
        case 5: .noAnswer(milliseconds: integer())
        case 6: .unreachable(text())
        case 7: .forbidden(text())
        case 8: .silent(milliseconds: integer())
        case 9: .closed
        case 10: .notTLS(text())
        case 11: .alert(UInt8(truncatingIfNeeded: next()))
        case 12: .notOfAccount(text())
        case 13: .notYetValid(text())
        case 14: .otherDevice(reference())
        case 15: .thisMachine
        case 16: .expired(WallTime(milliseconds: integer()))
        case 17: .notAccepted(text())
        case 18: .refusedByDevice(code: next() >> 1, text())
        case 19: .noGreeting(milliseconds: integer())
        default: .failed(text())
        }
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
        if chance(20) { summary.donation = donation() }
        return summary
    }

    private mutating func deviceStatus() -> DeviceStatus {
        var status = DeviceStatus(
            device: reference(), admitted: WallTime(milliseconds: integer()), isConnected: chance(50),
            isInStep: chance(50), seen: chance(50) ? WallTime(milliseconds: integer()) : nil,
            addresses: (0..<number(0...3)).map { _ in text() }, trouble: chance(50) ? text() : nil)
        (status.isOwner, status.hasLeft) = (chance(50), chance(50))
        (status.version, status.clockLead) = (chance(50) ? text() : nil, chance(50) ? integer() : nil)
        status.attempts = (0..<number(0...3)).map { _ in
            AddressAttempt(
                address: text(), source: pick(AddressSource.allCases),
                outcome: pick(AddressAttempt.Outcome.allCases), text: text(),
                time: WallTime(milliseconds: integer()))
        }
        status.closeCode = chance(50) ? next() : nil
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
            status.received = ReceivedChanges(count: next(), latest: WallTime(milliseconds: integer()))
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
        status.discovery = chance(50) ? text() : nil
        return status
    }
}
