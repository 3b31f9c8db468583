/// The setting of one app in a focus: an intent of the app with the values of its parameters.
///
/// The app performs the intent when the focus is switched on (Apple's `SetFocusFilterIntent`). A filter is one field of
/// the record of its focus. So two devices that change different filters at the same time both keep their change, and
/// a filter never has values from two devices.
package struct FocusFilter: Equatable, Sendable {
    /// The app, by its bundle identifier.
    package let app: String
    /// The name of the intent in the app.
    package let intent: String
    /// The values of each parameter, as texts that a person could type; a parameter with a list has several.
    package var values: [String: [String]]

    package init(app: String, intent: String, values: [String: [String]] = [:]) {
        (self.app, self.intent, self.values) = (app, intent, values)
    }

    /// The most filters of a focus.
    package static let most = 256
    /// The most bytes of a filter with its names.
    package static let bytesMost = 16 << 10

    /// Whether the filter is about an intent of an app; texts are compared byte for byte.
    package func isOf(app: String, intent: String) -> Bool {
        self.app.utf8.elementsEqual(app.utf8) && self.intent.utf8.elementsEqual(intent.utf8)
    }

    /// Whether the names and values are within the limits, and the names can be told apart in the name of a field.
    package var isAllowed: Bool {
        let names = [app, intent]
        guard names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(Self.separator) }) else { return false }
        let bytes = values.reduce(names.reduce(0) { $0 + $1.utf8.count }) { sum, value in
            value.value.reduce(sum + value.key.utf8.count) { $0 + $1.utf8.count }
        }
        return bytes <= Self.bytesMost
    }

    // MARK: Codec

    /// The byte between the app and the intent in the name of a field.
    private static let separator = UInt8(ascii: "\n")

    /// The name of the filter's field.
    var field: FieldName { .custom(Array(app.utf8) + [Self.separator] + Array(intent.utf8)) }

    /// Writes the values, without the names of the app and the intent.
    func encodeValues(to writer: inout CBORWriter) {
        var pairs: [PropertyValue: PropertyValue] = [:]
        for (name, texts) in values { pairs[.string(name)] = .array(texts.map { .string($0) }) }
        PropertyValue.dictionary(pairs).encode(to: &writer)
    }

    /// Reads the filter in a field; nil if the field has no filter, because it was removed or a newer version wrote it.
    init?(_ field: FieldName, _ reader: inout CBORReader) throws(CBORError) {
        let value = try PropertyValue(from: &reader)
        guard case .custom(let name) = field, let values = Self.values(value) else { return nil }
        let parts = name.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(
            app: String(decoding: parts[0], as: UTF8.self), intent: String(decoding: parts[1], as: UTF8.self),
            values: values)
    }

    /// The values of parameters in an encoded dictionary; nil if it is something else.
    static func values(_ value: PropertyValue) -> [String: [String]]? {
        guard let pairs = value.pairs else { return nil }
        var values: [String: [String]] = [:]
        for (name, texts) in pairs {
            guard let name = name.string, case .array(let texts) = texts else { continue }
            values[name] = texts.compactMap(\.string)
        }
        return values
    }
}
