extension LocatedJSON {
    /// The members of an object that may have only these keys.
    package func members(_ what: String, keys: [String]) throws(TextError) -> [Member] {
        guard case .object(let members) = content else {
            throw TextError(place, "\(what) must be an object: { … }")
        }
        for member in members where !keys.contains(member.key) {
            throw TextError(member.place, Suggestion.unknownKey(member.key, of: what, keys: keys))
        }
        return members
    }

    /// A list of texts that are not empty.
    package func texts(
        _ what: String, each: String, where isRight: (String) -> Bool = { _ in true }
    ) throws(TextError) -> [String] {
        try elements(what).map { (element) throws(TextError) in
            guard case .string(let text) = element.content, !text.isEmpty, isRight(text) else {
                throw TextError(element.place, "an element of \(what) must be \(each)")
            }
            return text
        }
    }

    /// The elements of an array.
    package func elements(_ what: String) throws(TextError) -> [LocatedJSON] {
        guard case .array(let elements) = content else {
            throw TextError(place, "\(what) must be a list: [ … ]")
        }
        return elements
    }
}
