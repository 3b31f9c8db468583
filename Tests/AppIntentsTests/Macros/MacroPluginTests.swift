import AppIntents
import Support
import Testing

/// Asks the program with the macros as the compiler does: a length of eight bytes, and JSON.
@Suite struct `The program with the macros` {
    /// Returns the answers to messages, in order.
    private func answers(to messages: [[String: Any]]) throws -> [[String: Any]] {
        let folder = try TemporaryFolder()
        let program = Bundle.main.bundleURL.appendingPathComponent("AppIntentsMacros-tool").path
        var input = Data()
        for message in messages { input += try Self.framed(message) }
        let file = folder.path + "/input"
        try input.write(to: URL(fileURLWithPath: file))
        let process = try ChildProcess(
            ["sh", "-c", "exec \"$0\" < \"$1\"", program, file],
            environment: ProcessInfo.processInfo.environment,
            files: folder.path + "/plugin")
        #expect(try process.wait(within: .seconds(30)) == 0)
        var output = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/plugin.out"))
        var answers: [[String: Any]] = []
        while !output.isEmpty {
            let length = output.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            let body = output.dropFirst(8).prefix(length)
            answers.append(try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]))
            output = Data(output.dropFirst(8 + length))
        }
        return answers
    }

    private static func framed(_ message: [String: Any]) throws -> Data {
        let body = try JSONSerialization.data(withJSONObject: message)
        return Data((0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }) + body
    }

    /// A request to expand a macro that is attached to a declaration.
    private func request(
        _ type: String, _ attribute: String, _ declaration: String, role: String = "peer"
    ) -> [String: Any] {
        let place: [String: Any] = [
            "fileID": "A/A.swift", "fileName": "A.swift", "offset": 100, "line": 1, "column": 1,
        ]
        return [
            "expandAttachedMacro": [
                "macro": ["moduleName": "AppIntentsMacros", "typeName": type, "name": "M"],
                "macroRole": role,
                "discriminator": "d",
                "attributeSyntax": ["kind": "attribute", "source": attribute, "location": place],
                "declSyntax": ["kind": "declaration", "source": declaration, "location": place],
            ]
        ]
    }

    private func source(_ answer: [String: Any]) -> String? {
        (answer["expandMacroResult"] as? [String: Any])?["expandedSource"] as? String
    }

    @Test func `reports its protocol version`() throws {
        let answer = try answers(to: [["getCapability": ["capability": ["protocolVersion": 7]]]])
        let result = try #require(answer.first?["getCapabilityResult"] as? [String: Any])
        #expect((result["capability"] as? [String: Any])?["protocolVersion"] as? Int == 7)
    }

    @Test func `ends when it gets an unknown message`() throws {
        #expect(try answers(to: [["unknown": [:]], ["getCapability": [:]]]).isEmpty)
    }

    @Test func `reads a declaration in any layout`() throws {
        let pieces = [
            "@available(*, deprecated, message: \"var x: {\\(1 + (2))}\")", "public", "var", "name", ":",
            "[String", ":", "(Int) -> Set<Int>]?", "{", "\"}\" + #\"\\\"}\"#", "}",
        ]
        let fillings = [
            " ", "\n", "  \t", " /* var { /* } */ */ ", " // let } \" é\n", "\n\n    ",
        ]
        var random = SeededGenerator(seed: 52)
        let declarations = (0..<200).map { _ in
            pieces.map { $0 + random.pick(fillings) }.joined()
        }
        let requests = declarations.map { request("ComputedPropertyMacro", "@M(title: \"T)\")", $0) }
        let answers = try self.answers(to: requests)
        #expect(answers.count == declarations.count)
        for (answer, declaration) in zip(answers, declarations) {
            let source = try #require(self.source(answer), "\(declaration)")
            #expect(source.contains("(\"name\", title: \"T)\", computing: { $0.name })"), "\(source)")
            #expect(source.contains("public var $name: AppIntents.EntityProperty<[String"), "\(source)")
        }
    }

    @Test(arguments: [
        ("var a: Int", true), ("public var a: [Int]?", true), ("@MainActor var a: Int { didSet {} }", true),
        ("@available(*, deprecated) var a: Set<A>", true), ("var `default`: A.B", true),
        ("var a: Int { 1 }", false), ("var a: Int { get async { 1 } }", false), ("var a: Int = 1", false),
        ("var a = 1", false), ("let a: Int", false), ("static var a: Int", false),
        ("private var a: Int", false),
        ("fileprivate(set) var a: Int", false), ("lazy var a: Int", false), ("weak var a: A?", false),
        ("@Property var a: Int", false), ("@AppIntents.Property(title: \"a\") var a: Int", false),
        ("var id: Int", false), ("var a: (Int) -> Int", false), ("var a: any A", false), ("var a", false),
        ("func a() { var b: Int }", false), ("struct A { var a: Int }", false), ("", false),
    ]) func `wraps a stored variable of a type with a schema`(declaration: String, isWrapped: Bool) throws {
        let requests = ["IntentSchemaMacro", "EntitySchemaMacro"].map {
            request($0, "@M(schema: .a.b)", declaration, role: "memberAttribute")
        }
        let sources = try answers(to: requests).map { source($0) }
        #expect(
            sources
                == (isWrapped
                    ? ["@AppIntents.IntentParameter", "@AppIntents.EntityProperty"] : ["", ""]))
    }

    @Test func `adds only the conformances that the compiler asks for`() throws {
        var request = request("EnumSchemaMacro", "@M(schema: .a.b)", "enum A { case b }", role: "extension")
        var inner = try #require(request["expandAttachedMacro"] as? [String: Any])
        inner["extendedTypeSyntax"] = ["source": "A"]
        request["expandAttachedMacro"] = inner
        // The compiler sends no list if the type declares the conformance itself.
        var sources = [try answers(to: [request]).first.flatMap { source($0) }]
        inner["conformanceListSyntax"] = ["source": "struct Placeholder: AppEnum {}"]
        request["expandAttachedMacro"] = inner
        sources.append(try answers(to: [request]).first.flatMap { source($0) })
        #expect(sources == ["", "extension A: AppIntents.AppEnum {}"])
    }

    @Test func `reports the position of a mistake as an offset in bytes`() throws {
        let answer = try answers(to: [request("ComputedPropertyMacro", "@M", "/* é */ let a: Int = 1")])
        let result = try #require(answer.first?["expandMacroResult"] as? [String: Any])
        let diagnostic = try #require((result["diagnostics"] as? [[String: Any]])?.first)
        #expect((diagnostic["position"] as? [String: Any])?["offset"] as? Int == 100 + "/* é */ ".utf8.count)
        #expect(result["expandedSource"] == nil)
    }

    @Test(arguments: 0..<20) func `does not crash on declarations that are cut off anywhere`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let whole = "@UnionValue enum A { case b(c: Int), d([String: Int]), `e`(\"\\(f(\"}\"))\") /* } */ }"
        let requests = (0..<40).map { _ in
            request(
                random.pick(["UnionValueMacro", "ComputedPropertyMacro", "EnumSchemaMacro", "Nothing"]),
                "@M(schema: .a.b",
                String(whole.unicodeScalars.prefix(random.number(0...whole.count))))
        }
        #expect(try answers(to: requests).count == requests.count)
    }
}
