import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Synchronization
import Testing

/// The command `declare` of `baton app`, and items that are entities.
@Suite struct `Declarations of programs` {
    /// The result of lines that a program sent.
    private struct Outcome {
        var lines: [String]
        /// The calls, except those that describe types of entities.
        var calls: [any LocalCall]
        var described: [DescribeEntityTypes]
        var stored: [IntentManifest]
    }

    private static let index = ClientStateName(app: "org.example.shopping", index: "default")

    /// Sends lines to the bridge of a program that has declared nothing yet.
    private func say(_ texts: String...) -> Outcome {
        let stored = Mutex<[IntentManifest]>([])
        var bridge = AppBridge(
            app: "org.example.shopping", instance: "main",
            declaring: { (declaration) throws(LocalFailure) in
                stored.withLock { $0.append(declaration.manifest) }
            })
        bridge.connected()
        _ = bridge.takeOutput()
        for (place, text) in texts.enumerated() {
            bridge.receiveLine(.whole(Array(text.utf8)), number: place + 1, at: Example.present)
        }
        let output = bridge.takeOutput()
        return Outcome(
            lines: output.lines.map(\.text),
            calls: output.calls.map(\.call).filter { !($0 is DescribeEntityTypes) },
            described: output.calls.compactMap { $0.call as? DescribeEntityTypes },
            stored: stored.withLock { $0 })
    }

    /// A declaration with one intent and one entity; an argument replaces the part of that name.
    private static func declaration(
        program: String = #"["/bin/true", "perform"]"#,
        parameter: String = #"{"name": "count", "kind": "integer", "default": "1"}"#,
        property: String = #"{"name": "count", "kind": "integer"}"#, more: String = ""
    ) -> String {
        #"{"declare": {"title": "Shopping", "program": \#(program), "intents": [{"name": "Add", "title": "Add", "parameters": [\#(parameter)]}], "entities": [{"name": "Item", "title": "Item", "properties": [{"name": "name", "kind": "text", "attribute": "title"}, \#(property)]}]\#(more)}, "id": 1}"#
    }

    @Test func `a declaration is stored with defaults, and gives attributes to properties`() throws {
        let outcome = say(Self.declaration())
        #expect(outcome.lines == [#"{"id":1,"done":true}"#] && outcome.calls.isEmpty)
        let manifest = try #require(outcome.stored.first)
        #expect(manifest.app == "org.example.shopping" && manifest.speaksLines)
        #expect(manifest.program == ["/bin/true", "perform"])
        #expect(manifest.intents[0].isDiscoverable && manifest.intents[0].parameters[0].standard == "1")
        let item = try #require(manifest.entity(named: "Item"))
        #expect(item.isIndexed && item.properties.map(\.attribute) == ["title", "Item_count"])
        #expect(item.properties.map(\.isCustom) == [false, true])
    }

    @Test func `the account is told of declared entities, at once and whenever a node is connected`() throws {
        let type = EntityTypeDescription(
            EntityTypeName(app: "org.example.shopping", type: "Item"), title: "Item",
            properties: [
                EntityTypeDescription.Property("name", kind: "text", attribute: "title"),
                EntityTypeDescription.Property("count", kind: "integer", attribute: "Item_count"),
            ], appTitle: "Shopping")
        let outcome = say(Self.declaration())
        #expect(outcome.described == [DescribeEntityTypes([type])])
        var bridge = AppBridge(
            app: "org.example.shopping", instance: "main", declared: outcome.stored.first)
        bridge.connected()
        let told = bridge.takeOutput().calls.filter { $0.call is DescribeEntityTypes }
        #expect(told.map(\.call).equals(DescribeEntityTypes([type])))
        // The session waits for the answer, and the program learns of a refusal, but not that the node is older.
        let purpose = try #require(told.first?.purpose)
        #expect(purpose.isOwed)
        for (failure, count) in [
            (LocalFailure.entityTypesTooLarge, 1), (LocalFailure(.versionMismatch, "older"), 0),
        ] {
            try bridge.receiveAnswer(FakeAnswer.failure(failure).taken, for: purpose)
            #expect(bridge.takeOutput().lines.filter { $0.text.contains("at most 200 types") }.count == count)
        }
        try bridge.receiveAnswer(FakeAnswer.reply(Done()).taken, for: purpose)
        #expect(bridge.takeOutput().lines.isEmpty)
    }

    @Test func `numbers and truth values of a declaration count as the words that a person types`() throws {
        let parameter = #"{"name": "n", "kind": "real", "default": 2.5, "least": 1, "greatest": 3}"#
        let flag = #"{"name": "now", "kind": "flag", "default": true}"#
        let shortcut =
            #", "shortcuts": [{"intent": "Add", "phrases": ["Add"], "values": {"n": 2, "now": false}}]"#
        let outcome = say(Self.declaration(parameter: "\(parameter), \(flag)", more: shortcut))
        let manifest = try #require(outcome.stored.first, "\(outcome)")
        let declared = manifest.intents[0].parameters
        #expect(declared.map(\.standard) == ["2.5", "true"] && declared[0].range?.least == "1")
        #expect(manifest.shortcuts[0].values.map(\.value) == ["2", "false"])
    }

    @Test func `a declared manifest is the same after it was written and read`() throws {
        let manifest = try #require(say(Self.declaration()).stored.first)
        #expect(try IntentManifest(JSON(reading: Array(manifest.json.text.utf8))) == manifest)
    }

    @Test(arguments: [
        (declaration(program: "[]"), "declaration.program must begin with the whole path"),
        (declaration(program: #"["python3"]"#), "declaration.program must begin with the whole path"),
        (declaration(more: #", "entitys": []"#), "did you mean `entities`?"),
        (declaration(more: #", "shortcuts": [{"intent": "Ad", "phrases": ["x"]}]"#), "no intent “Ad”"),
        (
            declaration(more: #", "shortcuts": [{"intent": "Add", "phrases": ["Put ${itm} on it"]}]"#),
            "“itm”, which is no parameter"
        ),
        (
            declaration(parameter: #"{"name": "size", "kind": "choice", "type": "Size"}"#),
            "must name an enumeration"
        ),
        (
            declaration(parameter: #"{"name": "book", "kind": "entity", "type": "Book"}"#),
            "must name an entity"
        ),
        (
            declaration(parameter: #"{"name": "due", "kind": "file"}"#),
            "parameters[0].kind must be one of text, integer"
        ),
        (declaration(parameter: #"{"name": "n", "kind": "integer", "default": "one"}"#), "`default`"),
        (declaration(parameter: #"{"name": "n", "kind": "integer", "least": "1"}"#), "needs both"),
        (declaration(parameter: #"{"name": "a b", "kind": "text"}"#), "letters, digits and `_`"),
        (
            declaration(parameter: #"{"name": "a", "kind": "text"}, {"name": "a", "kind": "text"}"#),
            "two of the parameter “a”"
        ),
        (
            declaration(parameter: #"{"name": "a", "kind": "text", "optional": "yes"}"#),
            "parameters[0].optional must be true or false"
        ),
        (
            declaration(property: #"{"name": "added", "kind": "text", "attribute": "contentCreationDate"}"#),
            "can't hold the kind"
        ),
        (
            declaration(property: #"{"name": "other", "kind": "text", "attribute": "title"}"#),
            "two of the attribute"
        ),
        (
            declaration(property: #"{"name": "x", "kind": "text", "attribute": "org_baton_entity_type"}"#),
            "can't be the attribute"
        ),
        (declaration(parameter: #"{"name": "a"}"#), "declaration.intents[0].parameters[0] needs a `kind`"),
        (
            declaration(more: #", "shortcuts": [{"intent": "Add"}]"#),
            "declaration.shortcuts[0] needs a `phrases`"
        ),
        (
            declaration(parameter: #"{"name": "a", "kind": "text", "default": []}"#),
            "default must be a text, a number"
        ),
        (#"{"declare": []}"#, "declaration must be an object"),
    ])
    func `a wrong declaration is refused whole, and the error names its place`(line: String, text: String) {
        let outcome = say(line)
        #expect(outcome.stored.isEmpty && outcome.lines.count == 1)
        #expect(outcome.lines[0].contains(#""code":2"#) && outcome.lines[0].contains(text), "\(outcome)")
    }

    @Test func `a declaration can't have more elements or longer texts than its limits`() {
        let phrases = Array(repeating: #""x""#, count: 201).joined(separator: ",")
        let many = say(Self.declaration(more: #", "negativePhrases": [\#(phrases)]"#))
        #expect(many.stored.isEmpty && many.lines[0].contains("more than 200 elements"))
        let long = String(repeating: "x", count: 1025)
        let outcome = say(Self.declaration(more: #", "negativePhrases": ["\#(long)"]"#))
        #expect(outcome.stored.isEmpty && outcome.lines[0].contains("longer than 1024 bytes"))
    }

    @Test func `a program that may not declare gets an error`() {
        var bridge = AppBridge(app: "org.example.shopping", instance: "main")
        bridge.receiveLine(.whole(Array(Self.declaration().utf8)), number: 1, at: Example.present)
        #expect(bridge.takeOutput().lines[0].text.contains(#""code":14"#))
    }

    // MARK: Entities

    @Test func `an item that is an entity has its properties as attributes`() throws {
        let outcome = say(
            Self.declaration(),
            #"{"index": {"item": "milk", "entity": "Item", "properties": {"name": "Milk", "count": 2}}}"#)
        var attributes = Activity.Entity(type: "Item", identifier: "milk").attributes
        attributes[.title] = .plain(.string("Milk"))
        attributes[.custom(Array("Item_count".utf8))] = .plain(.integer(2))
        let item = Item(domain: nil, expiration: nil, attributes: attributes)
        #expect(outcome.calls.equals(ChangeIndex(Self.index, at: nil, [.item("milk", item)])), "\(outcome)")
    }

    @Test(arguments: [
        (#"{"item": "a", "entity": "Itm", "properties": {}}"#, "did you mean “Item”?"),
        (
            #"{"item": "a", "entity": "Item", "properties": {"name": "a"}}"#,
            "“count” of the entity “Item” is missing"
        ),
        (
            #"{"item": "a", "entity": "Item", "properties": {"name": "a", "count": "2"}}"#,
            "“count” must be a whole number"
        ),
        (
            #"{"item": "a", "entity": "Item", "properties": {"name": "a", "cont": 2}}"#,
            "did you mean `count`?"
        ),
        (
            #"{"item": "a", "title": "b", "entity": "Item", "properties": {"name": "a", "count": 2}}"#,
            "also given as an attribute"
        ),
        (#"{"item": "a", "properties": {"name": "a"}}"#, "`properties` needs an `entity`"),
    ])
    func `an item that is no entity of the declaration is refused`(item: String, text: String) {
        let outcome = say(Self.declaration(), #"{"index": \#(item)}"#)
        #expect(outcome.calls.isEmpty && outcome.lines.last?.contains(text) == true, "\(outcome)")
    }

    /// The declaration of books, whose properties are of all kinds.
    private static let books = declaration(
        property: #"""
            {"name": "read", "kind": "flag"}, {"name": "rating", "kind": "real", "optional": true},
            {"name": "added", "kind": "date", "attribute": "contentCreationDate"}, {"name": "page", "kind": "url"},
            {"name": "genre", "kind": "choice", "type": "Genre"},
            {"name": "tags", "kind": "text", "list": true}
            """#.filter { $0 != "\n" },
        more:
            #", "enumerations": [{"name": "Genre", "title": "Genre", "cases": [{"name": "jazz"}, {"name": "rock"}]}]"#
    )

    @Test func `properties of all kinds become attributes that queries compare`() throws {
        let properties =
            #"{"name": "A", "read": true, "rating": 4, "added": "1970-01-02", "page": "https://a.b", "genre": "jazz", "tags": ["x"]}"#
        let outcome = say(
            Self.books, #"{"index": {"item": "a", "entity": "Item", "properties": \#(properties)}}"#)
        var attributes = Activity.Entity(type: "Item", identifier: "a").attributes
        attributes[.title] = .plain(.string("A"))
        attributes[.contentCreationDate] = .plain(.date(86_400))
        let custom: [(String, PropertyValue)] = [
            ("read", .boolean(true)), ("rating", .real(4)), ("page", .string("https://a.b")),
            ("genre", .string("jazz")), ("tags", .array([.string("x")])),
        ]
        for (name, value) in custom { attributes[.custom(Array("Item_\(name)".utf8))] = .plain(value) }
        let item = Item(domain: nil, expiration: nil, attributes: attributes)
        #expect(outcome.calls.equals(ChangeIndex(Self.index, at: nil, [.item("a", item)])), "\(outcome)")
    }

    @Test(arguments: [
        (#""genre": "pop""#, "the property “genre” must be one of jazz, rock"),
        (#""genre": 1"#, "the property “genre” must be one of jazz, rock"),
        (#""genre": "jazz", "tags": ["x", 1]"#, "the property “tags” must be a list, each element a text"),
        (#""genre": "jazz", "tags": [], "added": "soon""#, "the property “added” must be a date"),
    ])
    func `a property of the wrong kind is refused`(values: String, text: String) {
        let first =
            [#""name": "A", "read": true, "page": "x""#]
            + ["tags", "added"].filter { !values.contains($0) }.map {
                $0 == "tags" ? #""tags": []"# : #""added": "1970-01-02""#
            }
        let outcome = say(
            Self.books,
            #"{"index": {"item": "a", "entity": "Item", "properties": {\#(first.joined(separator: ", ")), \#(values)}}}"#
        )
        #expect(outcome.calls.isEmpty && outcome.lines.last?.contains(text) == true, "\(outcome)")
    }

    @Test func `an entity needs a declaration`() {
        let outcome = say(#"{"index": {"item": "a", "entity": "Item", "properties": {}}}"#)
        #expect(outcome.calls.isEmpty && outcome.lines[0].contains("declare it by `declare` first"))
    }
}
