import BatonCore
import BatonNode
import Support
import Testing

/// Apps that make too many requests, or do not answer.
@Suite struct `A hostile app` {
    @Test func `an app with thousands of open requests delays no other app`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let hostile = try node.connect()
        var questions: [UInt8] = []
        for number: UInt64 in 1...10_000 {
            questions += try AwaitEvent().frame(number: number).encoded
        }
        // More may not fit into the buffers of the kernel, which would block this writer.
        try hostile.send(Array(questions.prefix(32 << 10)))
        var app = try ActedApp(node)
        let draft = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(draft.identifier))).source == .node)
    }

    @Test func `registrations that are too large or too many are refused`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        let name = AppName(app: "org.example", instance: "1")
        let long = AppRegistration(name, types: [String(repeating: "x", count: Limits.registrationBytes)])
        guard case .failure(let failure) = try app.ask(RegisterApp(long)) else {
            return #expect(Bool(false), "a registration that is too long was accepted")
        }
        #expect(failure.code == .tooLarge)
        guard case .failure(let none) = try app.ask(RegisterApp(AppRegistration(name, types: []))) else {
            return #expect(Bool(false), "a registration without types was accepted")
        }
        #expect(none.code == .usage)
        // The limit of all registrations together lets their list fit into one answer.
        var refused = 0
        for number in 0..<200 {
            let many = AppRegistration(
                AppName(app: "org.example", instance: "\(number)"),
                types: [String(repeating: "x", count: 16 << 10)])
            if case .failure = try app.ask(RegisterApp(many)) { refused += 1 }
        }
        #expect(refused > 100)
        guard case .success(let all) = try node.ask(ListRegistrations()).map(\.registrations) else {
            return #expect(Bool(false), "the registrations were not listed")
        }
        #expect(all.count == 200 - refused)
        // A registration with more types than the limit closes the connection.
        let types = (0..<10_000).map { "org.example.\($0)" }
        #expect(throws: DeadlinePassed.self) { try app.ask(RegisterApp(AppRegistration(name, types: types))) }
        try eventually("the end of all registrations") {
            guard case .success([]) = try node.ask(ListRegistrations()).map(\.registrations) else {
                return false
            }
            return true
        }
    }

    @Test func `an app that never answers a request to save does not delay other activities`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.savingTime = .seconds(60) }
        var silent = try ActedApp(node)
        var app = try ActedApp(node, app: "org.other")
        let hanging = try silent.start("Hanging")
        try silent.listen()
        var waiting = try ActedApp(node)
        _ = try waiting.begin(ContinueActivity(.named(hanging.identifier)))
        guard case .save = try silent.event() else {
            return #expect(Bool(false), "the app was not asked to save")
        }
        let draft = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(draft.identifier))).source == .node)
        #expect(try node.titles().contains("Hanging"))
    }
}
