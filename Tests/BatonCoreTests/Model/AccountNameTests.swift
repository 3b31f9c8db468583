import BatonCore
import Testing

/// Tests of an account's name on a machine, and of how a name is chosen.
@Suite struct `The name of an account` {
    @Test(arguments: ["default", "work", "Work-2", "_", "-", "0", String(repeating: "x", count: 32)])
    func `can have letters, digits and two punctuation characters`(text: String) throws {
        #expect(try AccountName(text).text == text)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "/", "a b", "a.b", "a\0", "a\n", "ä", "a\u{301}", "@", "[", "`", "{",
        String(repeating: "x", count: 33),
    ])
    func `can't have other characters`(text: String) {
        let failure = #expect(throws: LocalFailure.self) { try AccountName(text) }
        #expect(failure?.code == .usage)
    }

    @Test func `is the name of a folder that contains an identity`() throws {
        let home = try Home(option: "/h") { _ in nil }
        let folders = [
            "/h/accounts": ["work", "empty", "default.old", "club"],
            "/h/accounts/work/identity": ["device.pem"], "/h/accounts/club/identity": ["root.pem"],
            "/h/accounts/default.old/identity": ["device.pem"],
        ]
        #expect(home.accounts { folders[$0] ?? [] }.map(\.text) == ["club", "work"])
    }

    @Test func `is that of the only account, or the default name, if the person names none`() throws {
        let home = try Home(option: "/h") { _ in nil }
        let (work, club) = (try AccountName("work"), try AccountName("club"))
        #expect(home.meant(among: [work]) == work)
        #expect(home.meant(among: [club, work]) == .usual)
        #expect(home.meant(among: []) == .usual)
        #expect(home.of(club).meant(among: [work]) == club)
        #expect(home.of(club).account() == "/h/accounts/club" && home.account() == "/h/accounts/default")
    }

    @Test func `is read from an option if there is one, and otherwise from an environment variable`() throws {
        let environment = ["BATON_ACCOUNT": "club"]
        let named = try Home(option: "/h", account: "work") { environment[$0] }
        #expect(named.meant?.text == "work" && named.accountOption == " --account work")
        let set = try Home(option: "/h") { environment[$0] }
        #expect(set.meant?.text == "club" && set.accountOption == "")
        #expect(throws: LocalFailure.self) { try Home(option: "/h") { _ in "../x" } }
    }
}
