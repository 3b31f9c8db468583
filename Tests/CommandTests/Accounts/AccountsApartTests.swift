import BatonCore
import BatonSecurity
import Foundation
import Support
import Testing

/// Two machines, each a device of two accounts with one node and one port, and a third that is a device of only one.
@Suite struct `Two accounts on one port` {
    /// The name of an account, and words that occur nowhere else.
    private struct Side {
        let account: String
        let title: String
        let item: String

        var words: [String] { [title, item] }
    }

    private let home = Side(account: "default", title: "quokkasnack", item: "numbatburrow")
    private let work = Side(account: "work", title: "ledgerlumen", item: "quillstapler")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes data on a machine that only one of the accounts may ever see.
    private func write(_ side: Side, on machine: Machine) throws {
        try machine.must(
            of: side.account, "start", "org.example.x", "--title", side.title, "--instance", "here")
        try machine.must(
            of: side.account, "index", "add", "org.example.notes", "note", "--title", side.item)
    }

    /// Waits until a machine has the data that the other one wrote in that account.
    private func waitForAll(of side: Side, on machine: Machine) throws {
        try eventually("what \(machine.name) is to know of \(side.account); \(machine.log)") {
            let activities = try machine.json(of: side.account, "list")["activities"].list
            let items = try machine.json(of: side.account, "search", side.item)["results"].list
            return activities.contains { $0["title"].string == side.title } && items.count == 1
        }
    }

    @Test func `no data of one account reaches the other: on the wire, on disk or in an app`() throws {
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm", "--name", "laptopathome")
        try laptop.must(of: "work", "init", "--no-confirm", "--name", "laptopatwork")
        try laptop.startNode()
        let relay = try Relay(to: laptop.port)
        let desktop = Machine("desktop", in: folder)
        try desktop.join(laptop, account: "default", as: "desktopathome", at: relay.address)
        try desktop.join(laptop, account: "work", as: "desktopatwork", at: relay.address)
        // Two machines are introduced to each other; the third knows the address of the first, and belongs to one
        // account.
        let tablet = Machine("tablet", in: folder)
        try tablet.join(laptop, account: "default", as: "tabletathome", at: relay.address)
        let pairings = relay.connections.count
        #expect(pairings == 3)
        try desktop.startNode()
        try tablet.startNode()
        // Loopback addresses from other devices are not tried.
        try eventually("the tablet on the desktop") {
            let known = try desktop.json(of: "default", "devices")["devices"].list
            return known.contains { $0["device"]["name"].string == "tabletathome" }
        }
        try desktop.must(of: "default", "devices", "tabletathome", "--at", tablet.address)
        try desktop.waitUntilInStep(account: "default", with: 2)
        try desktop.waitUntilInStep(account: "work", with: 1)
        try tablet.waitUntilInStep(account: "default", with: 2)
        let before = relay.recordings.reduce(0) { $0 + $1.count }
        for side in [home, work] { try write(side, on: laptop) }
        for side in [home, work] { try waitForAll(of: side, on: desktop) }
        try waitForAll(of: home, on: tablet)
        #expect(relay.connections.count >= pairings + 3, "each account had a session that was heard")
        #expect(relay.recordings.reduce(0) { $0 + $1.count } > before, "what was written was heard")

        try expectNothingClear(on: relay, pairings: pairings, laptop, [laptop, desktop, tablet])
        for machine in [laptop, desktop] {
            try expectApart(on: machine, home, not: work)
            try expectApart(on: machine, work, not: home)
        }
        // A machine outside an account holds no data of it at all.
        for word in work.words + ["laptopatwork", "desktopatwork"] {
            #expect(try files(in: tablet.home, holding: word).isEmpty, "\(word) on the tablet")
        }
        let told = try tablet.must("status", "--json") + tablet.must("devices", "--json")
        let foreign = try #require(laptop.json(of: "work", "status")["account"].string)
        #expect(!told.contains(foreign))
    }

    /// Nothing recorded contains a name or an identifier, and each connection contains at most one hint.
    private func expectNothingClear(
        on relay: Relay, pairings: Int, _ laptop: Machine, _ machines: [Machine]
    ) throws {
        var secrets: [(String, [UInt8])] = []
        for word in home.words + work.words + [
            "laptopathome", "laptopatwork", "desktopathome", "desktopatwork", "tabletathome", "org.example",
        ] { secrets.append((word, Array(word.utf8))) }
        for machine in machines {
            for account in try machine.accounts().compactMap(\.["name"].string) {
                let credentials = try IdentityFolder(path: machine.identity(of: account)).load()
                for (text, bytes) in [
                    (credentials.account.description, credentials.account.bytes),
                    (credentials.device.description, credentials.device.bytes),
                ] {
                    secrets += [(text, Array(text.utf8)), (text + ", binary", bytes)]
                    secrets.append((text + ", in capitals", Array(text.uppercased().utf8)))
                }
            }
        }
        for (what, bytes) in secrets {
            #expect(!relay.recordings.contains { $0.holds(bytes) }, "\(what) was sent in clear")
        }
        let identities = try machines.flatMap { machine in
            try machine.accounts().compactMap(\.["name"].string).map {
                try IdentityFolder(path: machine.identity(of: $0)).load()
            }
        }
        for (number, connection) in relay.connections.enumerated() {
            let seen = try accounts(hintedIn: connection.there, to: identities)
            #expect(
                seen.count == (number < pairings ? 0 : 1), "connection \(number) names \(seen.count) accounts"
            )
            #expect(try accounts(hintedIn: connection.back, to: identities).isEmpty)
        }
    }

    /// The accounts of which bytes contain a hint for one of these devices.
    private func accounts(
        hintedIn bytes: [UInt8], to identities: [Credentials]
    ) throws -> Set<AccountIdentifier> {
        var found: Set<AccountIdentifier> = []
        let now = Int64(Date().timeIntervalSince1970)
        for label in bytes.split(whereSeparator: {
            !(0x30...0x39).contains($0) && !(0x61...0x7a).contains($0)
        })
        where label.count >= 52 {
            // The byte before a label is its length, which may be a digit.
            for text in [label.suffix(52), label.prefix(52)] {
                let hint = AccountHint(text: String(decoding: text, as: UTF8.self))
                for identity in identities {
                    let key = try HintKey(root: identity.root.publicKey)
                    guard try key.read(hint, for: identity.device, at: now) != nil else { continue }
                    found.insert(identity.account)
                }
            }
        }
        return found
    }

    /// A machine's data and answers about one account contain nothing of the other.
    private func expectApart(on machine: Machine, _ side: Side, not other: Side) throws {
        let folder = machine.home + "/accounts/" + side.account
        for word in side.words {
            #expect(try !files(in: folder, holding: word).isEmpty, "it can be found at all: \(word)")
        }
        for word in other.words {
            #expect(try files(in: folder, holding: word).isEmpty, "\(word) in \(folder)")
        }
        let own = try #require(machine.json(of: side.account, "status")["account"].string)
        let foreign = try #require(machine.json(of: other.account, "status")["account"].string)
        var told = ""
        for words in [["list"], ["status"], ["devices"], ["search", other.item], ["search", side.item]] {
            told += try machine.type(["baton"] + words + ["--account", side.account, "--json"]).output
        }
        #expect(told.contains(own) && told.contains(side.title) && told.contains(side.item))
        for word in other.words + [foreign, other.account == "work" ? "atwork" : "athome"] {
            #expect(!told.contains(word), "\(word) is told of \(side.account)")
        }
    }

    /// The files below a folder that contain a word.
    private func files(in folder: String, holding word: String) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        return names.filter { name in
            FileManager.default.contents(atPath: folder + "/" + name)
                .map { $0.range(of: Data(word.utf8)) != nil } ?? false
        }
    }

    @Test(.enabled(if: Stranger.isThere, "SKIPPED: the `openssl` command is not installed"))
    func `a device of one account is refused by the other account, even with a session ticket`() throws {
        let laptop = Machine("laptop", in: folder)
        try laptop.must("init", "--no-confirm", "--name", "laptop")
        try laptop.must(of: "work", "init", "--no-confirm", "--name", "laptop")
        try laptop.startNode()
        let desktop = Machine("desktop", in: folder)
        try desktop.join(laptop, account: "default", as: "desktop", at: laptop.address)
        let own = desktop.identity(of: "default")
        func right() throws -> [String] { try Stranger.hint(own) }
        func wrong() throws -> [String] { try Stranger.hint(laptop.identity(of: "work")) }
        func knock(_ options: [String]) throws -> String {
            try Stranger(at: laptop, options: Stranger.device + options).output
        }
        let refused = try knock(wrong() + Stranger.identity(own))
        #expect(!refused.contains("connected with"), "\(refused)")
        try eventually("a refusal in the log") { laptop.log.contains("was refused: ") }
        #expect(!laptop.log.contains("connected with"), "\(laptop.log)")

        // With its own hint it is accepted, and gets a ticket, which works for that account alone.
        let ticket = folder.path + "/ticket"
        let first = try knock(right() + Stranger.identity(own) + ["-sess_out", ticket])
        #expect(first.contains("New, TLSv1.3"), "\(first)")
        try eventually("the end of its session") { laptop.log.contains("no longer connected with “desktop”") }
        let sessions = laptop.log.components(separatedBy: "connected with").count
        let refusals = laptop.log.components(separatedBy: "was refused: ").count
        let elsewhere = try knock(wrong() + Stranger.identity(own) + ["-sess_in", ticket])
        #expect(!elsewhere.contains("Reused"), "\(elsewhere)")
        try eventually("another refusal") {
            laptop.log.components(separatedBy: "was refused: ").count > refusals
        }
        #expect(laptop.log.components(separatedBy: "connected with").count == sessions)
        let again = try knock(right() + Stranger.identity(own) + ["-sess_in", ticket])
        #expect(again.contains("Reused, TLSv1.3"), "\(again)")
    }
}
