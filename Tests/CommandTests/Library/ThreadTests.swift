import Foundation
import Support
import Testing

/// An app whose threads all use the library at once; `make sanitize` builds the app with the thread sanitizer.
@Suite struct `Threads of an app` {
    /// The folder of the app.
    private static let folder = ProcessInfo.processInfo.environment["BATON_SANITIZED"] ?? Products.folder

    @Test func `eight threads index, fetch and use activities without a data race, and callbacks are serial`()
        throws
    {
        let account = try Account("laptop")
        let machine = account[0]
        let rounds = 20
        machine.variables["BATON_APP"] = "org.example.threads"
        machine.variables["XDG_STATE_HOME"] = machine.home + ".state"
        let app = try machine.begin([Self.folder + "/IndexingApp", "threads", "8", "\(rounds)"])
        let status = try app.wait(within: .seconds(240))
        // The sanitizer ends the program with 66 after it has reported a race.
        #expect(status == 0, "\(app.output) \(app.errors.prefix(20_000))")
        #expect(!app.errors.contains("ThreadSanitizer"), "\(app.errors.prefix(20_000))")
        #expect(
            app.output == "accepted \(8 * 3 * rounds) ended \(8 * rounds) found true saved true\ndone\n")
        // The last two items of each thread are left in the shared index, and all in the threads' own indexes.
        let state = try machine.must("doctor", "--app", "org.example.threads")
        #expect(state.contains("\(8 * 2 + 8 * 2 * rounds) items"), "\(state)")
    }
}
