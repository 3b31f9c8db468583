import BatonCore
import Support

extension Vector {
    static let localMessages: [Vector] =
        [
            Vector(
                "hello", "The first message of each side.", LocalHello(build: "0.1.0", process: 4242).frame),
            Vector(
                "hello-account", "One that names an account.",
                LocalHello(build: "0.1.0", process: 4242, account: "work").frame),
        ]
        + LocalSamples.calls.compactMap { name, description, call in
            do throws(LocalFailure) {
                return Vector("request-\(name)", description, try call.frame(number: 7))
            } catch {
                return nil
            }
        } + [
            Vector(
                "answer-failure", "Why it was not done.",
                LocalAnswer.frame(LocalFailure(.notFound, "No activity begins so."), number: 7))
        ] + LocalSamples.replies.map { Vector("answer-\($0)", $1, $2.frame(number: 7)) }
}

/// Calls of all kinds and their answers.
enum LocalSamples {
    private static let change: ActivityChange = {
        var change = ActivityChange()
        change.title = "Draft of the report"
        change.set = [.string("line"): .integer(43)]
        change.removed = [.string("column")]
        change.webpage = "https://example.org/report"
        change.keywords = ["draft"]
        change.expiration = Sample.noon
        return change
    }()

    private static let start = StartActivity(
        app: "org.example.editor", instance: "window-1",
        lifetime: .process(
            ProcessName(number: 4242, started: 123_456, boot: "7f9c2b1e-0000-4000-8000-000000000000")),
        type: "org.example.editing", change: change)

    private static let lasting = StartActivity(
        app: "org.example.editor", instance: "window-1", lifetime: .untilFinished,
        type: "org.example.editing",
        change: ActivityChange())

    private static let whole: ActivityChange = {
        var change = ActivityChange()
        change.title = "Draft"
        change.requiredKeys = ["line"]
        change.referrer = "https://example.org/"
        change.targetContentIdentifier = "report"
        change.persistentIdentifier = "report-7"
        change.eligibility = [.handoff, .search]
        change.supportsStreams = true
        change.attributes = Sample.newerActivity.attributes
        change.replaces = true
        return change
    }()

    private static let bound = StartActivity(
        app: "org.example.editor", instance: "window-1", lifetime: .connection, type: "org.example.editing",
        change: whole)

    private static let registration = AppRegistration(
        AppName(app: "org.example.editor", instance: "window-1"), types: ["org.example.editing"],
        title: "Editor", folder: "/home/me/src")

    static let calls: [(name: String, description: String, call: any LocalCall)] = [
        ("start", "An activity that ends with a process.", start),
        (
            "start-bound", "An activity of which all is said, and that ends with the connection.",
            bound
        ),
        ("start-lasting", "An activity that lasts until it is finished.", lasting),
        (
            "update", "A change of the activity whose identifier begins so.",
            UpdateActivity(.identifier("yhdcm49"), change)
        ),
        (
            "update-nothing", "A change that changes nothing but the time.",
            UpdateActivity(.instance(app: "org.example.editor", instance: "window-1"), ActivityChange())
        ),
        (
            "finish", "The current activity of an app instance is over.",
            FinishActivity(.instance(app: "org.example.editor", instance: "window-1"))
        ),
        ("list", "What is going on, from the beginning.", ListActivities()),
        (
            "list-after", "The next part of the list.",
            ListActivities(after: ListPlace(changed: Sample.noon, identifier: "yhdcm49"))
        ),
        (
            "list-finished", "What has ended and can be gone back to.",
            ListActivities(.finished)
        ),
        (
            "continue", "Continues what begins so, or is of that type.",
            ContinueActivity(.named("yhdcm49"))
        ),
        (
            "continue-last", "Continues what was sent here, or another device changed last.",
            ContinueActivity(.last)
        ),
        (
            "continue-taking", "Has an app continue it, and ends it where it is going on.",
            ContinueActivity(.named("yhdcm49"), takes: true, handler: registration.name)
        ),
        (
            "continue-confirming", "The state of a moment ago continues here, so it ends there.",
            ContinueActivity(.named("yhdcm49"), takes: true, step: .confirm)
        ),
        (
            "resign", "The current activity of an app instance is offered no more for now.",
            ResignActivity(.instance(app: "org.example.editor", instance: "window-1"))
        ),
        ("watch", "The number that the list has.", WatchActivities(after: nil)),
        ("watch-after", "Answered once the list has changed.", WatchActivities(after: 7)),
        ("forget", "Shows it here no more.", ForgetActivity("yhdcm49", everywhere: false)),
        ("forget-everywhere", "Deletes it on all devices.", ForgetActivity("yhdcm49", everywhere: true)),
        ("unforget", "Shows it here again.", UnforgetActivity("yhdcm49")),
        (
            "send", "Offers it on a device before all others.",
            SendActivity(.identifier("yhdcm49"), to: "laptop")
        ),
        (
            "delete-saved", "Deletes what an app saved by these names.",
            DeleteSavedActivities(app: "org.example.editor", identifiers: ["report-7"])
        ),
        (
            "delete-all-saved", "Deletes all that an app saved.",
            DeleteSavedActivities(app: "org.example.editor", identifiers: nil)
        ),
        ("register", "The app continues activities of these types.", RegisterApp(registration)),
        ("registrations", "The apps that said so.", ListRegistrations()),
        ("await-event", "Answered once something concerns the app.", AwaitEvent()),
        ("saved", "The app has changed what it was asked to.", ReportSaved(3, change)),
        ("saved-nothing", "There was nothing to change.", ReportSaved(4, nil)),
        ("open-stream", "Asks for a pair of streams.", OpenStream(.named("yhdcm49"))),
        ("open-stream-last", "Asks the activity that another device changed last.", OpenStream(.last)),
        ("accept-stream", "Takes the streams that are wanted by that number.", AcceptStream(5)),
        (
            "open-item", "Has the app open an item.",
            OpenInApp(.item(ItemName(app: "org.example.notes", index: "main", identifier: "note-7")))
        ),
        (
            "open-search", "Has the app continue a search.",
            OpenInApp(.search(app: "org.example.notes", words: "annual report"))
        ),
        ("opened-in-app", "The app opens what it was asked to.", ReportOpened(6)),
        ("status", "How the node is.", GetStatus()),
        ("devices", "The devices of the account.", ListDevices()),
        ("invite", "Opens an invitation.", OpenInvitation(asksPerson: false)),
        ("invite-and-ask", "Opens one that asks before it lets in.", OpenInvitation(asksPerson: true)),
        (
            "await-invitation", "Answered once somebody joins by it, or it is over.",
            AwaitInvitation(code: "lemon-tiger-cloud", isJoinerKnown: false)
        ),
        (
            "answer-joiner", "Lets the one in that waits.",
            AnswerJoiner(code: "lemon-tiger-cloud", letIn: true)
        ),
        ("revoke", "Looks at a device that may be revoked.", RevokeDevice("desktop", isConfirmed: false)),
        ("remove", "A device is gone.", RemoveDevice("desktop")),
        ("rename", "Gives this device another name.", RenameDevice(to: "workshop")),
        (
            "set-addresses", "Names where to seek a device.",
            SetAddresses("desktop", ["192.168.1.5:4817", "desktop.example:4817"])
        ),
        ("list-places", "Asks where a device is looked for.", ListPlaces("desktop")),
        (
            "probe-address", "Tries one of these addresses.",
            ProbeAddress("desktop", at: "192.168.1.5:4817")
        ),
        ("promote", "Makes this device an owner.", PromoteDevice(code: "lemon tiger cloud")),
        ("leave", "Looks at what leaving the account means.", LeaveAccount(isConfirmed: false)),
        ("leave-confirmed", "Leaves the account.", LeaveAccount(isConfirmed: true)),
        (
            "find-item", "Finds an item by its name.",
            FindItem(ItemName(app: "org.example.notes", index: "notes", identifier: "note-7"))
        ),
        ("search", "Looks for things with all these words.", SearchItems("annual rep", most: 20)),
        (
            "search-instead", "Looks for images of one app instead of what was looked for before.",
            SearchItems(
                "annual rep", most: 20,
                filter: SearchFilter(
                    app: "org.example.notes", kind: .contentType("public.image"), since: Sample.noon),
                replacesEarlier: true)
        ),
        (
            "watch-search", "The present results of a search.",
            WatchSearch(SearchItems("annual", most: 2), after: nil)
        ),
        (
            "watch-search-after", "Answered once the results are other ones.",
            WatchSearch(SearchItems("annual", most: 2), after: 7)
        ),
        (
            "query", "Looks for items that meet a query, on a clock that is set back an hour in between.",
            QueryItems(
                #"title == "ann*"cd && dueDate < $time.today(7)"#,
                filter: SearchFilter(app: "org.example.notes", kind: .item, since: Sample.noon),
                most: 20,
                at: PresentTime(WallTime(milliseconds: 1_795_208_645_123)) { time in
                    time.milliseconds < 1_792_890_000_000 ? 7200 : 3600
                })
        ),
        (
            "search-in-pages", "Looks for things with these words that meet two queries, page by page.",
            BeginSearch(
                3, words: SearchItems("annual", most: 1000),
                query: QueryItems("pageCount > 3", most: 1000, at: PresentTime(Sample.noon) { _ in 0 }),
                filters: [#"keywords == "draft""#], attributes: ["title", "org_example_state"],
                pageMost: 50)
        ),
        (
            "query-in-pages", "Looks for all items as they are found.",
            BeginSearch(
                4, query: QueryItems("*", most: 100_000, at: PresentTime(Sample.noon) { _ in 0 }),
                order: .found)
        ),
        (
            "end-batch-again", "Ends a batch that may have been saved before, if it has all of its changes.",
            EndBatch(
                ClientStateName(app: "org.example.notes", index: "all"), batch: 7, count: 100, state: [1, 2],
                mark: BatchMark(writer: Array(1...16), number: 41))
        ),
        (
            "begin-batch", "Begins a batch with its first change.",
            ChangeIndex(
                ClientStateName(app: "org.example.notes", index: "all"), at: BatchPlace(7, offset: 0),
                [.deletion("n1")])
        ),
        (
            "continue-batch", "Adds a change to a batch that has 99 changes.",
            ChangeIndex(
                ClientStateName(app: "org.example.notes", index: "all"), at: BatchPlace(7, offset: 99),
                [.deletion("n100")])
        ),
        (
            "request-reindexing", "Has an app index two items again.",
            RequestReindexing(ClientStateName(app: "org.example.notes", index: "all"), .items(["1", "2"]))
        ),
        ("next-page", "Asks for the next page.", NextPage(3)),
        ("end-search", "Needs no further page.", EndSearch(3)),
        ("activity-opened", "A person opened an activity that has ended.", CountActivityOpening("yhdcm49")),
        (
            "vectors", "The meaning of a text, and another text that has none.",
            AwaitTexts(
                model: "words --small",
                [TextVector(7, Embedding([0.5, -1, 0.25, 0, 0, 0, 0, 0])), TextVector(8, nil)])
        ),
        ("suggest", "Asks what a person may mean.", SuggestSearches("annual re", most: 10)),
        ("remember-search", "A search led to something.", RememberSearch("annual report")),
        ("list-focuses", "Asks for the focuses of the person.", ListFocuses()),
        ("switch-focus", "The person switches a focus on.", SwitchFocus("work")),
        ("switch-focus-off", "The person switches the focus off.", SwitchFocus(nil)),
        (
            "set-focus-filter", "The person makes a setting of an app in a focus.",
            ChangeFocus(
                "work",
                .set(
                    FocusFilter(
                        app: "org.example.notes", intent: "ShowFolder", values: ["folder": ["Projects"]])))
        ),
        (
            "unset-focus-filters", "The person removes the settings of an app.",
            ChangeFocus("work", .unset(app: "org.example.notes", intent: nil))
        ),
        (
            "await-focus", "An app waits for the next focus.",
            AwaitFocus(of: "org.example.notes", after: 1_795_208_645_123_000)
        ),
        ("list-entity-types", "Asks for the types of entities that apps have described.", ListEntityTypes()),
        (
            "describe-entity-types", "An app describes its notes.",
            DescribeEntityTypes([Sample.entityType])
        ),
        ("forget-entity-types", "An app was removed.", ForgetEntityTypes(of: "org.example.notes")),
        ("suggest-activities", "Asks what a person is likely to want.", SuggestActivities(most: 5)),
        (
            "donate", "An app tells what the person did in it.",
            DonateAction(
                app: "org.example.soup", donation, type: "OrderSoupIntent",
                change: {
                    var change = ActivityChange()
                    (change.title, change.set) = ("Order a soup", [.string("soup"): .string("tomato")])
                    return change
                }())
        ),
        (
            "delete-donations", "An app deletes two donations.",
            DeleteDonations(app: "org.example.soup", .identifiers(["soup-7", "soup-8"]))
        ),
        (
            "delete-donation-group", "An app deletes a group of donations.",
            DeleteDonations(app: "org.example.soup", .group("lunch"))
        ),
        (
            "delete-donations-about", "An app deletes an intent's donations about an entity.",
            DeleteDonations(
                app: "org.example.soup", .subject("Soup/tomato", group: "AppIntent:OrderSoup"))
        ),
        (
            "delete-all-donations", "An app deletes its donations.",
            DeleteDonations(app: "org.example.soup", .all)
        ),
        (
            "suggest-in-app", "An app asks what a person may mean.",
            SuggestSearches("re", most: 5, app: "org.example.notes")
        ),
        (
            "remember-search-in-app", "A search in an app led to something.",
            RememberSearch("report", in: "org.example.notes")
        ),
        ("forget-search", "Forgets one search.", ForgetSearches("annual report")),
        ("forget-searches", "Forgets all searches.", ForgetSearches()),
        (
            "explain-item", "Asks why a search for these words shows an item or not.",
            ExplainItem(app: "org.example.notes", "note-7", words: "annual rep")
        ),
        ("explain-activity", "Asks why a search shows an activity or not.", ExplainActivity("yhdcm49")),
        ("examine-app", "Asks what an app has indexed.", ExamineApp("org.example.notes", indexes: ["all"])),
        (
            "backup", "Writes a backup, and replaces no file.",
            WriteBackup(path: "/home/ada/laptop.baton", replaces: false)
        ),
        (
            "restore", "Looks at a backup before it is put back.",
            RestoreBackup(path: "/home/ada/laptop.baton", isConfirmed: false)
        ),
        ("accounts", "The accounts that stand in the home.", ListAccounts()),
        ("cancel-invitation", "Ends the open invitation.", CancelInvitation()),
        ("await-backup", "Answered when it has ended, or after some time.", AwaitBackup()),
    ]

    /// An attribute of a result.
    private static let titled: Fields = {
        var attributes = AttributeSet()
        attributes[.title] = .plain(.string("Annual report"))
        return attributes.fields
    }()

    private static func explained(
        _ outcome: SearchExplanation.Outcome, words: [String] = [], place: Int? = nil
    ) -> SearchExplanation {
        var explanation = SearchExplanation(
            outcome, title: "Annual report", app: "org.example.notes", index: "main")
        (explanation.words, explanation.place) = (words, place)
        return explanation
    }

    private static let donation = Donation(
        "soup-7", in: "lunch", at: WallTime(milliseconds: 1_795_208_645_123))
    private static let laptop = DeviceReference(identifier: Sample.laptop, name: "laptop", isHere: true)
    private static let desktop = DeviceReference(identifier: Sample.desktop, name: "desktop", isHere: false)
    private static let summary = ActivitySummary(
        identifier: Sample.activityName.key.identity.hash.description, device: laptop,
        app: "org.example.editor", instance: "window-1", activity: Sample.newerActivity,
        continuedOn: "desktop")
    private static let donated: ActivitySummary = {
        var activity = Activity(type: "OrderSoupIntent", started: donation.time)
        (activity.title, activity.eligibility) = ("Order a soup", .prediction)
        var summary = ActivitySummary(
            identifier: Sample.activityName.key.identity.hash.description, device: laptop,
            app: "org.example.soup", instance: "", activity: activity, continuedOn: nil)
        (summary.isPrivate, summary.donation) = (true, donation)
        return summary
    }()
    private static let connected = DeviceStatus(
        device: desktop, admitted: Sample.noon, isConnected: true, isInStep: true, seen: Sample.noon,
        addresses: ["192.0.2.7:4817"], trouble: nil)
    private static let backup = BackupDescription(
        path: "/home/ada/laptop.baton", bytes: 4_000_000, items: 1204, activities: 3, account: Sample.account,
        device: laptop, made: Sample.noon, build: "0.1.0")
    private static let away = DeviceStatus(
        device: desktop, admitted: Sample.noon, isConnected: false, isInStep: false, seen: nil,
        addresses: [], trouble: "nothing is known of where it is")
    private static let named: NodeStatus = {
        var status = NodeStatus(
            account: Sample.account, device: laptop, build: "0.1.0", process: 4242, listening: "[::]:4817",
            peers: [], troubles: [])
        status.accountName = "work"
        return status
    }()
    private static let revoked: DeviceStatus = {
        var status = away
        (status.isOwner, status.removed) = (true, Sample.noon)
        status.revocation = .init(date: Sample.noon, revoker: "laptop", isOfOwner: false)
        status.lastChange = .init(
            kind: .item, title: "Letter to Ann", isDeletion: false, made: Sample.noon, taken: Sample.noon,
            sender: laptop)
        status.received = ReceivedChanges(count: 3000, latest: Sample.noon)
        return status
    }()

    private static let departed: DeviceStatus = {
        var status = away
        (status.removed, status.hasLeft) = (Sample.noon, true)
        return status
    }()
    private static let departure: Departure = {
        var departure = Departure(
            account: Sample.account, device: laptop, folder: "/home/ada/accounts/default", isOwner: true,
            others: ["desktop"], leavesOwner: false)
        departure.told = ["desktop"]
        return departure
    }()
    private static let leftWithoutNode: Departure = {
        var departure = Departure(
            account: Sample.account, device: laptop, folder: "/home/ada/accounts/default", isOwner: false,
            others: nil, leavesOwner: false)
        (departure.remains, departure.isOut) = ("/home/ada/left", true)
        return departure
    }()

    static let replies: [(name: String, description: String, reply: any LocalReply)] = [
        ("devices-left", "A device that has left the account.", DevicesReply([departed])),
        ("departure", "An owner has left the account.", departure),
        ("departure-without-node", "A device has left where no node ran.", leftWithoutNode),
        (
            "promoted", "This device is an owner now.",
            Promotion(account: Sample.account, device: laptop, ends: Sample.noon, wasOwner: false)
        ),
        ("activity", "The activity as it is now.", summary),
        ("activities", "A part of the list, and more behind it.", ActivitiesReply([summary], isLast: false)),
        ("activities-none", "Nothing is going on.", ActivitiesReply([], isLast: true)),
        (
            "continued", "The state that the node of the activity's device gave.",
            ContinuedActivity(summary: summary, source: .node)
        ),
        (
            "continued-app", "The state that its app gave as it was taken over.",
            ContinuedActivity(summary: summary, source: .app, isTaken: true)
        ),
        (
            "continued-finished", "What was kept of it when it ended.",
            ContinuedActivity(summary: summary, source: .finished)
        ),
        (
            "changes", "One activity has changed, and one is gone.",
            ActivityChanges(number: 8, changed: [summary], gone: ["yhdcm49"])
        ),
        ("changes-anew", "The list is to be asked for.", ActivityChanges(number: 9, isAnew: true)),
        ("registrations", "One app.", RegistrationsReply([registration])),
        ("event-save", "The app is to save.", AppEvent.save(3, instance: "window-1")),
        (
            "event-was-continued", "It goes on elsewhere.",
            AppEvent.wasContinued(instance: "window-1", on: summary.device, isTaken: false)
        ),
        ("event-ended", "It was ended by somebody else.", AppEvent.ended(instance: "window-1")),
        (
            "event-continues", "The app is to go on with this.",
            AppEvent.continues(4, ContinuedActivity(summary: summary, source: .node))
        ),
        (
            "event-stream-wanted", "A pair of streams is wanted.",
            AppEvent.streamWanted(5, instance: "window-1", from: summary.device)
        ),
        (
            "event-opens-item", "The app is to open an item.",
            AppEvent.opens(
                6, instance: "window-1",
                .item(ItemName(app: "org.example.notes", index: "main", identifier: "note-7")))
        ),
        (
            "event-opens-search", "The app is to continue a search.",
            AppEvent.opens(
                7, instance: "window-1", .search(app: "org.example.notes", words: "annual report"))
        ),
        ("opened-by", "The app that opens it.", OpenedReply(registration)),
        (
            "stream-opened", "The connection carries streams from now on.",
            StreamReply(ContinuedActivity(summary: summary, source: .node))
        ),
        ("done", "It was done.", Done()),
        ("entity-types", "One type of entities.", EntityTypesReply([Sample.entityType])),
        (
            "continued-replica", "The state that was replicated last.",
            ContinuedActivity(summary: summary, source: .replica)
        ),
        (
            "status", "How the node is.",
            NodeStatus(
                account: Sample.account, device: laptop, build: "0.1.0", process: 4242,
                listening: "[::]:4817", peers: [connected], troubles: [])
        ),
        ("status-account", "The same, of an account with a name of its own.", named),
        (
            "accounts", "Two accounts, one of which can't be opened.",
            AccountsReply([
                AccountStatus(
                    name: "home", isDefault: false, account: Sample.account, devices: 2, connected: 1,
                    trouble: nil),
                AccountStatus(
                    name: "work", isDefault: false, account: nil, devices: 0, connected: 0,
                    trouble: "The identity is damaged."),
            ])
        ),
        ("invitation-cancelled", "The invitation is over.", CancelInvitationReply()),
        (
            "places", "A device that has connected, and the addresses at which it is looked for.",
            PlacesReply(
                desktop,
                [
                    KnownPlace("192.168.1.5:4817", .met),
                    KnownPlace("desktop.example:4817", .named, isNamed: true),
                    KnownPlace("10.0.0.5:4817", .told),
                ], connection: OpenConnection("192.168.1.5:50000", isDialled: false))
        ),
        (
            "probed", "A host name with two addresses, at one of which the device answers.",
            ProbeReply([
                ProbeAttempt(.reached(version: "0.1.0", clockLead: -250), at: "192.168.1.5:4817"),
                ProbeAttempt(.noAnswer(milliseconds: 5000), at: "[2001:db8::5]:4817"),
            ])
        ),
        (
            "probed-refused", "The device does not accept this one.",
            ProbeReply([ProbeAttempt(.refusedByDevice(code: 27, "that device was revoked"))])
        ),
        ("devices", "Two states of a device.", DevicesReply([connected, away])),
        ("devices-revoked", "An owner's device that was gone, and then revoked.", DevicesReply([revoked])),
        (
            "invitation", "A code, when it ends, and where to join.",
            OpenInvitationReply(
                code: "lemon-tiger-cloud", expires: Sample.noon,
                addresses: ["192.168.1.5:4817", "[2001:db8::5]:4817"])
        ),
        (
            "joining", "Who is joining, and the words to compare.",
            PairingNotice(name: "desktop", phrase: "green-wax-water", asksPerson: true)
        ),
        ("joined", "Who used the invitation.", InvitationReply.joined(desktop)),
        (
            "initialised", "An account was made; no node sends this over the socket.",
            NewAccountReply(Sample.account, laptop, recoveryCode: "abacus accent ahead")
        ),
        (
            "admitted", "This device joined an account; no node sends this over the socket.",
            AdmissionReply(Sample.account, laptop, inviter: desktop)
        ),
        (
            "found", "What a search found, the best first.",
            SearchReply(
                [
                    SearchResult(
                        .both(
                            FoundItem(
                                app: "org.example.notes", index: "main", identifier: "note-7",
                                domain: "work.reports", title: "Annual report",
                                summary: "All of the year's figures.", url: "https://example.org/note-7",
                                indexed: Sample.noon, expires: Sample.noon,
                                entity: Activity.Entity(type: "Note", identifier: "7")),
                            FoundActivity(
                                identifier: "yhdcm49q", app: "org.example.notes",
                                type: "org.example.notes.edit", title: "Annual report",
                                summary: "The first draft.", url: "https://example.org/note-7",
                                ended: Sample.noon, isHere: true)),
                        rank: ItemRank(text: 4.25, use: 1.5, hint: 1, freshness: 1.125),
                        devices: [laptop, desktop],
                        snippet: Snippet("… the annual figures of the report …", [8..<14, 30..<36])),
                    SearchResult(
                        .item(FoundItem(app: "org.example.notes", index: "main", identifier: "note-8"))),
                    SearchResult(
                        .activity(
                            FoundActivity(
                                identifier: "b2vm8r1k", app: "org.baton.shell", type: "org.baton.file",
                                ended: Sample.noon)), devices: [laptop]),
                ], isWhole: true, corrected: "annual report")
        ),
        (
            "suggestions", "An earlier search, a title and a word, with what was typed of them.",
            SuggestionsReply([
                SearchSuggestion("annual report", .search, typed: [0..<6, 7..<9]),
                SearchSuggestion("Résumé of the annual review", .title, typed: [16..<22, 23..<25]),
                SearchSuggestion("annual rest", .word, typed: [0..<6, 7..<9]),
            ])
        ),
        (
            "search-changes", "The second result comes first now, and another one behind it.",
            SearchChanges(
                number: 8,
                [
                    .same(1),
                    .other(
                        SearchResult(
                            .item(FoundItem(app: "org.example.notes", index: "main", identifier: "note-9")))),
                ], isWhole: true, corrected: "annual")
        ),
        (
            "search-page", "A page behind which others follow.",
            SearchPage(
                [
                    SearchResult(
                        .item(FoundItem(app: "org.example.notes", index: "main", identifier: "note-9")),
                        attributes: titled)
                ], isLast: false, isWhole: true)
        ),
        (
            "texts", "Texts whose meaning the node wants to know.",
            TextsReply([NumberedText(7, "Annual report\nFigures of the year"), NumberedText(8, "x")])
        ),
        (
            "explained", "Why a search shows things or not.",
            ExplanationReply([explained(.shown, place: 3), explained(.lacksWords, words: ["rep"])])
        ),
        (
            "suggested-activities", "What the person is likely to want, and why.",
            SuggestedActivitiesReply(
                [
                    SuggestedActivity(
                        summary, score: -1.25,
                        reasons: [
                            .follows(times: 5, of: 7),
                            .often(times: 12, mostly: WeekPart(.weekdays, .morning)),
                            .now(times: 9, of: 12),
                            .recent(WallTime(milliseconds: 1_795_208_645_123)),
                        ]),
                    SuggestedActivity(
                        summary, score: -2.5,
                        reasons: [
                            .elsewhere(WallTime(milliseconds: 1_795_208_645_123)), .device(times: 3),
                            .often(times: 1, mostly: nil),
                        ]),
                    SuggestedActivity(donated, score: -3, reasons: [.donated(donation.time)]),
                ], after: "Annual report")
        ),
        (
            "app-items", "The indexes of an app, two of which it is to index again.",
            AppItemsReply(
                1204, expired: 12,
                in: [
                    AppIndexStatus("default"),
                    AppIndexStatus(
                        "main", reindexing: .items(["note-7", "note-9"]), isHeard: true, hasItems: true),
                    AppIndexStatus("old", reindexing: .all),
                ])
        ),
        (
            "settling", "What is done before the digest is known.",
            DigestReply.settling(Unsettled(toMerge: 70_000, toClear: 250))
        ),
        ("working", "A file is being read.", BackupReply.working(bytes: 1_000_000, all: 4_000_000)),
        ("working-unknown", "A file is being written.", BackupReply.working(bytes: 1_000_000, all: nil)),
        ("backup", "A backup that was written.", BackupReply.backup(backup)),
        (
            "restored", "A backup that was put back.",
            BackupReply.restored(
                backup, replaced: ["/home/ada/accounts/default/index.sqlite.replaced-2026-01-02"])
        ),
        (
            "found-none", "Nothing yet, while the index of words is made anew.",
            SearchReply([], isWhole: false)
        ),
    ]
}
