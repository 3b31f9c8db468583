extension FieldName {
    /// Creates the name of the field that holds an attribute.
    ///
    /// `queryName` is the attribute's name in a query. The result is nil if no attribute can have that name.
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
