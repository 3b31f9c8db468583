import CoreSpotlightTesting
import Foundation
import Testing

@Suite struct TemporaryNodeTests {
    @Test func `two machines of an account share indexed items, and items survive a crash`() throws {
        let laptop = try TemporaryNode()
        let desktop = try TemporaryNode(named: "desktop", joining: laptop)
        try laptop.baton("index", "add", "org.example.notes", "n1", "--title", "Shopping list")
        try laptop.waitUntilInStep()
        #expect(try desktop.baton("search", "shopping").contains("Shopping list"))

        desktop.kill()
        #expect(throws: TestingFailure.self) { try desktop.baton("search", "shopping") }
        try desktop.start()
        #expect(try desktop.baton("search", "shopping").contains("Shopping list"))
    }

    @Test func `a missing program is reported with the variable that names its folder`() throws {
        let folder = FileManager.default.temporaryDirectory
        let failure = try #require(throws: TestingFailure.self) {
            try TemporaryNode(programs: folder)
        }
        #expect(failure.description.contains("BATON_PROGRAMS"))
    }
}
