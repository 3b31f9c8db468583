import CoreSpotlight
import Foundation
import Glibc
import Intents
import Support
import Testing

/// A home without a node, for all tests of this process.
private enum NoNode {
    static let folder: TemporaryFolder? = {
        guard let folder = try? TemporaryFolder() else { return nil }
        setenv("BATON_HOME", folder.path + "/home", 1)
        setenv("BATON_APP", "org.example.tests", 1)
        return folder
    }()
}

@Suite struct `A donated interaction` {
    /// An intent of an app, as Xcode would generate it.
    private final class OpenNoteIntent: INIntent {
        var note: String?
    }

    /// Donates as code does that has nothing to wait for.
    private func donateWithoutWaiting(_ interaction: INInteraction) {
        interaction.donate()
        interaction.donate(completion: nil)
    }

    @Test func `is refused without a node, by the async method and the completion handler`() async throws {
        _ = try #require(NoNode.folder)
        let intent = OpenNoteIntent()
        intent.note = "Report"
        intent.suggestedInvocationPhrase = "Open the report"
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.groupIdentifier = "notes"
        donateWithoutWaiting(interaction)
        await #expect(throws: INIntentError.self) { try await interaction.donate() }
        let error = await withCheckedContinuation { continuation in
            interaction.donate { continuation.resume(returning: $0 as? INIntentError) }
        }
        #expect(error?.code == .donatingInteraction && error?._nsError.domain == "IntentsErrorDomain")
        #expect(error?.localizedDescription.contains("baton init") == true, "\(String(describing: error))")
        for (code, call) in Self.deletions {
            do {
                try await call()
                Issue.record("\(code) is accepted")
            } catch let error as INIntentError {
                #expect(error.code == code)
            }
        }
        let code = await withCheckedContinuation { continuation in
            INInteraction.deleteAll { continuation.resume(returning: ($0 as? INIntentError)?.code) }
        }
        #expect(code == .deletingAllInteractions)
    }

    private static let deletions: [(INIntentError.Code, @Sendable () async throws -> Void)] = [
        (.deletingAllInteractions, { try await INInteraction.deleteAll() }),
        (.deletingInteractionWithIdentifiers, { try await INInteraction.delete(with: ["1"]) }),
        (.deletingInteractionWithGroupIdentifier, { try await INInteraction.delete(with: "notes") }),
    ]

    @Test func `fails with errors that have Apple's codes`() {
        #expect(INIntentError.Code.allCases.map(\.rawValue) == Array(1900...1904))
        let error = INIntentError(.donatingInteraction) as any Error
        #expect(
            INIntentError.donatingInteraction ~= error && !(INIntentError.deletingAllInteractions ~= error))
        #expect(INIntentError.donatingInteraction ~= (error as NSError) as any Error)
    }

    @Test(arguments: [true, false]) func `survives an archive and a copy`(hasDate: Bool) throws {
        let intent = INIntent()
        intent.suggestedInvocationPhrase = "Open the report"
        intent.shortcutAvailability = [.sleepMusic, .sleepReading]
        let interaction = INInteraction(intent: intent, response: INIntentResponse())
        interaction.direction = .outgoing
        interaction.groupIdentifier = "notes"
        interaction.dateInterval =
            hasDate ? DateInterval(start: Date(timeIntervalSince1970: 5), duration: 60) : nil
        let data = try NSKeyedArchiver.archivedData(withRootObject: interaction, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: INInteraction.self, from: data))
        let copy = try #require(interaction.copy() as? INInteraction)
        #expect(copy.intent !== intent)
        for other in [back, copy] {
            #expect(other.identifier == interaction.identifier && other.groupIdentifier == "notes")
            #expect(other.direction == .outgoing && other.dateInterval == interaction.dateInterval)
            #expect(other.intentHandlingStatus == .unspecified && other.intentResponse != nil)
            #expect(other.intent.suggestedInvocationPhrase == "Open the report")
            #expect(other.intent.shortcutAvailability == [.sleepMusic, .sleepReading])
        }
    }
}

@Suite struct `An intent of an app's own class` {
    private final class PlayIntent: INIntent {
        var song: String?
    }

    private final class PlayResponse: INIntentResponse {}

    @Test func `keeps its properties in a copied interaction`() throws {
        let (intent, response) = (PlayIntent(), PlayResponse())
        intent.song = "Yesterday"
        let interaction = INInteraction(intent: intent, response: response)
        let copy = try #require(interaction.copy() as? INInteraction)
        #expect((copy.intent as? PlayIntent)?.song == "Yesterday")
        #expect(copy.intentResponse is PlayResponse)
    }

    @Test func `is dated when its interaction is made`() throws {
        let before = Date()
        let interaction = INInteraction(intent: PlayIntent(), response: nil)
        let interval = try #require(interaction.dateInterval)
        #expect(interval.duration == 0 && interval.start >= before && interval.start <= Date())
        #expect(interaction.identifier != INInteraction(intent: PlayIntent(), response: nil).identifier)
    }
}

@Suite struct `An INObject in an intent` {
    private final class Song: INObject {}

    @Test func `survives an archive and a copy`() throws {
        let object = INObject(identifier: "song-1", display: "Yesterday", pronunciationHint: "yes-ter-day")
        object.subtitleString = "The Beatles"
        object.displayImage = INImage(imageData: Data([1, 2, 3]))
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: INObject.self, from: data))
        let copy = try #require(object.copy() as? INObject)
        for other in [back, copy] {
            #expect(other !== object && other.identifier == "song-1" && other.displayString == "Yesterday")
            #expect(other.pronunciationHint == "yes-ter-day" && other.subtitleString == "The Beatles")
            #expect(other.displayImage == INImage(imageData: Data([1, 2, 3])))
        }
    }

    @Test func `that is an app's subclass is copied as that subclass`() {
        #expect(Song(identifier: nil, display: "Help!").copy() is Song)
    }

    @Test func `can have an image, and be listed in a collection`() {
        let object = INObject(
            identifier: "a", display: "A", subtitle: "b", image: INImage(imageData: Data([1, 2, 3])))
        #expect(object.displayImage?.description.contains("3 bytes") == true)
        #expect(INImage(url: URL(fileURLWithPath: "/a.png"))?.description.contains("file:///a.png") == true)
        #expect(INObjectCollection(items: [object]).allItems == [object])
    }
}

@Suite struct `A value in an intent` {
    /// Writes an object to an archive and reads it.
    private func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
    }

    @Test(arguments: ["12.34", "0.1", "-99999999999999999999.000000001"])
    func `can be a currency amount with all its digits`(digits: String) throws {
        let amount = INCurrencyAmount(amount: NSDecimalNumber(string: digits), currencyCode: "EUR")
        let back = try archived(amount)
        #expect(back == amount && back.hash == amount.hash && back.amount?.stringValue == digits)
        #expect(back.currencyCode == "EUR")
        #expect(amount != INCurrencyAmount(amount: NSDecimalNumber(string: digits), currencyCode: "CHF"))
        #expect(amount != INCurrencyAmount(amount: NSDecimalNumber(string: "7"), currencyCode: "EUR"))
    }

    @Test func `can be a balance of money or of miles`() throws {
        let (money, miles) = (
            INBalanceAmount(amount: 5, currencyCode: "EUR"), INBalanceAmount(amount: 5, balanceType: .miles)
        )
        #expect(money.balanceType == .money && miles.currencyCode == nil && money != miles)
        for balance in [money, miles] {
            let back = try archived(balance)
            #expect(back == balance && back.hash == balance.hash && back.balanceType == balance.balanceType)
        }
    }

    @Test(arguments: [true, false, nil]) func `can be the focus status that a person shares`(isFocused: Bool?)
        throws
    {
        let intent = INShareFocusStatusIntent(focusStatus: INFocusStatus(isFocused: isFocused))
        intent.suggestedInvocationPhrase = "Leave me alone"
        let copy = try #require(intent.copy() as? INShareFocusStatusIntent)
        for other in [try archived(intent), copy] {
            #expect(other !== intent && other.suggestedInvocationPhrase == "Leave me alone")
            #expect(other.focusStatus != nil && other.focusStatus?.isFocused == isFocused)
        }
        let unknown = try archived(INShareFocusStatusIntent(focusStatus: nil))
        #expect(unknown.focusStatus == nil)
    }
}

@Suite struct `A person's invocation phrase` {
    @Test func `is never found, because no voice shortcuts exist`() async throws {
        let center = INVoiceShortcutCenter.shared
        #expect(try await center.allVoiceShortcuts().isEmpty)
        let count = await withCheckedContinuation { continuation in
            center.getAllVoiceShortcuts { shortcuts, error in
                continuation.resume(returning: error == nil ? shortcuts?.count : nil)
            }
        }
        #expect(count == 0)
    }

    @Test func `names the shortcut for which it was made`() throws {
        let intent = INIntent()
        let (shortcut, identifier) = (try #require(INShortcut(intent: intent)), UUID())
        let voice = INVoiceShortcut(identifier: identifier, invocationPhrase: "Go", shortcut: shortcut)
        #expect(voice.identifier == identifier && voice.invocationPhrase == "Go")
        #expect(voice.shortcut == shortcut && shortcut == .intent(intent) && shortcut != .intent(INIntent()))
        #expect(shortcut.intent === intent && shortcut.userActivity == nil)
    }
}

@Suite struct `An assistant` {
    @Test func `is reported as restricted`() async {
        let status = await withCheckedContinuation { continuation in
            INPreferences.requestSiriAuthorization { continuation.resume(returning: $0) }
        }
        #expect(status == .restricted && INPreferences.siriAuthorizationStatus() == .restricted)
    }

    @Test func `gets resolution results of the requested class`() {
        #expect(type(of: INStringResolutionResult.success(with: "a")) == INStringResolutionResult.self)
        #expect(type(of: INIntegerResolutionResult.needsValue()) == INIntegerResolutionResult.self)
        #expect(type(of: INBooleanResolutionResult.unsupported()) == INBooleanResolutionResult.self)
        #expect(INExtension().handler(for: INIntent()) == nil)
    }

    @Test func `gets a text without a translation unchanged`() {
        let text = NSString.deferredLocalizedIntentsString(with: "Open %@ and %@", "one", "two")
        #expect(text as String == "Open one and two")
        #expect(NSString.deferredLocalizedIntentsString(with: "100 %") as String == "100 %")
    }
}

@Suite struct `An activity that is suggested as a shortcut` {
    @Test func `keeps its suggested invocation phrase`() {
        let activity = NSUserActivity(activityType: "org.example.notes.open")
        #expect(activity.suggestedInvocationPhrase == nil && activity.shortcutAvailability == [])
        activity.suggestedInvocationPhrase = "Open my notes"
        activity.shortcutAvailability = .sleepJournaling
        #expect(activity.suggestedInvocationPhrase == "Open my notes")
        #expect(activity.shortcutAvailability == .sleepJournaling)
        activity.suggestedInvocationPhrase = nil
        #expect(activity.suggestedInvocationPhrase == nil && activity.interaction == nil)
    }

    @Test func `can be made a shortcut`() async throws {
        let activity = NSUserActivity(activityType: "org.example.notes.open")
        let shortcut = INShortcut(userActivity: activity)
        #expect(shortcut.userActivity === activity && shortcut.intent == nil)
        #expect(shortcut == .userActivity(activity) && shortcut.description.contains("userActivity"))
        INVoiceShortcutCenter.shared.setShortcutSuggestions([shortcut])
        let relevant = INRelevantShortcut(shortcut: shortcut)
        relevant.relevanceProviders = [
            INDateRelevanceProvider(start: .now, end: nil),
            INDailyRoutineRelevanceProvider(situation: .commute),
        ]
        #expect(
            relevant.shortcutRole == .action && relevant.watchTemplate == nil && relevant.widgetKind == nil)
        let template = INDefaultCardTemplate(title: "Notes")
        template.subtitle = "Three of them"
        relevant.watchTemplate = template.copy() as? INDefaultCardTemplate
        #expect(
            relevant.watchTemplate?.title == "Notes" && relevant.watchTemplate?.subtitle == "Three of them")
        try await INRelevantShortcutStore.default.setRelevantShortcuts([relevant])
    }
}
