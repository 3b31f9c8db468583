import Foundation
import Intents

/// Intents of the library, with all their details.
enum SystemIntents {
    static func message(to name: String, _ text: String, pictureBytes: Int) -> INSendMessageIntent {
        let picture = INImage(imageData: Data(repeating: 7, count: pictureBytes))
        let person = INPerson(
            personHandle: INPersonHandle(value: "\(name)@a.example", type: .emailAddress, label: .work),
            nameComponents: PersonNameComponents(givenName: name, familyName: "Ek"), displayName: name,
            image: picture, contactIdentifier: nil, customIdentifier: "7",
            aliases: [INPersonHandle(value: "+46 1", type: .phoneNumber)], suggestionType: .socialProfile)
        return INSendMessageIntent(
            recipients: [person], outgoingMessageType: .outgoingMessageText, content: text,
            speakableGroupName: nil, conversationIdentifier: "chat-1", serviceName: "Chat", sender: nil,
            attachments: nil)
    }

    static func play(_ title: String) -> INPlayMediaIntent {
        INPlayMediaIntent(
            mediaItems: [
                INMediaItem(identifier: "1", title: title, type: .song, artwork: nil, artist: "Anna")
            ],
            playShuffled: false, playbackRepeatMode: .one, resumePlayback: true, playbackQueueLocation: .next,
            playbackSpeed: 1.25, mediaSearch: INMediaSearch(mediaName: title, genreNames: ["pop"]))
    }

    /// Says whether an intent that came back has what it had when it was donated.
    static func text(of intent: INIntent) -> String? {
        switch intent {
        case let message as INSendMessageIntent:
            guard let person = message.recipients?.first else { return "message to nobody" }
            let sent = SystemIntents.message(
                to: person.displayName, message.content ?? "", pictureBytes: person.image == nil ? 0 : 500)
            let isSame = person.image == nil || message.recipients == sent.recipients
            return "message \(person.displayName) \(message.content ?? "-") "
                + "\(isSame && message.conversationIdentifier == "chat-1" && person.aliases?.count == 1) "
                + "picture \(person.image != nil)"
        case let intent as INPlayMediaIntent:
            let title = intent.mediaItems?.first?.title ?? "-"
            let sent = play(title)
            let isSame =
                intent.mediaItems == sent.mediaItems && intent.mediaSearch == sent.mediaSearch
                && intent.playbackSpeed == 1.25 && intent.playShuffled == false
                && intent.resumePlayback == true && intent.playbackRepeatMode == .one
                && intent.playbackQueueLocation == .next
            return "play \(title) \(isSame)"
        default: return nil
        }
    }
}
