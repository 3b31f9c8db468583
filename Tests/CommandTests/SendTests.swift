import Support
import Testing

/// `baton send`, from one machine to another.
@Suite struct `Sending an activity` {
    @Test func `a sent activity is listed first on the other machine until it is continued there`() throws {
        let account = try Account("laptop", "desktop", "tablet")
        let (laptop, desktop, tablet) = (account[0], account[1], account[2])
        try laptop.must("start", "org.example.edit", "--instance", "sent", "--title", "Sent")
        try laptop.must("start", "org.example.edit", "--instance", "later", "--title", "Later")
        for machine in [desktop, tablet] {
            try machine.waitForActivity(titled: "Sent")
            try machine.waitForActivity(titled: "Later")
        }
        #expect(try desktop.json("continue", "--no-handler")["activity"]["title"] == .string("Later"))
        let answer = try laptop.must("send", "desktop", "--instance", "sent")
        #expect(answer.firstMatch(of: /^“Sent” \([0-9a-z]+\) is offered on desktop\.\n$/) != nil, "\(answer)")
        // A later change of another activity does not go before it.
        try laptop.must("update", "--instance", "later", "--title", "Latest")
        try desktop.waitForActivity(titled: "Latest")
        try tablet.waitForActivity(titled: "Latest")
        try eventually("a desktop that was told") {
            try desktop.waitForActivity(titled: "Sent")["sentHere"] == .boolean(true)
        }
        let lines = try desktop.must("list").split(separator: "\n")
        #expect(lines.filter { $0.hasSuffix("  sent to you") }.count == 1, "\(lines)")
        #expect(lines.contains { $0.contains("  Sent  ") && $0.hasSuffix("  sent to you") }, "\(lines)")
        try eventually("a tablet that knows of it, and to which it was not sent") {
            try tablet.waitForActivity(titled: "Sent")["sent"] != .null
        }
        #expect(try !tablet.must("list").contains("sent to you"))
        #expect(try tablet.json("continue", "--no-handler")["activity"]["title"] == .string("Latest"))
        let continued = try desktop.must("continue", "--no-handler")
        #expect(continued.hasPrefix("“Sent”\n"), "\(continued)")
        try eventually("its end") { try !desktop.must("list").contains("sent to you") }
        #expect(try desktop.json("continue", "--no-handler")["activity"]["title"] == .string("Latest"))
    }

    @Test func `baton send reports an unknown device or activity`() throws {
        let account = try Account("laptop", "desktop")
        let laptop = account[0]
        let nothing = try laptop.baton("send", "desktop")
        #expect(nothing.status == 11 && nothing.errors.contains("This shell has no activity"), "\(nothing)")
        try laptop.must("start", "org.example.edit", "--instance", "w", "--title", "Draft")
        let nobody = try laptop.baton("send", "nobody", "--instance", "w")
        expect(nobody, 11, advice: "baton devices")
        let itself = try laptop.baton("send", "laptop", "--instance", "w")
        expect(itself, 2, advice: "baton devices")
        try laptop.must("private", "on")
        let kept = try laptop.baton("send", "desktop", "--instance", "w")
        #expect(kept.status != 0 && kept.advice.contains { $0.hasPrefix("baton private off") }, "\(kept)")
    }
}
