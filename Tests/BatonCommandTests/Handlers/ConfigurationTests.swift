import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Glibc
import Support
import Testing

@Suite struct `The configuration file` {
    /// A configuration with every feature.
    static let whole = """
        {
          // editors
          handlers: {
            "org.example.editor": { run: ["vim", "+{line?}", "--", "{file}"], paths: ["file"], },
            'org.example.*': { as: 'org.baton.file' },
            "org.baton.web": false,
            "*": { run: ["sh", "-c", "printf %s \\"$1\\"", "sh", "{title}"] },
          },
          schemes: ["https", "gemini"],
        }

        """

    @Test func `handlers and their lines are read from the file`() throws {
        let configuration = try Configuration(Array(Self.whole.utf8), from: "c")
        let registry = HandlerRegistry(configuration)
        #expect(
            registry.handlers.map(\.pattern.description) == [
                "org.baton.clipboard", "org.baton.file", "org.baton.folder", "org.baton.manual",
                "org.baton.web",
                "org.example.editor",
                "org.example.*", "*",
            ])
        #expect(registry.schemes == ["https", "gemini"])
        #expect(registry.handler(for: "org.example.editor")?.source == .file("c", line: 4))
        #expect(registry.handler(for: "org.example.editor.x")?.action == .known(.file))
        #expect(registry.handler(for: "org.example")?.pattern.description == "*")
        #expect(registry.handler(for: "org.baton.web")?.action == .off)
        #expect(registry.handler(for: "org.baton.folder")?.source == .builtIn)
        #expect(HandlerRegistry().handlers.count == 5 && HandlerRegistry().handler(for: "x") == nil)
    }

    @Test func `settings of discovery are read, and become arguments of the node`() throws {
        let text = "{ discovery: false, announce: ['eth0', '10.0.0.5'], listen: ['10.0.0.5:4817'] }"
        let configuration = try Configuration(Array(text.utf8), from: "c")
        #expect(!configuration.discovery && configuration.listen == ["10.0.0.5:4817"])
        #expect(
            configuration.discoveryArguments == [
                "--discovery", "off", "--announce", "eth0", "--announce", "10.0.0.5",
            ])
        #expect(Configuration().discovery && Configuration().discoveryArguments.isEmpty)
    }

    @Test(
        arguments: [
            ("[]", "1:1: the configuration must be an object: { … }"),
            (
                "{\n  handler: {} }",
                "2:3: `handler` is not a key of the configuration; did you mean `handlers`?"
            ),
            (
                "{\n  zzz: {} }",
                "2:3: `zzz` is not a key of the configuration; its keys are: handlers, schemes, discovery, listen, announce, embed"
            ),
            ("{discovery: 1}", "1:13: `discovery` must be true or false"),
            ("{notify: 'yes'}", "1:10: `notify` must be true or false"),
            ("{listen: 'x'}", "1:10: `listen` must be a list: [ … ]"),
            (
                "{embed: []}", "1:9: `embed` must name a program: [\"my-model\"]"
            ),
            (
                "{embed: ['my-model', '']}",
                "1:22: an element of `embed` must be a text: the program, or one of its arguments"
            ),
            (
                "{announce: ['eth0', 7]}",
                "1:21: an element of `announce` must be an interface or an address, such as \"eth0\""
            ),
            (
                "{listen: ['foo']}",
                "1:11: an element of `listen` must be an address such as \"192.0.2.7:4817\""
            ),
            ("{listen: ['']}", "1:11: an element of `listen` must be an address such as \"192.0.2.7:4817\""),
            ("{handlers: []}", "1:12: `handlers` must be an object: { TYPE: HANDLER, … }"),
            ("{handlers: {'a b': false}}", "1:13: `a b` is neither a type, such as org.example.editing"),
            ("{handlers: {'a*': false}}", "1:13: `a*` is neither a type"),
            ("{handlers: {'.*': false}}", "1:13: `.*` is neither a type"),
            ("{handlers: {a: 'vim'}}", "1:16: a handler must be { run: [ … ] }, { as: TYPE }, or false"),
            ("{handlers: {a: true}}", "1:16: a handler must be"),
            ("{handlers: {a: {}}}", "1:16: `run` is missing"),
            ("{handlers: {a: {\n runs: []}}}", "2:2: `runs` is not a key of a handler; did you mean `run`?"),
            ("{handlers: {a: {run: 'vim'}}}", "1:22: `run` must be a list: [ … ]"),
            ("{handlers: {a: {run: []}}}", "1:22: `run` must name a program"),
            ("{handlers: {a: {run: ['v', 1]}}}", "1:28: an argument must be a string"),
            ("{handlers: {a: {run: ['{file}']}}}", "1:23: the program must be named without placeholders"),
            ("{handlers: {a: {run: ['v', '{file']}}}", "1:28: unmatched {; write {{ for a brace"),
            ("{handlers: {a: {run: ['v', 'f}']}}}", "1:28: unmatched }; write }} for a brace"),
            ("{handlers: {a: {run: ['v', '{}']}}}", "1:28: {} does not name a value"),
            (
                "{handlers: {a: {run: ['v', 'a\\nb']}}}",
                "1:28: this argument contains the control character U+A"
            ),
            ("{handlers: {a: {run: ['/bin/bash', '-lc', 'vi {file}']}}}", "1:43: /bin/bash would run text"),
            ("{handlers: {a: {run: ['env', 'sh', '-c', '{x}']}}}", "1:42: sh would run text"),
            ("{handlers: {a: {run: ['python3.13', '-c', '{x}']}}}", "1:43: python3.13 would run text"),
            ("{handlers: {a: {run: ['perl', '-ne', '{x}']}}}", "1:38: perl would run text"),
            ("{handlers: {a: {run: ['env', '--split-string', '{x}']}}}", "1:48: env would run text"),
            ("{handlers: {a: {run: ['v'], paths: ['file']}}}", "1:37: `paths` must name placeholders"),
            ("{handlers: {a: {as: 'x', run: []}}}", "1:26: `run` can't be combined with `as`"),
            ("{handlers: {a: {as: 'x'}}}", "1:21: `as` must be one of: org.baton.folder, org.baton.file"),
            ("{schemes: ['https:']}", "1:12: a scheme must be a string such as \"https\""),
        ] as [(String, String)]) func `an error in the configuration is reported with its line and column`(
            text: String, error: String
        )
    {
        let found = configurationError(Array(text.utf8))?.description ?? "nothing"
        #expect(found.hasPrefix(error), "\(found)")
    }

    @Test(arguments: Seeds.first(300))
    func `a damaged configuration is read, or reported with a place inside the file`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var bytes = Array(Self.whole.utf8)
            for _ in 0...generator.number(0...3) {
                let place = generator.number(0...bytes.count - 1)
                switch generator.number(0...3) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(generator.pick(Array("{}[],:'\"\\/*-+.0x\n\u{0}é".utf8)), at: place)
                case 2: bytes[place] = UInt8(generator.number(0...255))
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            guard let error = configurationError(bytes) else { continue }
            let lines = bytes.reduce(1) { $0 + ($1 == 0x0a || $1 == 0x0d ? 1 : 0) }
            #expect((1...lines).contains(error.place.line) && error.place.column >= 1, "\(error)")
            #expect(error.place.column <= bytes.count + 1 && !error.text.isEmpty, "\(error)")
        }
    }

    @Test func `a configuration file that others can change is refused, and a missing one is allowed`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/c.json5"
        let environment = { (name: String) in name == "HOME" ? folder.path : nil }
        let usual = try #require(ConfigurationFile(option: nil, environment: environment))
        #expect(usual.path == folder.path + "/.config/baton/config.json5")
        #expect(try usual.read() == nil)
        let named = try #require(ConfigurationFile(option: path, environment: environment))
        #expect(
            failure { () throws(LocalFailure) in try named.read() }?.text.contains("can't be opened") == true)
        try File.write(Self.whole, to: path)
        #expect(try named.read()?.handlers.count == 4)
        #expect(chmodded(path, 0o666) == .notAllowed)
        #expect(chmodded(path, 0o664) == nil)
        if geteuid() == 0 {
            try #require(chown(path, 0, getegid() + 1) == 0)
            #expect(chmodded(path, 0o664) == .notAllowed && chmodded(path, 0o644) == nil)
            try #require(chown(path, 0, getegid()) == 0)
        }
        try File.write(String(repeating: " ", count: Configuration.fileBytes + 1), to: path)
        #expect(failure { () throws(LocalFailure) in try named.read() }?.code == .tooLarge)
        try File.write("{\n\n  handlrs: {} }", to: path)
        let wrong = failure { () throws(LocalFailure) in try named.read() }
        #expect(wrong?.code == .usage && wrong?.text.hasPrefix(path + ":3:3: `handlrs` is not a key") == true)
        let own = ConfigurationFile(option: folder.path, environment: environment)
        #expect(
            failure { () throws(LocalFailure) in try own?.read() }?.text.hasSuffix("is not a file.") == true)
    }

    /// Why a file of that mode is refused.
    private func chmodded(_ path: String, _ mode: UInt32) -> LocalFailure.Code? {
        guard chmod(path, mode) == 0 else { return .failed }
        return failure { () throws(LocalFailure) in
            try ConfigurationFile(option: path) { _ in nil }?.read()
        }?.code
    }
}

/// The error in a configuration, if there is one.
private func configurationError(_ bytes: [UInt8]) -> TextError? {
    do throws(TextError) {
        _ = try Configuration(bytes, from: "c")
        return nil
    } catch {
        return error
    }
}
