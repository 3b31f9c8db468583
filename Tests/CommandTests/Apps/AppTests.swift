import Foundation
import Support
import Testing

/// `baton app`, used by programs in Python.
@Suite struct `Apps in any language` {
    private let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/notes.py").path

    @Test func `an app continues another machine's activity in its latest state`() throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        let writing = try laptop.begin(["python3", example, "shopping.txt"], hasInput: true)
        let reading = try desktop.begin(["python3", example], hasInput: true)
        try desktop.waitForActivity(titled: "shopping.txt")
        try eventually("an app that handles the type; \(reading.errors)") {
            try desktop.json("handlers")["handlers"].list.contains { $0["app"]["title"] == .string("Notes") }
        }
        // It is saved only on request.
        writing.write(Array("milk\n".utf8))
        try eventually("the text, fresh from its app; \(writing.errors)") {
            let continued = try desktop.json("continue", "org.example.notes.edit")
            return continued["source"] == .string("app")
                && continued["activity"]["info"]["text"] == .string("milk\n")
        }
        let answer = try desktop.must("continue", "org.example.notes.edit", "--take")
        #expect(answer.contains("fresh from its app on “laptop”"), "\(answer)")
        #expect(answer.hasSuffix("“shopping.txt” continues in Notes.\n"), "\(answer)")
        try eventually("both told; \(writing.output)\(reading.output)") {
            writing.output == "This note continues on desktop.\n"
                && reading.output == "Continuing shopping.txt: 'milk\\n'\n"
        }
        let list = try eventual("one activity, on the desktop") { () -> [JSONValue]? in
            let list = try laptop.list()
            return list.count == 1 && list[0]["device"]["name"] == .string("desktop") ? list : nil
        }
        #expect(list[0]["title"] == .string("shopping.txt"))
        // The activity ends with the program.
        reading.closeInput()
        #expect(try reading.wait() == 0)
        try laptop.waitForEnd(ofActivityTitled: "shopping.txt")
        writing.closeInput()
        #expect(try writing.wait() == 0)
    }

    @Test func `an app keeps its activity over a restart of the node, and its waiting command is answered`()
        throws
    {
        let laptop = try Account("laptop")[0]
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        app.write(Array(#"{"watch":true}"#.utf8) + [10])
        app.write(Array(#"{"become":{"type":"x","title":"T"},"id":1}"#.utf8) + [10])
        try laptop.waitForActivity(titled: "T")
        app.write(Array(#"{"update":{"title":"U"}}"#.utf8) + [10])
        try laptop.waitForActivity(titled: "U")
        laptop.killNode()
        try eventually("the loss is told: \(app.output)") { app.output.contains(#"{"event":"lost"}"#) }
        // Commands wait meanwhile.
        app.write(Array(#"{"update":{"info":{"n":1}},"id":2}"#.utf8) + [10])
        try laptop.startNode()
        try eventually("the same is current again: \(app.output)") {
            try laptop.list().map { $0["title"] } == [.string("U")]
                && app.output.contains(#"{"id":2,"activity""#)
        }
        #expect(app.output.contains(#"{"event":"back"}"#))
        app.closeInput()
        #expect(try app.wait() == 0)
        try laptop.waitForEnd(ofActivityTitled: "U")
    }

    @Test func `an app that ends while no node runs fails only if it has written lines after the node's end`()
        throws
    {
        let laptop = try Account("laptop")[0]
        let apps = try ["org.example.x", "org.example.y"].map { app in
            try laptop.begin(["baton", "app", app], hasInput: true)
        }
        for app in apps { app.write(Array(#"{"watch":true}"#.utf8) + [10]) }
        try eventually("both are connected") { apps.allSatisfy { $0.output.contains("{\"done\":true}") } }
        laptop.killNode()
        try eventually("the loss is told") { apps.allSatisfy { $0.output.contains(#"{"event":"lost"}"#) } }
        apps[0].closeInput()
        #expect(try apps[0].wait() == 0 && apps[0].errors.isEmpty, "\(apps[0].errors)")
        apps[1].write(Array(#"{"list":true}"#.utf8) + [10])
        apps[1].closeInput()
        #expect(try apps[1].wait() == 3 && apps[1].errors.contains("Its last lines were not sent."))
    }

    @Test func `an app gets an error for each malformed line, and can still index items`() throws {
        let laptop = try Account("laptop")[0]
        let lines = [
            "nonsense", #"{"index":{"item":"n1","title":"Apple pie"},"id":"i"}"#,
            #"{"index":[{"item":"n2","title":"Apple cake"}],"batch":1,"offset":0}"#,
            #"{"batch":1,"count":1,"state":"2"}"#,
            #"{"state":true,"id":"s"}"#, #"{"search":"cake","id":"f"}"#,
        ]
        let app = try laptop.begin(["baton", "app", "org.example.x"], hasInput: true)
        app.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        try eventually("all answers: \(app.output)") {
            app.output.split(separator: "\n").count == lines.count
        }
        app.closeInput()
        #expect(try app.wait() == 0)
        let answers = try app.output.split(separator: "\n").map { try JSONValue($0 + "\n") }
        #expect(answers[0]["line"] == .integer(1) && answers[0]["error"].string?.contains("column 1") == true)
        #expect(answers.contains { $0["id"] == .string("s") && $0["state"] == .string("2") }, "\(answers)")
        #expect(try laptop.json("search", "apple")["results"].list.count == 2)
        #expect(try laptop.baton("app", "").status == 2)
        laptop.killNode()
        expect(try laptop.baton("app", "org.example.x"), 3)
    }
}
