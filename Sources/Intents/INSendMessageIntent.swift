public import Foundation

/// Sends a message, or stands for a message that was received.
open class INSendMessageIntent: INIntent {
    /// The people who get the message.
    public let recipients: [INPerson]?
    /// The form of the message.
    public let outgoingMessageType: INOutgoingMessageType
    /// The text of the message.
    public let content: String?
    /// The name of the group that gets the message.
    public let speakableGroupName: INSpeakableString?
    /// The app's identifier of the conversation.
    public let conversationIdentifier: String?
    /// The name of the service that carries the message.
    public let serviceName: String?
    /// The person who sends it.
    public let sender: INPerson?
    /// The files that are sent along.
    public let attachments: [INSendMessageAttachment]?

    /// Creates an intent.
    public init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
        sender: INPerson?, attachments: [INSendMessageAttachment]?
    ) {
        (self.recipients, self.outgoingMessageType, self.content) = (recipients, outgoingMessageType, content)
        (self.speakableGroupName, self.conversationIdentifier) = (speakableGroupName, conversationIdentifier)
        (self.serviceName, self.sender, self.attachments) = (serviceName, sender, attachments)
        super.init()
    }

    /// Creates an intent to send a text.
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, outgoingMessageType: .unknown, content: content,
            speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
            serviceName: serviceName, sender: sender, attachments: nil)
    }

    /// Names the people with whom the message is exchanged, but not its content.
    open override var intentDescription: String? {
        let names = (recipients ?? []).filter { !$0.isMe }.map(\.displayName).filter { !$0.isEmpty }
        if let group = speakableGroupName?.spokenPhrase { return "Message to \(group)" }
        if !names.isEmpty { return "Message to \(names.joined(separator: ", "))" }
        if let sender, !sender.isMe, !sender.displayName.isEmpty {
            return "Message from \(sender.displayName)"
        }
        return "Message"
    }

    override class var parameters: [String: AnyKeyPath] {
        [
            "recipients": \INSendMessageIntent.recipients, "sender": \INSendMessageIntent.sender,
            "speakableGroupName": \INSendMessageIntent.speakableGroupName,
        ]
    }

    /// Returns an intent with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INSendMessageIntent.self else { return self }
        return INSendMessageIntent(
            recipients: recipients, outgoingMessageType: outgoingMessageType, content: content,
            speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
            serviceName: serviceName, sender: sender, attachments: attachments
        ).taking(self)
    }

    /// Writes the intent to an archive, without attachments.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: recipients, forKey: Key.recipients)
        coder.encode(kind: outgoingMessageType, forKey: Key.type)
        coder.encode(text: content, forKey: Key.content)
        coder.encode(detail: speakableGroupName, forKey: Key.group)
        coder.encode(text: conversationIdentifier, forKey: Key.conversation)
        coder.encode(text: serviceName, forKey: Key.service)
        coder.encode(detail: sender, forKey: Key.sender)
    }

    /// Reads an intent from an archive.
    public required init?(coder: NSCoder) {
        recipients = coder.decodeList(of: INPerson.self, forKey: Key.recipients)
        outgoingMessageType = coder.decodeKind(forKey: Key.type) ?? .unknown
        content = coder.decodeText(forKey: Key.content)
        speakableGroupName = coder.decodeDetail(of: INSpeakableString.self, forKey: Key.group)
        conversationIdentifier = coder.decodeText(forKey: Key.conversation)
        serviceName = coder.decodeText(forKey: Key.service)
        sender = coder.decodeDetail(of: INPerson.self, forKey: Key.sender)
        attachments = nil
        super.init(coder: coder)
    }

    /// The names in an archive.
    private enum Key {
        static let recipients = "recipients"
        static let type = "outgoingMessageType"
        static let content = "content"
        static let group = "speakableGroupName"
        static let conversation = "conversationIdentifier"
        static let service = "serviceName"
        static let sender = "sender"
    }
}

/// The form of a message.
public enum INOutgoingMessageType: Int, Sendable {
    /// Not specified.
    case unknown = 0
    /// A text.
    case outgoingMessageText = 1
    /// A recording.
    case outgoingMessageAudio = 2
}

/// A file that is sent along with a message; archives don't contain it.
open class INSendMessageAttachment: NSObject {
    /// The recording.
    public let audioMessageFile: INFile?

    /// Creates an attachment from a recording.
    public init(audioMessageFile: INFile) {
        self.audioMessageFile = audioMessageFile
        super.init()
    }
}

/// A file of a detail.
open class INFile: NSObject {
    /// The bytes; if the file has an address, they are read from there, and are empty if that fails.
    open var data: Data { bytes ?? fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }
    /// The name.
    open var filename: String
    /// The uniform type identifier.
    public let typeIdentifier: String?
    /// The address; nil if the file has only bytes.
    public let fileURL: URL?

    private let bytes: Data?

    /// Creates a file from its bytes.
    public init(data: Data, filename: String, typeIdentifier: String?) {
        (bytes, self.filename, self.typeIdentifier, fileURL) = (data, filename, typeIdentifier, nil)
        super.init()
    }

    /// Creates a file that is at an address.
    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        (bytes, self.typeIdentifier, self.fileURL) = (nil, typeIdentifier, fileURL)
        self.filename = filename ?? fileURL.lastPathComponent
        super.init()
    }
}

/// The outcome of `INSendMessageIntent`.
open class INSendMessageIntentResponse: INIntentResponse {
    /// The outcome.
    public let code: INSendMessageIntentResponseCode

    /// Creates a response, with the activity in which the app continues the intent.
    public init(code: INSendMessageIntentResponseCode, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }

    /// Returns a response with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard type(of: self) == INSendMessageIntentResponse.self else { return self }
        return INSendMessageIntentResponse(code: code, userActivity: userActivity)
    }

    /// Writes the outcome to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(kind: code, forKey: "code")
    }

    /// Reads an outcome from an archive.
    public required init?(coder: NSCoder) {
        code = coder.decodeKind(forKey: "code") ?? .unspecified
        super.init(coder: coder)
    }
}

/// An outcome of `INSendMessageIntent`.
public enum INSendMessageIntentResponseCode: Int, Sendable {
    /// Not specified.
    case unspecified = 0
    /// The app can begin.
    case ready = 1
    /// The app is working on it.
    case inProgress = 2
    /// The app has sent the message.
    case success = 3
    /// The app could not send the message.
    case failure = 4
    /// The app could not send the message without being opened.
    case failureRequiringAppLaunch = 5
    /// The service can't be reached.
    case failureMessageServiceNotAvailable = 6
}
