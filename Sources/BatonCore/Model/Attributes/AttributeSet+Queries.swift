extension AttributeSet {
    /// Returns the value of an attribute; nil if there is none or it is sealed.
    package func value(_ attribute: Attribute) -> PropertyValue? {
        guard case .plain(let value) = self[attribute] else { return nil }
        return value
    }

    /// Returns these attributes with the values of the others, which replace those here.
    package func changed(by others: AttributeSet) -> AttributeSet {
        var changed = self
        for entry in others.entries { changed[entry.name] = entry.value }
        return changed
    }
}
