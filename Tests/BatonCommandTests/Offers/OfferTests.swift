import BatonCommand
import BatonCore
import BatonNetwork
import ClientSupport
import Testing

@Suite struct `Offers to continue here` {
    /// A decision, with its clock.
    private struct Stage {
        var decision = OfferDecision()
        var time = MonotonicTime(nanoseconds: 1_000_000_000_000)
        var changes: Int64 = 0

        /// Lets time pass.
        mutating func wait(_ time: Duration) { self.time = self.time + time }

        /// An activity that is changed now.
        mutating func change(
            _ identifier: String, on device: DeviceReference, title: String = "Report"
        ) -> ActivitySummary {
            changes += 1
            var summary = Example.summary(identifier, device: device, title: title)
            summary.activity.changed = Example.now.advanced(by: .milliseconds(changes))
            return summary
        }

        mutating func take(_ summaries: ActivitySummary...) -> ActivitySummary? {
            decision.receiveHappenings(summaries.map { .changed($0) }, at: time, Example.now)
        }

        /// Begins with a list of activities.
        mutating func list(_ summaries: ActivitySummary...) -> ActivitySummary? {
            decision.receiveHappenings([.anew] + summaries.map { .changed($0) }, at: time, Example.now)
        }
    }

    /// A decision to which the desktop's activity has just changed, and the laptop's long ago.
    private func begun() -> (Stage, ActivitySummary) {
        var stage = Stage()
        #expect(stage.list(stage.change("here", on: Example.laptop)) == nil)
        stage.wait(.seconds(3600))
        let there = stage.change("there", on: Example.desktop)
        #expect(stage.take(there) == nil)
        return (stage, there)
    }

    @Test func `a recent activity is offered when this machine is used after a pause`() {
        var (stage, there) = begun()
        stage.wait(.seconds(60))
        #expect(stage.take(stage.change("here", on: Example.laptop)) == there)
    }

    @Test func `an idle shell in the home folder is not offered`() {
        for (folder, isOffered) in [("~", false), ("~/src", true)] {
            var stage = Stage()
            _ = stage.list(stage.change("here", on: Example.laptop))
            stage.wait(.seconds(3600))
            var there = stage.change("there", on: Example.desktop, title: folder)
            (there.instance, there.activity.info) = ("prompt-7-1", [.string("folder"): .string(folder)])
            #expect(stage.take(there) == nil)
            stage.wait(.seconds(60))
            let offer = stage.take(stage.change("here", on: Example.laptop))
            #expect(offer == (isOffered ? there : nil), "\(folder)")
        }
    }

    @Test func `nothing is offered while this machine is in use`() {
        var stage = Stage()
        _ = stage.list(stage.change("here", on: Example.laptop))
        for number in 0..<20 {
            stage.wait(.seconds(290))
            #expect(stage.take(stage.change("there\(number)", on: Example.desktop)) == nil)
            #expect(stage.take(stage.change("here", on: Example.laptop)) == nil)
        }
    }

    @Test func `an activity that is not recent is not offered`() {
        var (stage, _) = begun()
        stage.wait(.seconds(601))
        #expect(stage.take(stage.change("here", on: Example.laptop)) == nil)
    }

    @Test func `an activity is offered once, and at most one offer is made in five minutes`() {
        var (stage, there) = begun()
        #expect(stage.take(stage.change("here", on: Example.laptop)) == there)
        stage.wait(.seconds(3600))
        #expect(stage.take(stage.change("there", on: Example.desktop)) == nil)
        #expect(stage.take(stage.change("here", on: Example.laptop)) == nil)
        // The same shell in another folder is another thing.
        stage.wait(.seconds(3600))
        let moved = stage.change("there", on: Example.desktop, title: "Other")
        #expect(stage.take(moved) == nil)
        #expect(stage.take(stage.change("here", on: Example.laptop)) == moved)
        var sent = stage.change("sent", on: Example.desktop)
        sent.isSentHere = true
        #expect(stage.take(sent) == nil)
    }

    @Test func `an activity that is hidden, private, ended, continued here or a copy is not offered`() {
        func offered(_ body: (inout ActivitySummary) -> Void) -> ActivitySummary? {
            var (stage, _) = begun()
            var there = stage.change("there", on: Example.desktop)
            body(&there)
            _ = stage.take(there)
            return stage.take(stage.change("here", on: Example.laptop))
        }
        #expect(offered { _ in } != nil)
        #expect(offered { $0.isForgotten = true } == nil)
        #expect(offered { $0.isPrivate = true } == nil)
        #expect(offered { $0.departure = .revoked } == nil)
        #expect(offered { $0.activity.finished = Example.now } == nil)
        #expect(
            offered {
                $0.activity.continuation = .init(device: Example.laptop.identifier, time: Example.now)
            } == nil)
        #expect(
            offered {
                let changed = $0.activity.changed
                $0.activity = Activity(type: Activity.clipboardType, started: Example.now)
                $0.activity.changed = changed
            } == nil)
        var (stage, there) = begun()
        #expect(stage.decision.receiveHappenings([.gone(there)], at: stage.time, Example.now) == nil)
        #expect(stage.take(stage.change("here", on: Example.laptop)) == nil)
    }

    @Test func `a continuation by another machine does not count as use of this machine`() {
        var (stage, there) = begun()
        var here = stage.change("here", on: Example.laptop)
        #expect(stage.take(here) == there)
        (stage, _) = begun()
        here = stage.change("here", on: Example.laptop)
        _ = stage.list(here)
        stage.wait(.seconds(3600))
        _ = stage.take(stage.change("there", on: Example.desktop))
        here.activity.continuation = .init(device: Example.desktop.identifier, time: Example.now)
        #expect(stage.take(here) == nil)
    }

    @Test func `an activity that was sent here is offered immediately`() {
        var stage = Stage()
        _ = stage.list(stage.change("here", on: Example.laptop))
        var sent = stage.change("sent", on: Example.desktop)
        sent.isSentHere = true
        #expect(stage.take(sent) == sent)
        #expect(stage.take(sent) == nil)
    }

    // MARK: Texts

    @Test(arguments: [
        ("$(reboot)", "“$(reboot)”, on “desktop”"), ("-c", "“-c”, on “desktop”"),
        ("--hint=x", "“--hint=x”, on “desktop”"),
        ("a\nb", "“a\\\\nb”, on “desktop”"), ("+!sh", "“+!sh”, on “desktop”"),
        ("<b>x</b> & y", "“&lt;b&gt;x&lt;/b&gt; &amp; y”, on “desktop”"),
        ("a\\x41\\n", "“a\\\\x41\\\\n”, on “desktop”"), ("\u{1b}[2J", "“\\\\u{1b}[2J”, on “desktop”"),
    ]) func `a hostile title can't become an option, markup or an escape sequence`(
        title: String, body: String
    ) {
        let words = OfferText(Example.summary(title: title)).words(withAction: true)
        #expect(
            words == [
                "notify-send", "--app-name=Baton", "--expire-time=20000", "--action=continue=Continue", "--",
                "Continue here?", body,
            ])
    }

    @Test func `without an action the notification names the command to type, and a long title is cut`() {
        let words = OfferText(Example.summary(title: String(repeating: "x", count: 999))).words(
            withAction: false)
        #expect(!words.contains { $0.hasPrefix("--action") })
        #expect(words.last?.hasSuffix("x…”, on “desktop”\nType: baton continue k3v9q2m") == true)
        #expect(words.last.map { $0.count < 300 } == true)
    }
}
