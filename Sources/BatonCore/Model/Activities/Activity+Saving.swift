/// The form in which an activity is kept after it ends, so that a person may go back to it.
extension Activity {
    /// Returns the name under which the activity is kept after it ends: the same task done again has the same name, on
    /// any device.
    ///
    /// The name is the app's persistent identifier, or else a hash of the subject. An identifier that does not fit a
    /// key is ignored.
    package func savedName(by app: String) -> SavedActivityName {
        if let persistentIdentifier {
            let name = SavedActivityName(app: app, identifier: persistentIdentifier)
            if name.hasRoom { return name }
        }
        return SavedActivityName(app: app, subject: subject)
    }

    /// A hash of the activity's subject: its type, title, page, target content, and the info required to come back.
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

    /// The payload's entries that are required to come back later.
    private var infoToComeBack: [PropertyValue: PropertyValue] {
        guard let requiredKeys else { return info }
        return info.filter { entry in
            if case .string(let key) = entry.key { requiredKeys.contains(key) } else { false }
        }
    }

    /// Returns the form in which the ended activity is kept, for this long.
    package func saved(from origin: Origin, finished: WallTime, keeping: Duration) -> Activity {
        var saved = self
        saved.info = infoToComeBack
        (saved.finished, saved.origin) = (finished, origin)
        let last = finished.advanced(by: keeping)
        saved.expiration = min(expiration ?? last, last)
        // No app is behind the activity any more, and nobody is asked to continue it before all others.
        (saved.supportsStreams, saved.sent) = (false, nil)
        return saved
    }
}
