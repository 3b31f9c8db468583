import BatonCore
import BatonNode
import Support
import Testing

/// Apps that ask for too much, or do not answer.
@Suite struct `A hostile app` {
    @Test func `that awaits without end is read no further, and others are served`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        let hostile = try node.connect()
        var questions: [UInt8] = []
        for number: UInt64 in 1...10_000 {
            questions += try AwaitEvent().frame(number: number).encoded
        }
        // Not all of it may fit what the kernel keeps, which blocks who writes and nobody else.
        try hostile.send(Array(questions.prefix(32 << 10)))
        var app = try ActedApp(node)
        let draft = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(draft.identifier))).source == .node)
    }

    @Test func `that registers for too much is refused`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        var app = try ActedApp(node)
        let name = AppName(app: "org.example", instance: "1")
        let long = AppRegistration(name, types: [String(repeating: "x", count: Limits.registrationBytes)])
        guard case .failure(let failure) = try app.ask(RegisterApp(long)) else {
            return #expect(Bool(false), "too long")
        }
        #expect(failure.code == .tooLarge)
        guard case .failure(let none) = try app.ask(RegisterApp(AppRegistration(name, types: []))) else {
            return #expect(Bool(false), "for nothing")
        }
        #expect(none.code == .usage)
        // All together fit an answer.
        var refused = 0
        for number in 0..<200 {
            let many = AppRegistration(
                AppName(app: "org.example", instance: "\(number)"),
                types: [String(repeating: "x", count: 16 << 10)])
            if case .failure = try app.ask(RegisterApp(many)) { refused += 1 }
        }
        #expect(refused > 100)
        guard case .success(let all) = try node.ask(ListRegistrations()).map(\.registrations) else {
            return #expect(Bool(false), "all")
        }
        #expect(all.count == 200 - refused)
        // More types than a registration may name end the connection.
        let types = (0..<10_000).map { "org.example.\($0)" }
        #expect(throws: DeadlinePassed.self) { try app.ask(RegisterApp(AppRegistration(name, types: types))) }
        try eventually("that all is gone with it") {
            guard case .success([]) = try node.ask(ListRegistrations()).map(\.registrations) else {
                return false
            }
            return true
        }
    }

    @Test func `that is silent keeps neither the node nor who continues others' activities`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.savingTime = .seconds(60) }
        var silent = try ActedApp(node)
        var app = try ActedApp(node, app: "org.other")
        let hanging = try silent.start("Hanging")
        try silent.listen()
        var waiting = try ActedApp(node)
        _ = try waiting.begin(ContinueActivity(.named(hanging.identifier)))
        guard case .save = try silent.event() else { return #expect(Bool(false), "asked") }
        let draft = try app.start("Draft")
        #expect(try node.continued(ContinueActivity(.named(draft.identifier))).source == .node)
        #expect(try node.titles().contains("Hanging"))
    }
}
