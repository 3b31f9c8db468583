import Testing
import os.log

@Suite struct `A file that imports os.log` {
    @Test func `can use the types that os declares`() {
        let log = OSLog(subsystem: "org.example.notes", category: "sync")
        #expect(log.isEnabled(type: .info) && OSLogType.error.rawValue == 16)
        let write: (String) -> Void = { Logger(log).debug("\($0)") }
        withExtendedLifetime(write) {}
    }
}
