import Foundation
import Intents
import Testing

/// Writes an object to an archive and reads it.
private func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
}

/// The ways in which an app gives a picture.
enum PictureForm: CaseIterable {
    case address, name, bytes

    var picture: INImage? {
        switch self {
        case .address: INImage(url: URL(fileURLWithPath: "/a.png"))
        case .name: INImage(named: "face")
        case .bytes: INImage(imageData: Data([1, 2, 3]))
        }
    }
}

@Suite struct `A person of an intent` {
    private func person(_ name: String?, picture: INImage? = nil) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: "anna@a.example", type: .emailAddress, label: .work),
            nameComponents: PersonNameComponents(givenName: "Anna", familyName: "Ek"), displayName: name,
            image: picture, contactIdentifier: "contact", customIdentifier: "custom",
            aliases: [
                INPersonHandle(value: "1", type: .phoneNumber), INPersonHandle(value: nil, type: .unknown),
            ],
            suggestionType: .instantMessageAddress)
    }

    @Test(arguments: PictureForm.allCases) func `survives an archive`(form: PictureForm) throws {
        let picture = form.picture
        let person = person("Anna", picture: picture)
        let back = try archived(person)
        #expect(back == person && back.hash == person.hash && back.image == picture)
        #expect(back.personHandle?.type == .emailAddress && back.personHandle?.label == .work)
        #expect(back.nameComponents?.familyName == "Ek" && back.contactIdentifier == "contact")
        #expect(back.customIdentifier == "custom" && back.suggestionType == .instantMessageAddress)
        #expect(back.aliases?.map(\.value) == ["1", nil] && !back.isMe && back.relationship == nil)
        #expect(back.copy() as? INPerson == person)
        #expect(person != self.person("Bo", picture: picture))
    }

    @Test func `keeps whether it is the user, a relative or a suggested contact`() throws {
        let handle = INPersonHandle(value: "a", type: .unknown)
        let me = INPerson(
            personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
            customIdentifier: nil, isMe: true)
        let sister = INPerson(
            personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
            customIdentifier: nil, relationship: .sister)
        let contact = INPerson(
            personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
            customIdentifier: nil, isContactSuggestion: true, suggestionType: .none)
        #expect(try archived(me).isMe && !archived(sister).isMe)
        #expect(try archived(sister).relationship == .sister && archived(contact).isContactSuggestion)
        #expect(me != sister && sister != contact)
    }

    @Test func `uses the display name as its name, else the name components, else the handle`() {
        #expect(person("A. Ek").displayName == "A. Ek" && person(nil).displayName == "Anna Ek")
        let nameless = INPerson(
            personHandle: INPersonHandle(value: "anna", type: .unknown), nameComponents: nil,
            displayName: nil,
            image: nil, contactIdentifier: nil, customIdentifier: nil)
        #expect(nameless.displayName == "anna" && nameless.spokenPhrase == "anna")
    }
}

@Suite struct `A message intent` {
    private func message(sender: INPerson? = nil, group: String? = nil, to names: String...)
        -> INSendMessageIntent
    {
        INSendMessageIntent(
            recipients: names.map { Self.person($0) }, outgoingMessageType: .outgoingMessageText,
            content: "Hello", speakableGroupName: group.map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: "chat-1", serviceName: "Chat", sender: sender,
            attachments: [
                INSendMessageAttachment(
                    audioMessageFile: INFile(data: Data([1]), filename: "a.wav", typeIdentifier: nil))
            ])
    }

    private static func person(_ name: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: name, type: .unknown), nameComponents: nil, displayName: name,
            image: nil, contactIdentifier: nil, customIdentifier: nil)
    }

    @Test func `survives an archive and a copy`() throws {
        let message = message(sender: Self.person("Cy"), group: "Team", to: "Anna", "Bo")
        (message.suggestedInvocationPhrase, message.shortcutAvailability) = ("Write", .sleepMusic)
        message.setImage(INImage(named: "team"), forParameterNamed: \.speakableGroupName)
        let copy = try #require(message.copy() as? INSendMessageIntent)
        let back = try archived(message)
        for other in [back, copy] {
            #expect(other !== message && other.recipients == message.recipients && other.content == "Hello")
            #expect(other.outgoingMessageType == .outgoingMessageText && other.serviceName == "Chat")
            #expect(other.speakableGroupName == INSpeakableString(spokenPhrase: "Team"))
            #expect(other.conversationIdentifier == "chat-1" && other.sender == message.sender)
            #expect(other.suggestedInvocationPhrase == "Write" && other.shortcutAvailability == .sleepMusic)
            #expect(other.image(forParameterNamed: \.speakableGroupName) == INImage(named: "team"))
            #expect(other.image(forParameterNamed: \.sender) == nil)
        }
        #expect(copy.attachments?.first?.audioMessageFile?.data == Data([1]) && back.attachments == nil)
    }

    @Test func `without details survives an archive`() throws {
        let back = try archived(
            INSendMessageIntent(
                recipients: nil, content: nil, speakableGroupName: nil, conversationIdentifier: nil,
                serviceName: nil, sender: nil))
        #expect(back.recipients == nil && back.content == nil && back.speakableGroupName == nil)
        #expect(back.sender == nil && back.outgoingMessageType == .unknown && back.serviceName == nil)
    }

    @Test func `is described by its recipients or sender, and not by its text`() {
        #expect(message(to: "Anna", "Bo").intentDescription == "Message to Anna, Bo")
        #expect(message(group: "Team", to: "Anna").intentDescription == "Message to Team")
        #expect(message(sender: Self.person("Cy")).intentDescription == "Message from Cy")
        #expect(message().intentDescription == "Message")
    }

    @Test func `has a response that survives an archive and a copy`() throws {
        let activity = NSUserActivity(activityType: "org.example.chat")
        let response = INSendMessageIntentResponse(code: .success, userActivity: activity)
        #expect(try archived(response).code == .success)
        let copy = try #require(response.copy() as? INSendMessageIntentResponse)
        #expect(copy.code == .success && copy.userActivity === activity)
    }
}

@Suite struct `A media intent` {
    private let search = INMediaSearch(
        mediaType: .album, sortOrder: .newest, mediaName: "Help!", artistName: "The Beatles",
        albumName: "Help!", genreNames: ["pop"], moodNames: ["sad", "late"],
        releaseDate: INDateComponentsRange(start: DateComponents(year: 1965, month: 8), end: nil),
        reference: .my, mediaIdentifier: "7")

    @Test func `has a media search that survives an archive`() throws {
        let back = try archived(search)
        #expect(back == search && back.hash == search.hash && back.moodNames == ["sad", "late"])
        #expect(back.mediaType == .album && back.sortOrder == .newest && back.reference == .my)
        #expect(
            back.releaseDate?.startDateComponents?.year == 1965 && back.releaseDate?.endDateComponents == nil)
        #expect(try archived(INMediaSearch()) == INMediaSearch() && INMediaSearch() != search)
    }

    @Test(arguments: PictureForm.allCases) func `survives an archive and a copy`(
        form: PictureForm
    ) throws {
        let picture = form.picture
        let song = INMediaItem(
            identifier: "1", title: "Yesterday", type: .song, artwork: picture, artist: "The Beatles")
        let album = INMediaItem(identifier: "2", title: "Help!", type: .album, artwork: nil)
        let intent = INPlayMediaIntent(
            mediaItems: [song, album], mediaContainer: album, playShuffled: false, playbackRepeatMode: .all,
            resumePlayback: true, playbackQueueLocation: .later, playbackSpeed: 0.75, mediaSearch: search)
        intent.setImage(picture, forParameterNamed: \.mediaContainer)
        let copy = try #require(intent.copy() as? INPlayMediaIntent)
        for other in [try archived(intent), copy] {
            #expect(other !== intent && other.mediaItems == [song, album] && other.mediaContainer == album)
            #expect(other.playShuffled == false && other.playbackRepeatMode == .all)
            #expect(other.resumePlayback == true && other.playbackQueueLocation == .later)
            #expect(other.playbackSpeed == 0.75 && other.mediaSearch == search)
            #expect(other.image(forParameterNamed: \.mediaContainer) == picture)
        }
        #expect(intent.intentDescription == "Play Help!")
        let bare = try archived(INPlayMediaIntent())
        #expect(bare.mediaItems == nil && bare.playShuffled == nil && bare.playbackSpeed == nil)
        #expect(bare.intentDescription == nil && song != album)
    }

    @Test func `has a response that survives an archive and a copy`() throws {
        let response = INPlayMediaIntentResponse(code: .failureNoUnplayedContent, userActivity: nil)
        response.nowPlayingInfo = ["title": "Yesterday"]
        #expect(try archived(response).code == .failureNoUnplayedContent)
        let copy = try #require(response.copy() as? INPlayMediaIntentResponse)
        #expect(copy.code == response.code && copy.nowPlayingInfo?["title"] as? String == "Yesterday")
    }
}
