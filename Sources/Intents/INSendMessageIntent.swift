public import Foundation

/// An intent to send a message; it can also describe a message that was received.
open class INSendMessageIntent: INIntent {
    /// The people who receive the message.
    public let recipients: [INPerson]?
    /// The form of the message, such as text or audio.
    public let outgoingMessageType: INOutgoingMessageType
    /// The text of the message.
    public let content: String?
    /// The name of the group that receives the message.
    public let speakableGroupName: INSpeakableString?
    /// The app's identifier for the conversation.
    public let conversationIdentifier: String?
    /// The name of the service that delivers the message.
    public let serviceName: String?
    /// The person who sends the message.
    public let sender: INPerson?
    /// The files that are sent with the message.
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

    /// Creates an intent to send a text message.
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, outgoingMessageType: .unknown, content: content,
            speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
            serviceName: serviceName, sender: sender, attachments: nil)
    }

    /// A description with the names of the group or the people, but without the content of the message.
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

    /// Writes the intent to an archive; attachments are left out.
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

    /// The keys of the values in an archive.
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
    /// The form is not specified.
    case unknown = 0
    /// A text.
    case outgoingMessageText = 1
    /// An audio recording.
    case outgoingMessageAudio = 2
}

/// A file that is sent with a message; attachments are not stored in archives.
open class INSendMessageAttachment: NSObject {
    /// The file with the audio recording.
    public let audioMessageFile: INFile?

    /// Creates an attachment with an audio recording.
    public init(audioMessageFile: INFile) {
        self.audioMessageFile = audioMessageFile
        super.init()
    }
}

/// A file that is a detail of an intent.
open class INFile: NSObject {
    /// The bytes of the file.
    ///
    /// If the file has an address, the bytes are read from that address. They are empty if this fails.
    open var data: Data { bytes ?? fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }
    /// The name of the file.
    open var filename: String
    /// The uniform type identifier of the file.
    public let typeIdentifier: String?
    /// The address of the file; nil if the file was created from bytes.
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

/// The result of an `INSendMessageIntent`.
open class INSendMessageIntentResponse: INIntentResponse {
    /// The result as a code.
    public let code: INSendMessageIntentResponseCode

    /// Creates a response; the app continues the intent in the activity.
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

    /// Writes the response to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(kind: code, forKey: "code")
    }

    /// Reads a response from an archive.
    public required init?(coder: NSCoder) {
        code = coder.decodeKind(forKey: "code") ?? .unspecified
        super.init(coder: coder)
    }
}

/// The result of an `INSendMessageIntent` as a code.
public enum INSendMessageIntentResponseCode: Int, Sendable {
    /// The result is not specified.
    case unspecified = 0
    /// The app is ready to begin.
    case ready = 1
    /// The app is handling the intent.
    case inProgress = 2
    /// The app has sent the message.
    case success = 3
    /// The app could not send the message.
    case failure = 4
    /// The app could not send the message, because it must be opened first.
    case failureRequiringAppLaunch = 5
    /// The service that delivers the message can't be reached.
    case failureMessageServiceNotAvailable = 6
}
