import BatonCore
import BatonNode
import Support
import Testing

@Suite struct `Subjects of donations` {
    @Test func `select the donations about one thing, or those of one group`() throws {
        let node = try RunningNode.first(try TemporaryFolder())
        func donate(_ identifier: String, _ group: String, _ subjects: String...) throws {
            var change = ActivityChange()
            change.title = identifier
            _ = try node.ask(
                DonateAction(
                    app: "org.example.notes",
                    Donation(identifier, in: group, at: presentTime, about: subjects), type: "Open",
                    change: change)
            ).get()
        }
        func titles() throws -> Set<String> {
            Set(
                try node.ask(SuggestActivities(most: 10)).get().suggestions.compactMap {
                    $0.summary.activity.title
                })
        }
        try donate("one", "open", "Note/1")
        try donate("two", "open", "Note/2", "Note/1")
        try donate("three", "print", "Note/1")
        #expect(try titles() == ["one", "two", "three"])
        _ = try node.ask(DeleteDonations(app: "org.example.notes", .subject("Note/1", group: "print"))).get()
        #expect(try titles() == ["one", "two"])
        _ = try node.ask(DeleteDonations(app: "org.example.notes", .subject("Note/2", group: nil))).get()
        #expect(try titles() == ["one"])
    }
}
