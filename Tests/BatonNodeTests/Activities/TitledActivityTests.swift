import BatonCore
import Support
import Testing

@Suite struct `An activity that is named by its title` {
    @Test func `a file is found by its name even if the title of its shell has that name, too`()
        throws
    {
        let nodes = try ConnectedNodes(["near", "far"])
        var shell = try ActedApp(nodes[0], app: "org.baton.shell")
        var editor = try ActedApp(nodes[0], app: "org.baton.vim")
        try shell.start("vim a.txt — src", instance: "prompt-7-1", type: "org.baton.folder") { change in
            change.set = [.string("folder"): .string("~/src"), .string("command"): .string("vim a.txt")]
        }
        try nodes.await(["vim a.txt — src"], on: 1)
        try editor.start("a.txt — src", type: "org.baton.file") { change in
            change.set = [.string("file"): .string("~/src/a.txt"), .string("shell"): .string("prompt-7-1")]
        }
        try nodes.await(["vim a.txt — src", "a.txt — src"], on: 1)
        for node in nodes.nodes {
            let continued = try node.continued(ContinueActivity(.named("a.txt")))
            #expect(continued.summary.activity.title == "a.txt — src")
        }
        try editor.finish()
        try nodes.await(["vim a.txt — src"], on: 1)
        let continued = try nodes[1].continued(ContinueActivity(.named("a.txt")))
        #expect(continued.summary.activity.title == "vim a.txt — src")
    }

    @Test func `the latest activity is the latest listed one, or the latest of all if none is listed`() throws
    {
        let nodes = try ConnectedNodes(["near", "far"])
        var shell = try ActedApp(nodes[0], app: "org.baton.shell")
        var editor = try ActedApp(nodes[0], app: "org.baton.vim")
        try editor.start("a.txt", type: "org.baton.file") { change in
            change.set = [.string("file"): .string("~/src/a.txt"), .string("shell"): .string("prompt-7-1")]
        }
        try untilLater()
        try shell.start("vim a.txt — src", instance: "prompt-7-1", type: "org.baton.folder") { change in
            change.set = [.string("folder"): .string("~/src"), .string("command"): .string("vim a.txt")]
        }
        try untilLater()
        try shell.start("~", instance: "prompt-8-1", type: "org.baton.folder") { change in
            change.set = [.string("folder"): .string("~")]
        }
        try nodes.await(["a.txt", "vim a.txt — src", "~"], on: 1)
        #expect(try nodes[1].continued().summary.activity.title == "a.txt")
        try editor.finish()
        try nodes.await(["vim a.txt — src", "~"], on: 1)
        #expect(try nodes[1].continued().summary.activity.title == "vim a.txt — src")
        try shell.finish(instance: "prompt-7-1")
        try nodes.await(["~"], on: 1)
        #expect(try nodes[1].continued().summary.activity.title == "~")
    }

    @Test func `a title that matches several activities is refused, with their devices and ages`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let one = try app.start("Draft 1", instance: "1")
        try untilLater()
        let two = try app.start("Draft 2", instance: "2")
        try nodes.await(["Draft 1", "Draft 2"], on: 1)
        let elsewhere = try nodes[1].refusal(of: ContinueActivity(.named("draft"))).text
        for (summary, title) in [(one, "Draft 1"), (two, "Draft 2")] {
            #expect(elsewhere.contains("\(summary.identifier.prefix(8)) “\(title)” (near, "), "\(elsewhere)")
        }
        let here = try nodes[0].refusal(of: ContinueActivity(.named("draft"))).text
        #expect(here.contains("“Draft 1” (here, ") && here.contains("“Draft 2” (here, "), "\(here)")
    }
}
