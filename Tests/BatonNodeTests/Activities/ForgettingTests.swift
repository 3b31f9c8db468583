import BatonCore
import BatonNode
import Support
import Testing

/// Offers that a person hides or deletes.
@Suite struct `Hiding and deleting activities` {
    @Test func `an activity that is hidden on one device stays hidden there, also after updates`() throws {
        var nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let draft = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        let forgotten = try nodes[1].ask(
            ForgetActivity(String(draft.identifier.prefix(6)), everywhere: false))
        #expect(try forgotten.get().isForgotten)
        #expect(try nodes[1].titles() == [] && nodes[0].titles() == ["Draft"])
        try app.update("Draft, changed")
        try nodes.await(["Draft, changed"], on: 1, .withForgotten)
        #expect(try nodes[1].titles() == [])
        #expect(try nodes[1].refusal(of: ContinueActivity(.last)).code == .notFound)
        try nodes.restart(1)
        #expect(try nodes[1].titles() == [])
        #expect(try nodes[1].list(.withForgotten).map(\.isForgotten) == [true])
        #expect(
            try nodes[1].refusal(of: ContinueActivity(.named(draft.activity.type))).code
                == .notFound)
        // Its ID still finds it.
        #expect(try nodes[1].continued(ContinueActivity(.named(draft.identifier))).summary.isForgotten)
        try app.finish()
        try app.start("Another")
        try nodes.await(["Another"], on: 1)
    }

    @Test func `an activity that is deleted everywhere ends on its device, and its app is notified`() throws {
        let nodes = try ConnectedNodes(["near", "far"])
        var app = try ActedApp(nodes[0])
        let draft = try app.start("Draft")
        try nodes.await(["Draft"], on: 1)
        _ = try nodes[1].ask(ForgetActivity(draft.identifier, everywhere: true))
        try nodes.await([], on: 0)
        guard case .ended("1") = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
        #expect(try nodes[0].titles(.finished) == [], "it is kept as finished")
        // The same on its own device.
        let other = try app.start("Other")
        try nodes.await(["Other"], on: 1)
        _ = try nodes[0].ask(ForgetActivity(other.identifier, everywhere: true))
        guard case .ended("1") = try app.event() else {
            return #expect(Bool(false), "the app was not notified")
        }
        try nodes.await([], on: 1)
        #expect(
            try nodes[0].refusal(of: ForgetActivity(other.identifier, everywhere: true)).code == .notFound)
    }
}
