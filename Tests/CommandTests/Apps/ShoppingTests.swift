import Foundation
import Support
import Testing

/// Examples/shopping.py, whose items and intents are declared in lines of JSON.
@Suite struct `A program in Python with intents` {
    private let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/shopping.py").path

    @Test func `its intents are run by name and by phrase, and its entities are found`() throws {
        let laptop = try Account("laptop")[0]
        let declared = try laptop.type(["python3", example])
        #expect(declared.status == 0 && declared.errors.isEmpty, "\(declared)")
        #expect(try laptop.must("intents", "shopping").contains("--item"))
        let added = try laptop.must("run", "shopping", "Add", "--item", "milk", "--count", "2")
        #expect(added == "2 of milk on the list.\n")
        #expect(try laptop.must("do", "put bread on my shopping list").hasPrefix("1 of bread"))
        try eventually("both items in the index") {
            try laptop.json("find", "Item", "--sort", "name")["entities"].list.map { $0["id"] }
                == [.string("bread"), .string("milk")]
        }
        let many = try laptop.json("find", "Item", "--where", "count > 1")["entities"].list
        #expect(many.map { $0["id"] } == [.string("milk")])
        let asked = try laptop.baton("run", "shopping", "Buy", "--item", "tea")
        #expect(asked.status == 2 && asked.errors.contains("Shopping asks: Which item?"), "\(asked)")
        #expect(asked.errors.contains("VALUE is one of: milk, bread."), "\(asked)")
        #expect(try laptop.must("open", "Item", "bread") == "1 of bread on the list.\n")
        #expect(try laptop.must("run", "shopping", "Buy", "--item", "milk") == "Bought: milk.\n")
        try eventually("one item in the index") {
            try laptop.json("find", "Item")["entities"].list.map { $0["id"] } == [.string("bread")]
        }
    }

    @Test func `its entities are found by their properties on a machine that never ran it`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        #expect(try laptop.type(["python3", example]).status == 0)
        for (item, count) in [("milk", "2"), ("bread", "1"), ("tea", "3")] {
            try laptop.must("run", "shopping", "Add", "--item", item, "--count", count)
        }
        try eventually("the items on the desktop") {
            let found = try desktop.baton("find", "Item", "--where", "count > 1", "--sort", "-name", "--json")
            let lines = found.output
            guard let tea = lines.range(of: #""id":"tea""#), let milk = lines.range(of: #""id":"milk""#)
            else {
                return false
            }
            return tea.lowerBound < milk.lowerBound && !lines.contains("bread")
        }
        #expect(try desktop.must("intents").hasPrefix("No app of this machine has intents."))
        try laptop.must("intents", "--forget", "org.example.shopping")
        try eventually("an unknown type on the desktop") {
            try desktop.baton("find", "Item", "--where", "count > 1").status == 11
        }
    }

    @Test func `an intent is performed without a node, and declaring needs one`() throws {
        let laptop = try Account("laptop")[0]
        #expect(try laptop.type(["python3", example]).status == 0)
        laptop.killNode()
        #expect(try laptop.must("run", "shopping", "Add", "--item", "tea").hasPrefix("1 of tea"))
        #expect(try laptop.type(["python3", example]).errors.contains("baton: "))
    }
}
