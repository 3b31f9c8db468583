import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

/// `baton doctor --app`.
@Suite struct `The state of an app` {
    private static let app = "org.example.notes"

    private static func manifest(_ text: String) throws -> AppManifest {
        try AppManifest(app, Array(text.utf8))
    }

    private static func state(
        running: [AppRegistration] = [], _ manifest: Result<AppManifest?, LocalFailure> = .success(nil),
        _ items: AppItemsReply = AppItemsReply(0, in: [AppIndexStatus("default")])
    ) -> [Finding] {
        AppState(app, running, manifest, items, options: " --home /a").findings
    }

    @Test func `an app is reported as running, declared, not startable, unregistered or faulty`() throws {
        let types = ["org.example.edit", "org.example.draw"]
        let running = [
            AppRegistration(AppName(app: Self.app, instance: "4711"), types: types),
            AppRegistration(AppName(app: "org.example.other", instance: "1"), types: ["org.example.other"]),
        ]
        let declared = try Self.manifest("{ types: ['org.example.edit'], run: ['/usr/bin/notes', '-q'] }")
        let unstartable = try Self.manifest("{ types: ['org.example.edit'] }")
        let failure = LocalFailure(.usage, "notes.json:1: no program.")
        let findings = [
            Self.state(running: running, .success(declared)), Self.state(.success(declared)),
            Self.state(.success(unstartable)), Self.state(), Self.state(.failure(failure)),
        ].map { $0[0] }
        #expect(
            findings.map(\.outcome) == ["running", "declared", "unstartable", "unregistered", "faulty"])
        #expect(findings.map(\.mark) == [.ok, .ok, .warning, .warning, .problem])
        #expect(
            findings[0].found.text == "is running (4711) and continues org.example.draw, org.example.edit")
        #expect(
            findings[1].found.text
                == "is not running; its manifest starts /usr/bin/notes and continues org.example.edit")
        #expect(findings[4].found.text == "its manifest can't be used: notes.json:1: no program.")
        #expect(findings.allSatisfy { $0.check == .app && $0.subject.text == Self.app })
        var current = Example.summary(device: Example.laptop)
        current.app = Self.app
        let offering = AppState(
            Self.app, [], .success(nil), AppItemsReply(0, in: []), current: [current], options: "")
        #expect(offering.findings[0].found.text == "is running (console) and continues no activities")
        #expect(offering.activityFindings.map(\.outcome) == ["held", "offered", "unsearchable"])
        let bare = [AppRegistration(AppName(app: Self.app, instance: "1"), types: [])]
        #expect(Self.state(running: bare)[0].found.text == "is running (1) and continues no activities")
    }

    @Test func `the declaration of an app is right, or says which program or file is missing`() throws {
        func findings(_ declaration: Result<IntentManifest?, LocalFailure>) -> [Finding] {
            AppState(
                Self.app, [], .success(nil), AppItemsReply(0, in: []), declaration: declaration, options: ""
            ).findings
        }
        var cafe = Example.cafe()
        let right = findings(.success(cafe))
        #expect(right.map(\.outcome) == ["performing", "declared", "none"])
        #expect(right[1].mark == .ok && right[1].check == .intents)
        #expect(right[1].found.text == "4 intents and 1 type of entities, performed by /bin/true")
        cafe.program = ["/bin/sh", "/nonexistent/cafe.sh"]
        let incomplete = findings(.success(cafe))[1]
        #expect(incomplete.outcome == "incomplete" && incomplete.mark == .warning)
        #expect(incomplete.found.text.hasSuffix("but /nonexistent/cafe.sh does not exist"))
        #expect(incomplete.advice?.text.contains("baton intents --forget org.example.cafe") == true)
        cafe.program = ["/nonexistent/cafe"]
        let unstartable = findings(.success(cafe))[1]
        #expect(unstartable.outcome == "unstartable" && unstartable.mark == .problem)
        let faulty = findings(.failure(LocalFailure(.usage, "cafe.json can't be used.")))
        #expect(faulty.map(\.outcome) == ["unregistered", "faulty", "none"])
        #expect(findings(.success(nil)).map(\.outcome) == ["unregistered", "none"])
    }

    @Test func `an app's items are counted, and each reindexing request has a line`() throws {
        #expect(Self.state()[1].outcome == "none" && Self.state().count == 2)
        var items = AppItemsReply(
            1204,
            in: [
                AppIndexStatus("default"),
                AppIndexStatus("main", reindexing: .items(["1", "2"]), isHeard: true),
                AppIndexStatus("old", reindexing: .all),
            ])
        let unstarted = Self.state(.success(nil), items).dropFirst()
        #expect(unstarted.map(\.outcome) == ["indexed", "reindexing", "unheard"])
        #expect(unstarted.map(\.mark) == [.ok, .note, .warning])
        #expect(
            unstarted.map(\.found.text) == [
                "1204 items; its indexes: default, main, old",
                "the app has been asked to index 2 items again",
                "everything should be indexed again, but no running program of the app waits for this request",
            ])
        #expect(unstarted.last?.advice?.text == "Start the app.")
        items.expiredCount = 12
        #expect(
            Self.state(.success(nil), items)[1].found.text
                == "1204 items, of which 12 have expired; its indexes: default, main, old")
        let declared = try Self.manifest("{ reindex: ['/usr/bin/notes-index'] }")
        #expect(
            Self.state(.success(declared), items).last?.advice?.text
                == "Type `baton index reindex org.example.notes --pending --home /a` to start the app for it."
        )
    }

    @Test func `a current activity is reported as held here or elsewhere, hidden, private or ineligible`() {
        let outcomes = { (change: (inout ActivitySummary) -> Void) in
            var summary = Example.summary(device: Example.laptop)
            change(&summary)
            return summary.findings(options: "").map(\.outcome)
        }
        #expect(outcomes { _ in } == ["held", "offered", "unsearchable"])
        #expect(
            outcomes {
                $0.isForgotten = true
                $0.isPrivate = true
                $0.activity.eligibility = [.handoff, .search]
            } == ["held", "hidden", "private", "searchable"])
        #expect(outcomes { $0.activity.eligibility = [.search] } == ["held", "ineligible", "searchable"])
        #expect(
            Example.summary().findings(options: "").map(\.outcome) == [
                "elsewhere", "offered", "unsearchable",
            ])
        let held = Example.summary(device: Example.laptop).findings(options: "")[0]
        #expect(
            held.subject.text == "“Report”"
                && held.found.text == "is current in its app on this machine (console)"
        )
    }

    /// A node that knows an item and an activity of the app.
    private static func node(_ outcome: SearchExplanation.Outcome = .unknown) throws -> FakeNode {
        try FakeNode { call in
            switch call {
            case is ExamineApp: .reply(AppItemsReply(1, in: [AppIndexStatus("default")]))
            case is ListActivities: .reply(ActivitiesReply([Example.summary()], isLast: true))
            case is ExplainItem, is ExplainActivity:
                .reply(ExplanationReply([SearchExplanation(outcome, title: "Report", app: app)]))
            default: nil
            }
        }
    }

    private func outcomes(_ typed: Typed) throws -> [String] {
        try typed.output.split(separator: "\n").compactMap {
            try JSON(reading: Array($0.utf8))["outcome"]?.string
        }
    }

    @Test func `doctor --app reports on the app, and on the item or activity that is named`() throws {
        let typed = Typed(try Self.node(), "doctor", "--app", Self.app, "--json")
        #expect(typed.status == 0 && typed.errors.isEmpty, "\(typed)")
        #expect(try outcomes(typed) == ["unregistered", "indexed", "idle"])
        for (outcome, status) in [(SearchExplanation.Outcome.shown, 0), (.expired, 21), (.unknown, 21)] {
            let typed = Typed(try Self.node(outcome), "doctor", "--app", Self.app, "note-7", "--json")
            #expect(typed.status == Int32(status), "\(typed)")
            #expect(
                try outcomes(typed)
                    == ["unregistered", "indexed", outcome == .shown ? "shown" : "\(outcome)"])
        }
        // The activity is one of another app.
        let other = Typed(try Self.node(.unknown), "doctor", "--app", Self.app, "k3v9q", "--json")
        #expect(try outcomes(other).last == "unknown", "\(other)")
        let own = Typed(try Self.node(.unknown), "doctor", "--app", "org.baton.shell", "K3V9Q", "--json")
        #expect(
            try outcomes(own) == ["unregistered", "indexed", "elsewhere", "offered", "unsearchable"], "\(own)"
        )
    }

    @Test(arguments: [["--app", ""], ["--app", "a", "--item", "b"], ["--app", "a", "--words", "w"]])
    func `doctor --app is refused without an app, and with --item or --words`(words: [String]) throws {
        let node = try FakeNode { _ in nil }
        let typed = Typed(["doctor"] + words + ["--home", node.folder.path])
        #expect(typed.status == 2 && !typed.errors.isEmpty, "\(typed)")
        #expect(node.calls.isEmpty)
    }
}
