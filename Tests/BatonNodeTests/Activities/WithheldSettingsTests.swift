import BatonCore
import BatonNode
import Foundation
import Support
import Testing

/// Tests that everything a person withholds stays withheld, whatever is lost, damaged or put back.
@Suite struct `Privacy settings and switches` {
    /// The things that a person withholds.
    enum Withheld: CaseIterable {
        case everything, app

        /// The change that withholds it, and the one that shares it again.
        func change(isWithheld: Bool) -> ChangeSetting {
            switch self {
            case .everything: ChangeSetting(Setting.private.rawValue, to: isWithheld ? 1 : 0)
            case .app: ChangeSetting("handoff org.example", to: isWithheld ? 0 : 1)
            }
        }
    }

    /// Starts an activity on the first node, and expects that it stays there although the two exchange changes.
    private func expectWithheld(
        _ nodes: ConnectedNodes, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try nodes.waitUntilConnected()
        var app = try ActedApp(nodes[0])
        let summary = try app.start("Secret")
        #expect(summary.isPrivate, comment, sourceLocation: sourceLocation)
        // A private node holds its index back, so it is never in step; but it still takes what the other one does.
        var other = try ActedApp(nodes[1])
        let later = "After \(summary.identifier)"
        _ = try other.start(later)
        try eventually("what came after it") { try nodes[0].titles().contains(later) }
        #expect(try !nodes[1].titles().contains("Secret"), comment, sourceLocation: sourceLocation)
        _ = try other.finish()
    }

    @Test(arguments: Withheld.allCases)
    func `withheld data stays withheld after damage or loss of a database or of one settings file`(
        _ withheld: Withheld
    ) throws {
        var nodes = try ConnectedNodes(["near", "far"])
        #expect(try nodes[0].ask(withheld.change(isWithheld: true)).isSuccess)
        let folder = nodes[0].home.account()
        for loss in AccountLoss.allCases {
            nodes.end(0)
            try loss.strike(folder, SettingsFiles(folder: folder).paths)
            try nodes.start(0)
            try expectWithheld(nodes, "\(loss)")
            #expect(try nodes[0].ask(GetSettings()).get().doubt == nil, "\(loss)")
        }
    }

    @Test(arguments: [false, true])
    func `a node whose settings are lost is private until its person decides, and reports that`(
        isDamaged: Bool
    ) throws {
        var nodes = try ConnectedNodes(["near", "far"])
        nodes.end(0)
        for path in SettingsFiles(folder: nodes[0].home.account()).paths {
            if isDamaged {
                try AccountLoss.damage(path)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        // It stays so, also when the files can be read again.
        for _ in 0..<2 {
            try nodes.start(0)
            try expectWithheld(nodes, "lost")
            let status = try nodes[0].status()
            #expect(
                status.troubles.contains {
                    $0.contains("could not be read") && $0.contains("`baton private off")
                }, "\(status.troubles)")
            #expect(try nodes[0].ask(Withheld.app.change(isWithheld: false)).get().doubt == .lost)
            nodes.end(0)
        }
        try nodes.start(0)
        #expect(try nodes[0].ask(Withheld.everything.change(isWithheld: false)).get().doubt == nil)
        try nodes.waitUntilConnected()
        var app = try ActedApp(nodes[0])
        try app.start("Shared")
        try nodes.await(["Shared"], on: 1)
        #expect(try nodes[0].status().troubles.isEmpty)
    }

    @Test(arguments: Withheld.allCases)
    func `restoring an older backup does not share what is withheld now`(_ withheld: Withheld) throws {
        let nodes = try ConnectedNodes(["near", "far"])
        let path = nodes.folder.path + "/backup"
        try nodes[0].backUp(to: path)
        #expect(try nodes[0].ask(withheld.change(isWithheld: true)).isSuccess)
        try nodes[0].restore(from: path)
        try expectWithheld(nodes, "restored")
        #expect(try nodes[0].ask(GetSettings()).get().doubt == nil)
    }

    @Test(arguments: Withheld.allCases)
    func `restoring a backup withholds what was withheld when it was made`(_ withheld: Withheld) throws {
        let nodes = try ConnectedNodes(["near", "far"])
        #expect(try nodes[0].ask(withheld.change(isWithheld: true)).isSuccess)
        let path = nodes.folder.path + "/backup"
        var app = try ActedApp(nodes[0])
        try app.start("Private then", lifetime: .untilFinished)
        try nodes[0].backUp(to: path)
        #expect(
            try app.ask(FinishActivity(.instance(app: "org.example", instance: "1"))).isSuccess)
        #expect(try nodes[0].ask(withheld.change(isWithheld: false)).isSuccess)
        try nodes[0].restore(from: path)
        try expectWithheld(nodes, "restored")
        #expect(try nodes[1].titles() == [])
        guard withheld == .everything else { return }
        #expect(try nodes[0].ask(GetSettings()).get().doubt == .earlierPrivate)
        let trouble = try #require(try nodes[0].status().troubles.first)
        #expect(trouble.contains("was private when the restored backup was made"))
    }

    @Test(arguments: [false, true])
    func
        `a restored backup does not count as an older copy of the home, even after restarts and lost databases`(
            isLost: Bool
        ) throws
    {
        var nodes = try ConnectedNodes(["near", "far"]) { $0.unsyncedTime = .zero }
        let home = nodes[0].home
        let path = nodes.folder.path + "/backup"
        try nodes[0].backUp(to: path)
        try untilLater()
        var app = try ActedApp(nodes[0])
        try app.start("Since")
        try nodes.await(["Since"], on: 1)
        try nodes.waitUntilInStep()
        for place in 0...1 { nodes.end(place) }
        if isLost {
            for lane in Lane.allCases { try AccountLoss.removeDatabase(of: lane, in: home.account()) }
        }
        try untilLater()
        _ = try home.restore(path, isConfirmed: true)
        try nodes.start(0)
        nodes.end(0)
        try nodes.start(0)
        try nodes.start(1)
        try eventually("what it wrote since: \(nodes[0].lines)") {
            nodes[0].lines.contains { $0.contains("“far” has changes") && $0.contains("in the backup of") }
        }
        try nodes.waitUntilConnected()
        #expect(try nodes[0].ask(GetSettings()).get().doubt == nil)
        app = try ActedApp(nodes[0])
        #expect(try !app.start("Shared").isPrivate)
        try eventually("what it does now: \(nodes[1].lines)") { try nodes[1].titles().contains("Shared") }
        // Once all is here again, the backup explains nothing.
        try eventually("no trouble: \(nodes[0].lines)") { try nodes[0].status().troubles.isEmpty }
        nodes.end(0)
        try nodes.start(0)
        try nodes.waitUntilConnected()
        #expect(try nodes[0].status().troubles.isEmpty)
    }

    @Test func `a node whose home is an older copy is private until its person decides`() throws {
        var nodes = try ConnectedNodes(["near", "far"]) { $0.unsyncedTime = .zero }
        let home = nodes[0].home.data
        var app = try ActedApp(nodes[0])
        try app.start("Before")
        try nodes.await(["Before"], on: 1)
        nodes.end(0)
        try FileManager.default.copyItem(atPath: home, toPath: home + ".copy")
        try nodes.start(0)
        try nodes.waitUntilConnected()
        try untilLater()
        app = try ActedApp(nodes[0])
        try app.start("Between")
        try nodes.await(["Between"], on: 1)
        try nodes.waitUntilInStep()
        #expect(try nodes[0].ask(Withheld.everything.change(isWithheld: true)).isSuccess)
        try nodes.await([], on: 1)
        nodes.end(0)
        try FileManager.default.removeItem(atPath: home)
        try FileManager.default.moveItem(atPath: home + ".copy", toPath: home)
        try untilLater()
        try nodes.start(0)
        try eventually("an older copy: \(nodes[0].lines)") {
            try nodes[0].ask(GetSettings()).get().doubt == .older
        }
        try expectWithheld(nodes, "older")
        #expect(try nodes[0].status().troubles.contains { $0.contains("an older copy of its home") })
        #expect(try nodes[0].ask(Withheld.everything.change(isWithheld: false)).get().doubt == nil)
        try nodes.await(["Secret"], on: 1)
    }
}
