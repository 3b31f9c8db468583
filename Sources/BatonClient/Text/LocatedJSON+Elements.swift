extension LocatedJSON {
    /// Returns the members of an object; throws if a key is not one of the given keys.
    package func members(_ what: String, keys: [String]) throws(TextError) -> [Member] {
        guard case .object(let members) = content else {
            throw TextError(place, "\(what) must be an object: { … }")
        }
        for member in members where !keys.contains(member.key) {
            throw TextError(member.place, Suggestion.unknownKey(member.key, of: what, keys: keys))
        }
        return members
    }

    /// Returns a list of texts; throws if a text is empty or not right.
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

    /// Returns the elements of an array; throws if the value is not an array.
    package func elements(_ what: String) throws(TextError) -> [LocatedJSON] {
        guard case .array(let elements) = content else {
            throw TextError(place, "\(what) must be a list: [ … ]")
        }
        return elements
    }
}
