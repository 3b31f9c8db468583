import BatonClient
import BatonCommand
import BatonCore
import BatonTerminal
import ClientSupport
import Foundation
import Support
import Synchronization
import Testing

/// `baton run` with programs that perform intents in lines of JSON; the programs are scripts of the shell.
@Suite struct `Intents in lines of JSON` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The manifest of a program that runs a script for each intent.
    private func shop(_ script: String) -> IntentManifest {
        var shop = IntentManifest(app: "org.example.shop", title: "Shop", program: ["/bin/sh", "-c", script])
        shop.speaksLines = true
        var order = DeclaredIntent(name: "Order", title: "Order")
        let thing = DeclaredParameter(name: "thing", title: "Thing", type: DeclaredValueType(.text))
        var count = DeclaredParameter(name: "count", title: "Count", type: DeclaredValueType(.integer))
        (count.standard, count.range) = ("1", ("1", "99"))
        var gift = DeclaredParameter(name: "gift", title: "Gift", type: DeclaredValueType(.flag))
        gift.type.isOptional = true
        order.parameters = [thing, count, gift]
        shop.intents = [order]
        return shop
    }

    /// A script that writes each request to a file, and answers it by the next of these lines.
    private func answering(_ answers: String...) -> String {
        answers.map {
            "read -r request; printf '%s\\n' \"$request\" >> '\(requests)'; printf '%s\\n' '\($0)'"
        }
        .joined(separator: "; ")
    }

    private var requests: String { folder.path + "/requests" }

    /// The requests that a script has written to the file.
    private var sent: [JSON] {
        get throws {
            try (File.read(requests) ?? "").split(separator: "\n").map { try JSON(reading: Array($0.utf8)) }
        }
    }

    /// Types `baton run` where nobody can be asked.
    private func perform(_ script: String, _ words: String...) throws -> Typed {
        let node = try FakeNode { _ in nil }
        try IntentManifestFile.write(shop(script), in: try node.home)
        return Typed(["run", "--home", node.folder.path] + words)
    }

    @Test func `a program gets all parameters with their types, and its dialog and result are printed`()
        throws
    {
        let run = try perform(
            answering(#"{"performed": 1, "dialog": "Ordered.", "result": 7}"#), "shop", "Order", "--thing",
            "milk", "--gift=yes")
        #expect(run.status == 0 && run.output == "Ordered.\n7\n" && run.started.isEmpty, "\(run)")
        #expect(
            try sent.map(\.text) == [
                #"{"event":"perform","number":1,"intent":"Order","parameters":{"thing":"milk","count":1,"gift":true}}"#
            ])
    }

    @Test func `the result is printed as JSON with the keys that apps print`() throws {
        let run = try perform(
            answering(#"{"performed": 1, "dialog": "Ordered."}"#), "--json", "shop", "Order", "--thing=milk")
        #expect(
            run.output
                == #"{"intents":["Order"],"value":null,"title":null,"dialogs":["Ordered."],"foreground":false}"#
                + "\n", "\(run)")
    }

    @Test func `a yes-or-no parameter needs no value, and others are left empty by --no`() throws {
        let run = try perform(
            answering(#"{"performed": 1}"#), "shop", "Order", "--gift", "--thing", "milk")
        #expect(run.status == 0, "\(run)")
        #expect(
            try perform(answering(#"{"performed": 1}"#), "shop", "Order", "--no-gift", "--thing=x").status
                == 0)
        let off = try perform(answering(#"{"performed": 1}"#), "shop", "Order", "--THING=x", "--gift", "off")
        #expect(off.status == 0, "\(off)")
        #expect(try sent.map { $0["parameters"]?["gift"]?.boolean } == [true, false, false])
    }

    @Test func `JSON may be asked for, and help, after the intent, too`() throws {
        let json = try perform(
            answering(#"{"performed": 1, "result": [1]}"#), "shop", "Order", "--thing=milk", "--json")
        #expect(json.output.hasPrefix(#"{"intents":["Order"],"value":[1],"#), "\(json)")
        let help = try perform("exit 9", "shop", "Order", "--help")
        #expect(help.status == 0 && help.output.contains("--thing text  Thing"), "\(help)")
        #expect(help.output.contains("[--count] integer  Count, from 1 to 99 (1)"), "\(help)")
    }

    @Test(arguments: [
        (["--thing"], 2, "--thing needs a value"),
        (["--thing", "--count", "2"], 2, "Write one that begins with -- as --thing=VALUE."),
        (["--thing=x", "--no-thing"], 2, "--no-thing contradicts --thing."),
        (["--no-thing"], 2, "--no-thing is not possible: thing needs a value."),
        (["--thing=x", "--no-count"], 2, "--no-count is not possible"),
        (["--thing=x", "--gift=perhaps"], 2, "Use yes or no."),
        (["--thng=x"], 2, "Did you mean --thing?"),
        (["--thing=x", "--count=many"], 2, "a whole number from 1 to 99"),
        (["--thing=x", "--count=100"], 2, "a whole number from 1 to 99"),
        (["--thing=x", "--thing=y"], 2, "--thing is given twice, and takes one value"),
        (["--count=2"], 2, "No values for “thing”. Add --thing VALUE."),
    ])
    func `mistakes of the person are explained, and the program is not started`(
        words: [String], status: Int32, text: String
    ) throws {
        let node = try FakeNode { _ in nil }
        try IntentManifestFile.write(shop("touch '\(requests)'"), in: try node.home)
        let typed = Typed(["run", "--home", node.folder.path, "shop", "Order"] + words)
        #expect(typed.status == status && typed.errors.contains(text), "\(typed)")
        #expect(File.read(requests) == nil)
    }

    @Test(arguments: [
        (#"printf '%s\n' '{"performed": 1, "error": "Sold out."}'"#, "baton: Sold out."),
        ("exit 3", "Shop ended with status 3 before it had answered."),
        ("kill -9 $$", "Shop was ended by signal 9 before it had answered."),
        ("exec >&-; read -r request; read -r other", "Shop ended with status 1 before it had answered."),
        ("echo hello", "(column 1)): hello"),
        (#"printf '%s\n' '{"performed": 2}'"#, "`performed` is 2, and the request was 1"),
        (#"printf '%s\n' '{"performed": 1, "reslt": 3}'"#, "did you mean `result`?"),
        (#"printf '%s\n' '{"performed": 1, "result": 1, "error": "x"}'"#, "can't be in one answer"),
        (#"printf '%s\n' '{"performed": 1, "ask": "colour"}'"#, "`colour`, which is no parameter of Order"),
        (#"printf '%s\n' '{"performed": 1, "text": "x"}'"#, "`text` needs an `ask`"),
        (#"printf '%s\n' '{"performed": 1, "error": "Sold out."}'; exit 4"#, "baton: Sold out."),
        (#"printf '%s\n' '{"performed": 1, "ask": "count", "choices": [{"name": "x"}]}'"#, "the choice “x”"),
        (#"printf '%s\n' '{"performed": 1, "ask": "count", "text": "How many?"}'"#, "Shop asks: How many?"),
        (#"printf '%s\n' '{"performed": 1}' '{"performed": 1}'"#, "answered one request twice"),
        (#"printf '%s\n' '{"performed": 1}'; exit 4"#, "answered, and then ended with status 4"),
    ])
    func `a program that fails or answers wrongly is an error that says how`(script: String, text: String)
        throws
    {
        let run = try perform(script, "shop", "Order", "--thing=milk")
        #expect(run.status != 0 && run.output.isEmpty && run.errors.contains(text), "\(run)")
    }

    // MARK: Questions

    /// The questions that were asked, and the output.
    private struct Asked: Equatable {
        var questions: [IntentQuestion] = []
        var output = ""
    }

    /// Runs the intent for a person who types these lines.
    private func ask(
        _ app: IntentManifest, _ words: [String], answers: [String], found: [SearchResult] = []
    ) throws -> Asked {
        let asked = Mutex(Asked()), left = Mutex(answers)
        let console = Console(
            width: { nil }, output: { text in asked.withLock { $0.output += text } }, errors: { _ in })
        let entities = IndexedEntities(of: app) { _ in SearchReply(found, isWhole: true) }
        var run = try ProgramIntentRun(
            app.intents[0], words, in: app, at: Example.present, finding: entities, console: console,
            isJSON: false,
            ask: { (question) throws(LocalFailure) in
                asked.withLock { $0.questions.append(question) }
                return left.withLock { $0.isEmpty ? nil : question.values(in: $0.removeFirst()) }
            })
        try run.run()
        try console.flush()
        return asked.withLock { $0 }
    }

    @Test func `missing values are asked for before the program starts, until they are right`() throws {
        let asked = try ask(shop(answering(#"{"performed": 1}"#)), [], answers: ["milk"])
        #expect(asked.questions.map(\.text) == ["Thing?"] && asked.output.isEmpty)
        #expect(try sent[0]["parameters"]?["thing"] == .string("milk"))
    }

    @Test func `a program that asks gets a request with all values and the answer`() throws {
        let apples = #"[{"name": "a", "title": "Apple"}, {"name": "b"}]"#
        let script = answering(
            #"{"performed": 1, "ask": "count", "text": "How many?"}"#,
            #"{"performed": 2, "ask": "thing", "text": "Which?", "choices": \#(apples)}"#,
            #"{"performed": 3, "ask": "gift"}"#, #"{"performed": 4, "dialog": "Done."}"#)
        let asked = try ask(shop(script), ["--thing=fruit"], answers: ["many", "3", "a", "y"])
        #expect(asked.questions.map(\.text) == ["How many?", "How many?", "Which?", "Gift?"])
        #expect(asked.questions.map(\.hint).suffix(2) == ["text", "yes or no"])
        #expect(asked.questions[0].hint == "whole number from 1 to 99")
        #expect(asked.questions[2].choices.map(\.title) == ["Apple", "b"] && asked.output == "Done.\n")
        #expect(
            try sent.map { $0["parameters"]?.text } == [
                #"{"thing":"fruit","count":1,"gift":null}"#, #"{"thing":"fruit","count":3,"gift":null}"#,
                #"{"thing":"a","count":3,"gift":null}"#, #"{"thing":"a","count":3,"gift":true}"#,
            ])
    }

    @Test func `an intent ends when the person gives no answer`() throws {
        #expect(throws: LocalFailure(.failed, "Cancelled.")) {
            _ = try ask(shop("read -r request"), [], answers: [])
        }
    }

    @Test func `a program that asks again and again is stopped`() throws {
        let script =
            #"n=1; while read -r request; do printf '{"performed": %d, "ask": "thing"}\n' $n; n=$((n + 1)); done"#
        let error = #expect(throws: LocalFailure.self) {
            _ = try ask(shop(script), ["--thing=x"], answers: Array(repeating: "x", count: 50))
        }
        #expect(error?.text == "Shop has asked more than 20 questions, so it was stopped.")
    }

    // MARK: Entities

    /// The café's order of a drink, performed by a script.
    private func cafe(_ script: String) -> IntentManifest {
        var cafe = Example.cafe()
        (cafe.program, cafe.speaksLines) = (["/bin/sh", "-c", script], true)
        return cafe
    }

    @Test func `a program gets the ID of an entity that the person named by its title`() throws {
        let latte = Example.drink("7", title: "Latte")
        _ = try ask(
            cafe(answering(#"{"performed": 1}"#)), ["--drink=Latte", "--no-size"], answers: [], found: [latte]
        )
        #expect(try sent[0]["parameters"]?.text == #"{"drink":"7","size":null}"#)
        _ = try ask(cafe(answering(#"{"performed": 1}"#)), ["--drink=Tea"], answers: [])
        #expect(try sent[1]["parameters"]?["drink"] == .string("Tea"))
    }

    @Test func `several entities with one title are an error that lists their IDs`() throws {
        let lattes = [Example.drink("7", title: "Latte"), Example.drink("8", title: "Latte")]
        let entities = IndexedEntities(of: cafe("exit 9")) { query in
            SearchReply(query.query.contains("title ==") ? lattes : [], isWhole: true)
        }
        let app = cafe("exit 9")
        let error = #expect(throws: LocalFailure.self) {
            _ = try ProgramIntentRun(
                app.intents[0], ["--drink=Latte"], in: app, at: Example.present, finding: entities,
                console: Console(width: { nil }, output: { _ in }, errors: { _ in }), isJSON: false, ask: nil)
        }
        #expect(error?.text == "Several Drink are called “Latte”.\nUse the ID of one: 7, 8.")
    }

    @Test func `a missing entity is chosen among those of the index`() throws {
        let drinks = [Example.drink("7", title: "Latte"), Example.drink("8", title: "Mocha")]
        let asked = try ask(cafe(answering(#"{"performed": 1}"#)), [], answers: ["8"], found: drinks)
        #expect(asked.questions[0].choices.map(\.name) == ["7", "8"])
        #expect(asked.questions[0].choices.map(\.title) == ["Latte", "Mocha"])
        #expect(try sent[0]["parameters"]?["drink"] == .string("8"))
        let unanswered = try ask(cafe(answering(#"{"performed": 1}"#)), [], answers: ["9"])
        #expect(unanswered.questions[0].choices.isEmpty && unanswered.questions[0].hint == "title or ID")
    }

    // MARK: Removed programs

    @Test func `a removed script is named with what to do`() throws {
        let node = try FakeNode { _ in nil }
        var gone = shop("")
        gone.program = ["/bin/sh", "/nonexistent/shop.sh"]
        try IntentManifestFile.write(gone, in: try node.home)
        let run = Typed(["run", "--home", node.folder.path, "shop", "Order", "--thing=x"])
        #expect(run.status == 1 && run.errors.contains("/nonexistent/shop.sh does not exist."), "\(run)")
        #expect(run.errors.contains("type `baton intents --forget org.example.shop`"), "\(run)")
    }
}
