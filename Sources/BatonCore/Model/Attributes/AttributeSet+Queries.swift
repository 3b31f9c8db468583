extension AttributeSet {
    /// The value of an attribute, unless it is sealed.
    package func value(_ attribute: Attribute) -> PropertyValue? {
        guard case .plain(let value) = self[attribute] else { return nil }
        return value
    }

    /// These values, changed as the others say: what the others have stands.
    package func changed(by others: AttributeSet) -> AttributeSet {
        var changed = self
        for entry in others.entries { changed[entry.name] = entry.value }
        return changed
    }
}
