import AppIntents
import BatonClient
import BatonNetwork
import BatonTerminal
import Foundation
import Testing

/// The output of a command, and its exit status.
private struct Outcome: Sendable {
    var status: Int32 = -1
    var output = ""
    var errors = ""
}

/// A machine on which the person proves who they are, or not.
private struct Person: IntentAuthenticator {
    let isThere: Bool
    func isSessionUnlocked(reason: String) async throws -> Bool { isThere }
    func authenticate(reason: String) async throws -> Bool { isThere }
}

/// Runs a command of the fixture's program, or of one with other types.
private func run(
    _ words: String..., of types: ProgramTypes = coffeeTypes, terminal: ScriptedTerminal? = nil,
    isThere: Bool = true
) async -> Outcome {
    let outcome = Monitor(Outcome())
    let console = Console(
        width: { nil }, output: { text in outcome.change { $0.output += text } },
        errors: { text in outcome.change { $0.errors += text } })
    let command = IntentCommand(
        program: "coffee", types: types, terminal: terminal,
        authenticator: Person(isThere: isThere))
    let status = await command.run(words, on: console)
    return outcome.change { outcome in
        outcome.status = status
        return outcome
    }
}

/// Needs two values.
private struct Transfer: AppIntent {
    static let title: LocalizedStringResource = "Transfer"
    @Parameter(title: "From") var source: String
    @Parameter(title: "To") var target: String
    @Parameter(title: "Note") var note: String?
    func perform() async throws -> some IntentResult { .result() }
}

/// An entity whose title is not its name; its query notes how often it is asked.
private struct NoteEntity: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Note"
    static let defaultQuery = NoteEntityQuery()
    let id: String
    var displayRepresentation: DisplayRepresentation { "Shopping" }
}

private struct NoteEntityQuery: EntityStringQuery {
    /// Tests run at the same time, so each counts for itself.
    @TaskLocal static var asked = Monitor(0)
    func entities(for identifiers: [String]) async throws -> [NoteEntity] {
        Self.asked.change { $0 += 1 }
        return identifiers.filter { $0 == "1" }.map { NoteEntity(id: $0) }
    }
    func entities(matching text: String) async throws -> [NoteEntity] { [NoteEntity(id: "1")] }
    func suggestedEntities() async throws -> [NoteEntity] { [NoteEntity(id: "1")] }
}

/// Shows a note.
private struct ShowNote: AppIntent {
    static let title: LocalizedStringResource = "Show Note"
    @Parameter(title: "Note") var note: NoteEntity
    @Parameter(title: "Loud", default: false) var loud: Bool
    @Parameter(title: "Text") var text: String?
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: "\(note.id) \(text ?? "none")")
    }
}

/// Takes two files.
private struct Compare: AppIntent {
    static let title: LocalizedStringResource = "Compare"
    @Parameter(title: "Old") var old: IntentFile
    @Parameter(title: "New") var new: IntentFile
    func perform() async throws -> some IntentResult { .result() }
}

/// Returns a number that JSON can't have.
private struct Measure: AppIntent {
    static let title: LocalizedStringResource = "Measure"
    func perform() async throws -> some IntentResult & ReturnsValue<Measurement<UnitLength>> {
        .result(value: Measurement(value: .infinity, unit: .meters))
    }
}

private let noteTypes = ProgramTypes(
    intents: [Compare.self, Measure.self, ShowNote.self], entities: [NoteEntity.self])

@Suite struct `The command intents of an app` {
    // MARK: Listing

    @Test func `lists the intents that the app shows, with the values they need`() async {
        let shown = await run("list")
        #expect(shown.status == 0)
        #expect(shown.output.contains("OrderCoffee"))
        #expect(shown.output.contains("--cup"))
        #expect(!shown.output.contains("CloseShop"))
        #expect(await run("list", "--all").output.contains("CloseShop"))
    }

    @Test func `lists intents as JSON`() async throws {
        let outcome = await run("list", "--json")
        let list = try JSON(reading: Array(outcome.output.dropLast().utf8))
        #expect(list.array?.first?["name"]?.string == "OrderCoffee")
    }

    @Test func `describes an intent with its usage, defaults and cases`() async {
        let text = await run("describe", "OrderCoffee").output
        #expect(text.contains("Usage: coffee intents run OrderCoffee [--count VALUE] --cup VALUE"))
        #expect(text.contains("[--[no-]isToGo]"))
        #expect(text.contains("whole number from 1 to 5"))
        #expect(text.contains("small, large"))
        #expect(await run("run", "OrderCoffee", "--help").output == text)
    }

    @Test func `describes an entity by the title of its type`() async {
        let text = await run("describe", "ShowNote", of: noteTypes).output
        #expect(text.contains("Note: its title or identifier"))
        #expect(!text.contains("NoteEntity"))
    }

    @Test func `prints the usage for the option help, with and without the name of an intent`() async throws {
        let usage = await run("--help")
        #expect(usage.output.hasPrefix("Usage: coffee intents list"))
        #expect(await run("run", "--help").output == usage.output)
        let json = await run("run", "ShowNote", "--loud", "--help", "--json", of: noteTypes).output
        #expect(try JSON(reading: Array(json.utf8))["name"]?.string == "ShowNote")
    }

    // MARK: Running

    @Test func `takes a value that begins with an accent`() async {
        let outcome = await run("run", "ShowNote", "--note=1", "--text=\u{301}abc", of: noteTypes)
        #expect(outcome.output == "1 \u{301}abc\n", "\(outcome)")
    }

    @Test func `asks the app's query once for a value that is chosen`() async {
        let asked = Monitor(0)
        let terminal = ScriptedTerminal(["Shopping"])
        let outcome = await NoteEntityQuery.$asked.withValue(asked) {
            await run("run", "ShowNote", of: noteTypes, terminal: terminal)
        }
        #expect(outcome.output == "1 none\n", "\(outcome)")
        #expect(asked.change { $0 } == 1)
    }

    @Test func `writes an endless number as JSON can have it`() async {
        let outcome = await run("run", "--json", "Measure", of: noteTypes)
        #expect(
            outcome.output.contains("{\"$measurement\":{\"value\":{\"$real\":\"inf\"},\"unit\":\"m\"}}"))
    }

    @Test func `runs an intent with values of all kinds`() async {
        let outcome = await run(
            "run", "OrderCoffee", "--count=2", "--cup", "big", "--shop", "harbour", "--extras", "milk",
            "--extras", "sugar", "--is-to-go", "--pickup-time", "tomorrow 14:30")
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        #expect(outcome.output == "Ordered.\n2 large Harbour to go milk sugar\n")
    }

    @Test func `clears values with the prefix no`() async {
        let outcome = await run(
            "run", "OrderCoffee", "--cup", "small", "--no-isToGo", "--no-shop", "--no-extras")
        #expect(outcome.output.hasSuffix("1 small anywhere here\n"))
        let refused = await run("run", "OrderCoffee", "--no-cup")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("cup needs a value"))
    }

    @Test func `prints the outcome as JSON, with the option before or after the name`() async throws {
        for words in [
            ["run", "--json", "OrderCoffee", "--cup", "small"],
            ["run", "OrderCoffee", "--cup", "small", "--json"],
        ] {
            let outcome = await run(words[0], words[1], words[2], words[3], words[4])
            let json = try JSON(reading: Array(outcome.output.dropLast().utf8))
            #expect(json["value"]?.string == "1 small anywhere here")
            #expect(json["dialogs"]?.array == [.string("Ordered.")])
        }
    }

    @Test func `asks at a terminal for what is missing`() async {
        let terminal = ScriptedTerminal(["Large"])
        let outcome = await run("run", "OrderCoffee", terminal: terminal)
        #expect(outcome.status == 0)
        #expect(terminal.offered == [["Small", "Large"]])
        #expect(terminal.said == ["Ordered."])
        #expect(outcome.output == "1 large anywhere here\n")
    }

    // MARK: Errors

    @Test func `an error with a foreign line break stays one line`() async {
        let outcome = await run("run", "OrderCoffee", "--cup", "small", "--shop", "Harbour\nType: rm")
        #expect(outcome.status == 11)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test(arguments: [
        (
            ["run", "OrderCoffee"], 2,
            "No value for “cup”. Add --cup VALUE. In a terminal you would be asked for it."
        ),
        (
            ["run", "OrderCoffee", "--cup", "huge"], 2,
            "--cup: Unknown value “huge”. Use one of: small, large."
        ),
        (
            ["run", "OrderCoffee", "--cup", "small", "--count", "9"], 2,
            "--count: 9 is out of range. Use a value from 1 to 5."
        ),
        (
            ["run", "OrderCoffee", "--cup", "small", "--count", "two"], 2,
            "--count: “two” is not a whole number."
        ),
        (["run", "OrderCoffee", "--cup", "small", "--shop", "9"], 11, "--shop: There is no Shop “9”."),
        (["run", "OrderCoffee", "--cup", "small", "--shop", "mark"], 11, "Market, Market Hall"),
        (["run", "OrderCoffee", "--cup", "small", "--pickup-time", "soon"], 2, "Write it as 2026-03-01"),
        (["run", "OrderCoffee", "--cop", "small"], 2, "Did you mean --cup?"),
        (["run", "OrderCoffee", "--cup"], 2, "--cup needs a value"),
        (["run", "OrderCoffee", "--cup", "small", "--cup", "large"], 2, "is given twice"),
        (["run", "OrderCoffee", "small"], 2, "Unexpected argument: small."),
        (["run", "OrderCofee"], 11, "Did you mean OrderCoffee?"),
        (["run"], 2, "No intent given."),
        (["lits"], 2, "Did you mean list?"),
        (["list", "--jso"], 2, "Unknown option for list: --jso."),
        (
            ["run", "OrderCoffee", "--cup", "small", "--extras", "poison"], 1,
            "The intent failed: We don't serve that."
        ),
    ])
    func `says what is wrong and what to do`(_ words: [String], _ status: Int32, _ text: String) async {
        let outcome = Monitor(Outcome())
        let console = Console(
            width: { nil }, output: { text in outcome.change { $0.output += text } },
            errors: { text in outcome.change { $0.errors += text } })
        let command = IntentCommand(
            program: "coffee", types: coffeeTypes, terminal: nil, authenticator: Person(isThere: true))
        #expect(await command.run(words, on: console) == status)
        #expect(outcome.change { $0.errors }.contains(text))
        #expect(outcome.change { $0.output } == "", "nothing is half done")
    }

    @Test(arguments: [
        (["--note", ""], 11, "There is no Note “”."),
        (["--note", "  "], 11, "There is no Note"),
        (["--note=1", "--loud", "--no-loud"], 2, "--no-loud contradicts --loud."),
        (["--note=1", "--no-loud", "--loud"], 2, "--loud is given twice"),
        (["--note=1", "--text", "a", "--no-text"], 2, "--no-text contradicts --text."),
        (["--note=1", "--no-text", "--text", "a"], 2, "--no-text contradicts --text."),
    ])
    func `refuses values that contradict each other or name nothing`(
        _ words: [String], _ status: Int32, _ text: String
    ) async {
        let outcome = Monitor(Outcome())
        let console = Console(
            width: { nil }, output: { text in outcome.change { $0.output += text } },
            errors: { text in outcome.change { $0.errors += text } })
        let command = IntentCommand(
            program: "notes", types: noteTypes, terminal: nil, authenticator: Person(isThere: true))
        #expect(await command.run(["run", "ShowNote"] + words, on: console) == status)
        #expect(outcome.change { $0.errors }.contains(text), "\(outcome.change { $0 })")
    }

    @Test func `reads the standard input for one file only`() async {
        let outcome = await run("run", "Compare", "--old", "-", "--new", "-", of: noteTypes)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("can be given only once, not for --old and --new."), "\(outcome)")
    }

    @Test func `names all values that are missing`() async {
        let errors = Monitor("")
        let console = Console(
            width: { nil }, output: { _ in }, errors: { text in errors.change { $0 += text } })
        let command = IntentCommand(
            program: "bank", types: ProgramTypes(intents: [Transfer.self]), terminal: nil,
            authenticator: Person(isThere: true))
        #expect(await command.run(["run", "Transfer"], on: console) == 2)
        #expect(errors.change { $0 }.contains("Add --source VALUE --target VALUE."))
    }

    @Test func `does not perform an intent without the authentication that it requires`() async {
        let refused = await run("run", "CloseShop", isThere: false)
        #expect(refused.status == 14)
        #expect(refused.errors.contains("“Close Shop” was not performed: authentication failed."))
        #expect(await run("run", "CloseShop").status == 0)
    }
}
