extension Activity {
    /// The sealed content of a protected activity.
    ///
    /// Everything that says what the activity is about is sealed: the title, the payload, the pages, the keywords, the
    /// identifiers, the entity, and the attributes. Its type, its times, its eligibility and its handovers are not
    /// sealed, because devices need them to offer the activity.
    package struct Protection: Equatable, Sendable {
        /// A hash of the subject that only holders of the content key can compute.
        package var subject: KeyHash
        /// The sealed properties; nil if they have been opened, and stand in the activity itself.
        package var content: SealedValue?

        package init(subject: KeyHash, content: SealedValue?) {
            (self.subject, self.content) = (subject, content)
        }

        func encode(to writer: inout CBORWriter) {
            writer.array(count: 2)
            writer.identifier(subject)
            if let content { content.encode(to: &writer) } else { writer.null() }
        }

        init(from reader: inout CBORReader) throws(CBORError) {
            try reader.array(count: 2)
            subject = try reader.identifier()
            content = try reader.optional { (reader) throws(CBORError) in try SealedValue(from: &reader) }
        }
    }

    /// The encoding of the properties that protection seals.
    package var contentToSeal: [UInt8] {
        var content = Activity(type: type, started: started)
        content.takeContent(of: self)
        var writer = CBORWriter()
        content.fields.encode(to: &writer)
        return writer.bytes
    }

    /// The bytes from which the hash of a protected activity's subject is computed.
    ///
    /// They are the app and its persistent identifier, or the app and the subject.
    package func subjectToHash(of app: String) -> [UInt8] {
        persistentIdentifier.map { Self.subjectToHash(of: app, identifier: $0) }
            ?? Self.subjectToHash(of: app, encodedSubject)
    }

    /// Returns the bytes from which the hash of an activity with a persistent identifier is computed.
    package static func subjectToHash(of app: String, identifier: String) -> [UInt8] {
        subjectToHash(of: app, Array(identifier.utf8))
    }

    private static func subjectToHash(of app: String, _ subject: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.text(app)
        writer.data(subject)
        return writer.bytes
    }

    /// Returns the bytes that bind the sealed content to this activity of an app.
    ///
    /// They don't change while the activity lasts, nor when it is saved.
    package func sealingContext(of app: String) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 4)
        writer.text("activity")
        writer.text(app)
        writer.text(type)
        writer.integer(started.milliseconds)
        return writer.bytes
    }

    /// Returns the activity with sealed content in the place of the properties that are sealed.
    package func sealed(as protection: Protection) -> Activity {
        var sealed = self
        sealed.takeContent(of: Activity(type: type, started: started))
        sealed.protection = protection
        return sealed
    }

    /// Returns the activity with the properties that were sealed.
    ///
    /// `content` is what `contentToSeal` was when the activity was sealed.
    package func opened(by content: [UInt8]) throws(CBORError) -> Activity {
        let content = try CBORReader.whole(content[...]) { (reader) throws(CBORError) in
            try Activity(from: &reader)
        }
        var opened = self
        opened.takeContent(of: content)
        opened.protection?.content = nil
        return opened
    }

    /// Replaces the properties that protection seals by those of another activity.
    private mutating func takeContent(of other: Activity) {
        (title, info, requiredKeys) = (other.title, other.info, other.requiredKeys)
        (webpage, referrer, keywords) = (other.webpage, other.referrer, other.keywords)
        targetContentIdentifier = other.targetContentIdentifier
        persistentIdentifier = other.persistentIdentifier
        (entity, attributes, unknown) = (other.entity, other.attributes, other.unknown)
    }
}
