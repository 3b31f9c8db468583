import BatonClient
import BatonCore

extension FieldName {
    /// The field that stores the attribute with this name.
    init(attribute name: String) throws(JSONError) {
        if let attribute = Attribute(name: name) {
            self = .number(attribute.number)
        } else if let custom = CustomAttribute(name: name) {
            self = custom.field
        } else {
            throw JSONError("`\(name)` can't be the name of an attribute; use letters, digits and `_`")
        }
    }
}
