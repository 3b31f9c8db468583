extension AttributeSet {
    /// The value of an attribute, unless it is sealed.
    package func value(_ attribute: Attribute) -> PropertyValue? {
        guard case .plain(let value) = self[attribute] else { return nil }
        return value
    }

    /// The value of an attribute that an app made up, unless it is sealed.
    package func value(_ attribute: CustomAttribute) -> PropertyValue? {
        guard case .plain(let value) = self[attribute] else { return nil }
        return value
    }

    /// The text of an attribute, if it is one in one language.
    package func text(_ attribute: Attribute) -> String? { value(attribute)?.string }

    /// The texts of an attribute, if it has several and they are in one language each.
    package func texts(_ attribute: Attribute) -> [String]? {
        guard case .array(let values) = value(attribute) else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// The date of an attribute, in seconds since 1970.
    package func date(_ attribute: Attribute) -> Double? {
        guard case .date(let seconds) = value(attribute) else { return nil }
        return seconds
    }

    /// The address of an attribute.
    package func url(_ attribute: Attribute) -> String? {
        guard case .url(let address) = value(attribute) else { return nil }
        return address
    }

    /// Whether any value is sealed.
    package var isSealed: Bool {
        entries.contains { if case .sealed = $0.value { true } else { false } }
    }

    /// The attributes whose value is not one that they can hold, as far as that can be seen here.
    package var misfits: [FieldName] {
        entries.compactMap { entry in
            guard case .plain(let value) = entry.value else { return nil }
            let isFitting =
                switch entry.name {
                case .number(let number): Attribute(number: number)?.accepts(value) ?? true
                case .custom, .part: CustomAttribute.accepts(value)
                }
            return isFitting ? nil : entry.name
        }
    }

    /// These values, changed as the others say: what the others have stands.
    package func changed(by others: AttributeSet) -> AttributeSet {
        var changed = self
        for entry in others.entries { changed[entry.name] = entry.value }
        return changed
    }
}
