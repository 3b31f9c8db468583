import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Support
import Testing

@testable import BatonNode

/// The parts of an account that know activities, without a connection.
@Suite struct `The parts of an account for activities` {
    /// An account with these parts, and an app that has an activity.
    private struct Stage {
        let stage: AccountStage
        let parts: ActivityParts
        let app = AppEvents()
        let name: ActivityName

        init() throws {
            stage = try AccountStage()
            parts = stage.activityParts()
            name = ActivityName(device: stage.device, app: "org.example", instance: "1")
        }

        /// Starts an activity, and waits until it is stored.
        func start(_ title: String, lifetime: ActivityLifetime = .connection) throws {
            var activity = Activity(type: "org.example.edit", started: .now)
            activity.title = title
            activity.eligibility = [.handoff, .search, .prediction]
            let failure: StoreFailure? = try stage.answer(to: "a start") { then in
                parts.own.start(name, activity, lifetime: lifetime, by: app) { then($0) }
            }
            #expect(failure == nil)
        }

        /// The outputs of this device's activities so far.
        func outputs() -> [OwnActivities.Output] {
            var outputs: [OwnActivities.Output] = []
            while let output = parts.own.nextOutput() { outputs.append(output) }
            return outputs
        }
    }

    @Test func `report that an activity began, and whether searches may find it`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        let changed = stage.outputs().compactMap { output -> Bool? in
            if case .changed(stage.name, let isSearched) = output { isSearched } else { nil }
        }
        #expect(changed.contains(true))
        #expect(stage.parts.own.app(of: stage.name) === stage.app)
        #expect(stage.parts.own.isShared(stage.name))
    }

    @Test func `end an activity that is bound to an app's connection when that connection ends`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        stage.parts.own.handleEnd(of: AppEvents())
        #expect(stage.parts.own.activity(stage.name) != nil)
        stage.parts.own.handleEnd(of: stage.app)
        #expect(stage.parts.own.activity(stage.name) == nil)
    }

    @Test func `carry the activities of connected apps over to a new state of the account`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        let carried = CarriedApps(of: stage.parts, [stage.app])
        #expect(carried.activities.map(\.name) == [stage.name])
        stage.app.end()
        #expect(carried.present.isEmpty && carried.activities.isEmpty)
    }

    @Test func `list the current activities of this device`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        let page: Result<ActivityReader.Page, LocalFailure> = try stage.stage.answer(to: "a list") { then in
            stage.parts.all.read({ (reader) throws(StoreFailure) in
                .success(try reader.page(ListActivities()))
            }) {
                then($0)
            }
        }
        let listed = try page.get().activities
        #expect(listed.map(\.activity.title) == ["a letter"])
        #expect(listed.map { stage.parts.all.summary($0).device.isHere } == [true])
        #expect(stage.parts.count.troubles.isEmpty)
    }

    @Test func `answer a watcher once an activity has changed`() throws {
        let stage = try Stage()
        let session = ObjectIdentifier(stage.app)
        let first: Result<ActivityChanges, LocalFailure> = try stage.stage.answer(to: "the list") { then in
            stage.parts.watching.watch(after: nil, by: session) { then($0) }
        }
        let number = try first.get().number
        var answered: Result<ActivityChanges, LocalFailure>?
        stage.parts.watching.watch(after: number, by: session) { answered = $0 }
        // The change is reported before the store has it.
        stage.stage.committed = { _ in }
        try stage.start("a letter")
        for case .changed(let name, _) in stage.outputs() { stage.parts.watching.noteOwn(name) }
        stage.stage.wait(for: "a change") { answered != nil }
        #expect(try answered?.get().changed.map(\.activity.title) == ["a letter"])
    }

    @Test func `suggest a donated action until it is removed`() throws {
        let stage = try Stage()
        let donation = Donation("a", at: .now)
        var activity = Activity(type: "org.example.order", started: .now)
        activity.title = "coffee"
        activity.eligibility = [.prediction]
        stage.parts.suggested.donate(donation, of: activity, by: "org.example") { #expect($0 == nil) }
        #expect(try suggestions(stage) == ["coffee"])
        stage.parts.suggested.removeDonations(.all, of: "org.example") { #expect($0 == nil) }
        #expect(try suggestions(stage).isEmpty)
    }

    private func suggestions(_ stage: Stage) throws -> [String?] {
        let reply: Result<SuggestedActivitiesReply, LocalFailure> = try stage.stage.answer(to: "suggestions")
        {
            then in stage.parts.suggested.suggest(5) { then($0) }
        }
        return try reply.get().suggestions.map(\.summary.activity.title)
    }

    @Test func `hand over an activity, which then ends here`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        let taker = DeviceIdentifier(high: 8, low: 9)
        let outcome: Handoff.Outcome = try stage.stage.answer(to: "a hand-over") { then in
            Handoff(
                stage.name, of: stage.parts.own, in: stage.stage.core, to: taker, takes: true,
                step: .whole, type: nil
            ) { then($0) }.begin()
        }
        guard case .handed(let activity, isSaved: false) = outcome else {
            Issue.record("not handed: \(outcome)")
            return
        }
        #expect(activity.title == "a letter")
        #expect(stage.parts.own.activity(stage.name) == nil)
        #expect(stage.parts.own.taker(of: stage.name.identity) == taker)
    }

    @Test func `let searches find current activities`() throws {
        let stage = try Stage()
        try stage.start("a letter")
        let peers = stage.stage.peers()
        let core = stage.stage.core
        let view = SearchView(of: core, stage.stage.directory(peers), stage.parts.own, stage.parts.all)
        let thread = SearchThread(
            folder: core.folder, store: core.store, on: core.loop, restPause: .seconds(60), log: core.log)
        let searches = AccountSearches(thread, view, of: core, stage.parts.own)
        let result: Result<SearchFinding, StoreFailure> = try stage.stage.answer(to: "a search") {
            then in
            thread.find("letter", most: 5, in: view.scope(), for: SearchWish()) { then($0) }
        }
        let reply = try view.reply(to: result, of: SearchFilter()).get()
        #expect(reply.results.count == 1)
        #expect(reply.results.first?.devices.map(\.isHere) == [true])
        searches.close()
        thread.close()
        thread.finish()
    }
}
