package import BatonClient
package import BatonCore

/// Reads changes of an index from the JSON that programs send.
extension IndexChange {
    /// Reads one change of an index.
    ///
    /// The manifest says which entities the app has declared; it is nil if the app has declared nothing.
    package init(
        _ json: JSON, at time: PresentTime, declared: IntentManifest? = nil
    ) throws(JSONError) {
        let actions = ["item", "update", "delete", "clear"]
        guard let keys = json.keys, let action = actions.first(where: keys.contains) else {
            throw JSONError("a change of an index needs one of the keys \(actions.joined(separator: ", "))")
        }
        let content = ["domain", "title", "text", "url", "keywords", "expires", "attributes"]
        switch action {
        case "item":
            let members = try JSONMembers(
                json, "an item", keys: ["item", "entity", "properties"] + content)
            let identifier = try Self.identifier(members, "item")
            var attributes = try AttributeSet(members)
            if let properties = try EntityProperties(members, in: declared) {
                try properties.add(to: &attributes, of: identifier)
            }
            let item = Item(
                domain: try members.text("domain"), expiration: try members.expiry("expires", at: time),
                attributes: attributes)
            self = .item(identifier, item)
        case "update":
            let members = try JSONMembers(json, "an update", keys: ["update", "remove"] + content)
            var update = Item.Update()
            (update.domain, update.attributes) = (try members.text("domain"), try AttributeSet(members))
            update.expiration = try members.expiry("expires", at: time)
            for name in try members.texts("remove") ?? [] {
                update.removed.insert(try FieldName(attribute: name))
            }
            self = .update(try Self.identifier(members, "update"), domain: update.domain, update.fields)
        case "delete":
            let members = try JSONMembers(json, "a deletion", keys: ["delete"])
            self = .deletion(try Self.identifier(members, "delete"))
        default:
            let members = try JSONMembers(json, "a clear", keys: ["clear"])
            if members["clear"] == .boolean(true) {
                self = .clear(domain: nil)
            } else {
                self = .clear(domain: try Self.identifier(members, "clear"))
            }
        }
    }

    private static func identifier(_ members: JSONMembers, _ key: String) throws(JSONError) -> String {
        guard let text = try members.text(key), !text.isEmpty else {
            throw JSONError("`\(key)` must not be empty")
        }
        return text
    }
}

extension AttributeSet {
    /// Reads the attributes of an item or an update.
    ///
    /// The common attributes have short names of their own, such as `title`. The object `attributes` may have every
    /// attribute, by the name that Apple gives it.
    fileprivate init(_ members: JSONMembers) throws(JSONError) {
        self =
            try members["attributes"].map { (json) throws(JSONError) in try AttributeSet(json) }
            ?? AttributeSet()
        if let title = try members.text("title") { self[.title] = .plain(.string(title)) }
        if let text = try members.text("text") { self[.contentDescription] = .plain(.string(text)) }
        if let url = try members.text("url") { self[.contentURL] = .plain(.url(url)) }
        if let keywords = try members.texts("keywords") {
            self[.keywords] = .plain(.array(keywords.map { .string($0) }))
        }
    }

    /// Reads attributes by their names.
    ///
    /// Any name that Apple does not use is the name of an attribute of the app.
    init(_ json: JSON) throws(JSONError) {
        self.init()
        guard case .object(let members) = json else {
            throw JSONError("`attributes` must be an object: { … }")
        }
        for member in members {
            let name = try FieldName(attribute: member.key)
            guard let attribute = Attribute(name: member.key) else {
                let value = try PropertyValue(member.value)
                guard CustomAttribute.accepts(value) else {
                    throw JSONError("`\(member.key)` can't have this value")
                }
                self[name] = .plain(value)
                continue
            }
            let value = try PropertyValue(member.value).as(attribute.type)
            guard attribute.accepts(value) else { throw JSONError("`\(member.key)` can't have this value") }
            self[name] = .plain(value)
        }
    }
}

extension PropertyValue {
    /// Converts a string to a date or an address if the attribute has that type.
    fileprivate func `as`(_ type: AttributeType) -> PropertyValue {
        guard let text = string else { return self }
        switch type {
        case .url: return .url(text)
        case .date:
            let time = WallTime(iso: text) { _ in 0 }
            return time.map { .date(Double($0.milliseconds) / 1000) } ?? self
        default: return self
        }
    }
}
