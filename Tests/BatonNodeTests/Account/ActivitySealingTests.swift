import BatonCore
import BatonSecurity
import Support
import Testing

@testable import BatonNode

/// Sealing and opening activities at the node's boundary.
@Suite struct `The sealing of activities` {
    let sealing: ActivitySealing
    let activity: Activity

    init() throws {
        sealing = ActivitySealing(with: try ContentKey(secret: SecretBytes.random(count: 32)), options: "")
        var activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 5))
        (activity.title, activity.info) = ("a title", [.string("line"): .integer(42)])
        self.activity = activity
    }

    @Test func `an activity that is not protected stays as it is`() throws {
        #expect(try sealing.seal(activity, of: "app", isProtected: false) == activity)
        #expect(sealing.shown(activity, of: "app") == activity)
    }

    @Test func `a sealed activity is shown with its content, and can be unsealed`() throws {
        let sealed = try sealing.seal(activity, of: "app", isProtected: true)
        #expect(sealed.protection?.content != nil && sealed.title == nil && sealed.info.isEmpty)
        var shown = sealing.shown(sealed, of: "app")
        #expect(shown.protection != nil && shown.protection?.content == nil)
        shown.protection = nil
        #expect(shown == activity)
        let opened = try sealing.demandOpen(sealed, of: "app")
        let plain = try sealing.seal(
            opened, of: "app", isProtected: false, replacing: (sealed, opened))
        #expect(plain == activity)
    }

    @Test func `an update with the same content keeps the sealed bytes`() throws {
        let sealed = try sealing.seal(activity, of: "app", isProtected: true)
        let opened = try sealing.demandOpen(sealed, of: "app")
        #expect(try sealing.seal(opened, of: "app", isProtected: true, replacing: (sealed, opened)) == sealed)
        var changed = opened
        changed.title = "another title"
        let again = try sealing.seal(
            changed, of: "app", isProtected: true, replacing: (sealed, opened))
        #expect(again.protection?.content != sealed.protection?.content)
        #expect(sealing.shown(again, of: "app").title == "another title")
    }

    @Test func `an update compares with the content that was opened, and opens nothing again`()
        throws
    {
        let sealed = try sealing.seal(activity, of: "app", isProtected: true)
        let opened = try sealing.demandOpen(sealed, of: "app")
        let unreadable = try Self.damaged(sealed)
        let again = try sealing.seal(
            opened, of: "app", isProtected: true, replacing: (unreadable, opened))
        #expect(again == unreadable)
    }

    @Test func `an activity that becomes protected is sealed, although its content is the same`() throws {
        let sealed = try sealing.seal(
            activity, of: "app", isProtected: true, replacing: (activity, activity))
        #expect(sealed.protection?.content != nil && sealed.title == nil)
        #expect(sealing.shown(sealed, of: "app").title == "a title")
    }

    /// Returns the activity with one bit of its sealed content changed.
    private static func damaged(_ sealed: Activity) throws -> Activity {
        let content = try #require(sealed.protection?.content)
        var box = content.box
        box[box.count - 1] ^= 1
        var damaged = sealed
        damaged.protection?.content = SealedValue(key: content.key, box: box)
        return damaged
    }

    @Test func `content that was changed or belongs to another activity is shown as unreadable`() throws {
        let sealed = try sealing.seal(activity, of: "app", isProtected: true)
        let damaged = try Self.damaged(sealed)
        var moved = Activity(type: activity.type, started: WallTime(milliseconds: 6))
        moved.protection = sealed.protection
        for (unreadable, app) in [(damaged, "app"), (moved, "app"), (sealed, "other app")] {
            let shown = sealing.shown(unreadable, of: app)
            #expect(shown.title == "something of \(app) that can't be opened" && shown.info.isEmpty)
            #expect(throws: LocalFailure.self) { try sealing.demandOpen(unreadable, of: app) }
        }
    }

    @Test func `a saved activity is deleted by its identifier without being opened`() throws {
        var named = activity
        named.persistentIdentifier = "document 7"
        let sealed = try sealing.seal(named, of: "app", isProtected: true)
        #expect(try sealing.savedName(of: "document 7", by: "app") == sealed.savedName(by: "app"))
    }
}
