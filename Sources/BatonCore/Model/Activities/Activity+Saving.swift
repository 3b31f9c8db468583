/// What is kept of an activity when it ends, so that someone may go back to it.
extension Activity {
    /// Under which name the activity is kept when it ends: the same thing done again, on whichever device, has the same.
    ///
    /// It is what the app calls it, or else stands for what it is about. An identifier for which a key has no room
    /// counts as none.
    package func savedName(by app: String) -> SavedActivityName {
        if let persistentIdentifier {
            let name = SavedActivityName(app: app, identifier: persistentIdentifier)
            if name.hasRoom { return name }
        }
        return SavedActivityName(app: app, subject: subject)
    }

    /// Identifies what the activity is about: its type, its title, its page, the content that it names, and what it
    /// takes to come back.
    ///
    /// Two drafts with different titles are different things to a person, even when nothing else tells them apart.
    private var subject: KeyHash {
        var writer = CBORWriter()
        writer.array(count: 5)
        writer.text(type)
        for text in [title, webpage, targetContentIdentifier] {
            if let text { writer.text(text) } else { writer.null() }
        }
        PropertyValue.dictionary(infoToComeBack).encode(to: &writer)
        return KeyHash(digest: SHA256.digest(writer.bytes))
    }

    /// What the payload has of the keys that it takes to come back later.
    private var infoToComeBack: [PropertyValue: PropertyValue] {
        guard let requiredKeys else { return info }
        return info.filter { entry in
            if case .string(let key) = entry.key { requiredKeys.contains(key) } else { false }
        }
    }

    /// The activity as it is kept once it has ended, for that long.
    package func saved(from origin: Origin, finished: WallTime, keeping: Duration) -> Activity {
        var saved = self
        saved.info = infoToComeBack
        (saved.finished, saved.origin) = (finished, origin)
        let last = finished.advanced(by: keeping)
        saved.expiration = min(expiration ?? last, last)
        // Nobody stands behind it any more, and nobody is to go on with it before all others.
        (saved.supportsStreams, saved.sent) = (false, nil)
        return saved
    }
}
