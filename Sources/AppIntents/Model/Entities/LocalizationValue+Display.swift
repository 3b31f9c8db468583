public import LocalizedStrings

extension String.LocalizationValue.StringInterpolation {
    /// Appends the title of an entity or of a case, with the format `%@`.
    public mutating func appendInterpolation<Value: InstanceDisplayRepresentable>(_ value: Value) {
        appendInterpolation(value.localizedStringResource)
    }
}
