import BatonCore
import Support
import Testing

@Suite struct `Protected activities` {
    let protection = Activity.Protection(
        subject: KeyHash(high: 1, low: 2),
        content: SealedValue(key: SealKeyIdentifier(high: 3, low: 4), box: [5, 6]))

    @Test(arguments: Seeds.first(20))
    func `are the same after sealing and opening`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let activity = generator.activity()
            let sealed = activity.sealed(as: protection)
            #expect(sealed.protection?.content != nil && sealed.protection == protection)
            let kept = try Activity(sealed.fields)
            var opened = try kept.opened(by: activity.contentToSeal)
            #expect(opened.protection?.content == nil && opened.protection?.subject == protection.subject)
            opened.protection = activity.protection
            #expect(opened == activity)
        }
    }

    @Test(arguments: Seeds.first(20))
    func `contain nothing of what is sealed`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var activity = generator.activity()
        let marker = "marker-\(seed)"
        activity.title = marker
        activity.info = [.string(marker): .string(marker)]
        (activity.requiredKeys, activity.keywords) = ([marker], [marker])
        (activity.webpage, activity.referrer) = (marker, marker)
        (activity.targetContentIdentifier, activity.persistentIdentifier) = (marker, marker)
        activity.entity = Activity.Entity(type: marker, identifier: marker)
        activity.attributes[.domainIdentifier] = .plain(.string(marker))
        var writer = CBORWriter()
        activity.sealed(as: protection).fields.encode(to: &writer)
        #expect(writer.bytes.firstRange(of: marker.utf8) == nil)
    }

    @Test func `are saved under the hash that only holders of the key can compute`() {
        var activity = Activity(type: "t", started: WallTime(milliseconds: 1))
        activity.persistentIdentifier = "document 7"
        let plain = activity.savedName(by: "app")
        let sealed = activity.sealed(as: protection)
        #expect(sealed.savedName(by: "app") == SavedActivityName(app: "app", subject: protection.subject))
        #expect(sealed.savedName(by: "app") != plain)
        // The same identifier gives the same bytes to hash, whatever else the activity has.
        var other = Activity(type: "u", started: WallTime(milliseconds: 9))
        (other.persistentIdentifier, other.title) = ("document 7", "another title")
        #expect(other.subjectToHash(of: "app") == activity.subjectToHash(of: "app"))
        #expect(other.subjectToHash(of: "other app") != activity.subjectToHash(of: "app"))
    }

    @Test func `stay protected through changes that do not say otherwise`() {
        var change = ActivityChange()
        #expect(change.protects(true) && !change.protects(false))
        change.replaces = true
        #expect(!change.protects(true))
        change.isProtected = true
        #expect(change.protects(false))
        change.isProtected = false
        #expect(!change.protects(true))
    }

    @Test(arguments: [
        "80", "82500000000000000001000000000000000200", "8250000000000000000100000000000000024101",
    ])
    func `with a malformed protection are refused`(_ hex: String) {
        var fields = Activity(type: "t", started: WallTime(milliseconds: 1)).fields
        fields[.number(21)] = [UInt8](hex: hex)
        #expect(throws: CBORError.self) { try Activity(fields) }
    }
}
