extension FieldName {
    /// Creates the name of the field with the values of an attribute, from the attribute's name in a query; nil if that
    /// is no name.
    package init?(queryName name: String) {
        if let attribute = Attribute(queryName: name) {
            self = .number(attribute.number)
        } else if let attribute = CustomAttribute(name: name) {
            self = attribute.field
        } else {
            return nil
        }
    }
}
