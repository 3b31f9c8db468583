import BatonCommand
import BatonCore
import ClientSupport
import Foundation
import Support
import Testing

/// Programs of the person that say what texts mean, good ones and others.
@Suite struct `The program of baton embed` {
    private static func python(_ text: String) -> EmbeddingProgram {
        EmbeddingProgram(["/usr/bin/python3", "-c", "import sys, json\n" + text])
    }

    /// Counts the letters of each text.
    private static let counting = """
        for line in sys.stdin:
            text = json.loads(line)["text"]
            print(json.dumps({"vector": [float(text.count(letter)) for letter in "abcdefgh"]}), flush=True)
        """

    @Test func `each text gets its own vector, even with control characters, quotes and other scripts`()
        throws
    {
        let program = Self.python(Self.counting)
        #expect(try program.vector(of: "abba") == Embedding([2, 2, 0, 0, 0, 0, 0, 0]))
        #expect(try program.vector(of: "a\n\"\u{0}\u{2028}\\東") == Embedding([1, 0, 0, 0, 0, 0, 0, 0]))
        #expect(try program.vector(of: "") == nil, "a vector of zeros is none")
        #expect(
            try program.vector(of: String(repeating: "h", count: 2048))
                == Embedding([0, 0, 0, 0, 0, 0, 0, 1]))
    }

    @Test(arguments: [
        "print('{\"vector\": null}', flush=True)", "print('{', flush=True)", "print('  {}', flush=True)",
        "print('{\"vector\": [NaN, 1, 1, 1, 1, 1, 1, 1]}', flush=True)", "print('{}', flush=True)",
        "print('{\"vector\": [1e999, 1, 1, 1, 1, 1, 1, 1]}', flush=True)",
        "print('{\"vector\": [1, 2, 3]}', flush=True)",
        "print('{\"vector\": [\"1\", 1, 1, 1, 1, 1, 1, 1]}', flush=True)",
        "print('{\"vector\": ' + '[' * 5000, flush=True)",
    ])
    func `a text whose answer has no valid vector gets no vector, and the program continues`(
        statement: String
    )
        throws
    {
        let program = Self.python("for line in sys.stdin:\n    " + statement)
        for _ in 0..<10 { #expect(try program.vector(of: "a") == nil) }
    }

    @Test func `lines that the program prints without a request are never read as an answer`() throws {
        let program = Self.python(
            """
            print("Loading the model", flush=True)
            print("[1, 1, 1, 1, 1, 1, 1, 1]", flush=True)
            for line in sys.stdin:
                text = json.loads(line)["text"]
                vector = json.dumps({"vector": [float(text.count(letter)) for letter in "abcdefgh"]})
                print("Asked for " + text + "\\n" + vector + "\\n" + vector, flush=True)
            """)
        for letter in "abcdefgh" {
            #expect(
                try program.vector(of: String(letter))
                    == Embedding("abcdefgh".map { $0 == letter ? 1 : 0 }), "\(letter)")
        }
    }

    @Test func `a program that ends between two requests is restarted, and each text gets its vector`()
        throws
    {
        let program = Self.python(
            """
            text = json.loads(sys.stdin.readline())["text"]
            print(json.dumps({"vector": [float(text.count(letter)) for letter in "abcdefgh"]}), flush=True)
            """)
        for _ in 0..<8 {
            #expect(try program.vector(of: "abba") == Embedding([2, 2, 0, 0, 0, 0, 0, 0]))
        }
    }

    @Test func `the model's name depends on the program and on the size of its vectors`()
        throws
    {
        // The program and its arguments are the same; a file says how many numbers it prints.
        let folder = try TemporaryFolder()
        let path = folder.path + "/size"
        func model(_ count: Int) throws -> String {
            try Data("\(count)".utf8).write(to: URL(fileURLWithPath: path))
            return try Self.python(
                """
                size = int(open("\(path)").read())
                for line in sys.stdin: print(json.dumps({"vector": [1] * size}), flush=True)
                """
            ).model()
        }
        let first = try model(8)
        #expect(try model(8) == first && model(9) != first)
        let none = Self.python("for line in sys.stdin: print('{}', flush=True)")
        #expect(try none.model() == none.model())
        #expect(throws: LocalFailure.self) { try EmbeddingProgram(["/bin/false"]).model() }
    }

    @Test func `a vector whose size differs from that of the first vector is ignored`() throws {
        let program = Self.python(
            """
            for number, line in enumerate(sys.stdin):
                print(json.dumps({"vector": [1] * (9 if number == 1 else 8)}), flush=True)
            """)
        #expect(try (0..<3).map { _ in try program.vector(of: "a") != nil } == [true, false, true])
    }

    @Test func `a program that crashes is restarted, and a program that always crashes is abandoned`() throws
    {
        let dying = Self.python(
            """
            line = sys.stdin.readline()
            if "die" not in line: print(json.dumps({"vector": [1] * 8}), flush=True)
            """)
        for _ in 0..<8 {
            #expect(try dying.vector(of: "die") == nil)
            // The process ends after its answer, so the next one may get nothing of it.
            #expect(try dying.vector(of: "a") != nil)
            #expect(try dying.vector(of: "die") == nil)
        }
        let broken = EmbeddingProgram(["/bin/false"])
        for _ in 0..<4 { #expect(try broken.vector(of: "a") == nil) }
        #expect(throws: LocalFailure.self) { try broken.vector(of: "a") }
        #expect(throws: LocalFailure.self) { try EmbeddingProgram(["/does/not/exist"]).vector(of: "a") }
    }

    @Test func `the command passes texts to the program of the configuration, and its vectors to the node`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/config.json5"
        let program = "import sys, json\\n" + Self.counting.replacing("\n", with: "\\n")
        let text = "{embed: ['/usr/bin/python3', '-c', '\(program.replacing("\"", with: "\\\""))']}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let node = try FakeNode { request in
            guard let call = request as? AwaitTexts else { return nil }
            return call.vectors.isEmpty
                ? .reply(TextsReply([NumberedText(7, "abba"), NumberedText(9, "")]))
                : .failure(LocalFailure(.failed, "enough"))
        }
        let typed = Typed(node, "embed", "--config", path)
        #expect(typed.status == 1 && typed.errors == "baton: enough\n", "\(typed)")
        let calls = node.calls.compactMap { $0 as? AwaitTexts }
        #expect(calls.count == 2 && calls[0].model == calls[1].model && calls[0].vectors.isEmpty)
        #expect(calls[0].model.utf8.count < 100, "the words of the program may be long")
        #expect(
            calls[1].vectors == [TextVector(7, Embedding([2, 2, 0, 0, 0, 0, 0, 0])), TextVector(9, nil)])
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        let bare = Typed(node, "embed", "--config", path)
        #expect(bare.status == 2 && bare.errors.contains("embed: [\"my-model\"]"), "\(bare)")
    }

    /// A program that answers once.
    private static var slow: EmbeddingProgram {
        EmbeddingProgram(
            [
                "/usr/bin/python3", "-c",
                "import sys\nsys.stdin.readline()\nprint('{\"vector\": %s}' % ([1] * 8), flush=True)\nsys.stdin.read()",
            ], patience: .milliseconds(50))
    }

    @Test func `a program that prints nothing, or without end, is killed`() throws {
        let silent = EmbeddingProgram(["/bin/sh", "-c", "cat >/dev/null"], startPatience: .milliseconds(50))
        #expect(try silent.vector(of: "a") == nil)
        let endless = EmbeddingProgram(["/bin/sh", "-c", "cat /dev/zero"])
        #expect(try endless.vector(of: "a") == nil)
        let slow = Self.slow
        #expect(
            try slow.vector(of: "a") != nil && slow.vector(of: "a") == nil, "only the first may take long")
    }
}
