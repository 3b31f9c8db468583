extension JSON {
    /// Returns the text of a key that must be there.
    func declared(_ key: String) throws(JSONError) -> String {
        guard let text = self[key]?.string else { throw JSONError("`\(key)` must be a text") }
        return text
    }

    /// Returns the value that a text of a key stands for.
    func declared<Value>(_ key: String, _ read: (String) -> Value?) throws(JSONError) -> Value {
        let text = try declared(key)
        guard let value = read(text) else { throw JSONError("`\(key)` can't be “\(text)”") }
        return value
    }

    /// Returns the texts of a key; none if it is missing.
    func declaredTexts(_ key: String) throws(JSONError) -> [String] {
        try declaredList(key) { (json) throws(JSONError) in
            guard let text = json.string else { throw JSONError("`\(key)` must be a list of texts") }
            return text
        }
    }

    /// Returns the elements of a key; none if it is missing.
    func declaredList<Element>(
        _ key: String, _ read: (JSON) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        guard let value = self[key], value != .null else { return [] }
        guard let elements = value.array else { throw JSONError("`\(key)` must be a list") }
        var list: [Element] = []
        for element in elements { list.append(try read(element)) }
        return list
    }
}
