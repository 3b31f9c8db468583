import Glibc
import Testing

@testable import BatonCommand

/// The users in `/etc/passwd`.
@Suite struct `Users of this machine` {
    private static let text = """
        root:x:0:0:root:/root:/bin/bash
        # a comment
        broken:x:1000
        ada:x:1000:1000:Ada,,,:/home/ada:/bin/zsh
        ada2:x:1000:1000::/home/ada2:/bin/sh
        +::::::
        """

    private func entry(of user: uid_t) -> UserEntry? { UserEntry(of: user, in: Array(Self.text.utf8)[...]) }

    @Test func `a user is found by number in the first entry with that number`() {
        #expect(entry(of: 1000)?.name == "ada" && entry(of: 1000)?.home == "/home/ada")
        #expect(entry(of: 0)?.home == "/root")
    }

    @Test func `a user without an entry in the file is unknown`() { #expect(entry(of: 54_321) == nil) }

    @Test func `a user without an entry gets the name in LOGNAME`() {
        guard UserEntry(of: getuid()) == nil else {
            #expect(UserEntry.ownName(environment: { _ in "other" }) == UserEntry(of: getuid())?.name)
            return
        }
        #expect(UserEntry.ownName(environment: { $0 == "LOGNAME" ? "ada" : nil }) == "ada")
    }
}
