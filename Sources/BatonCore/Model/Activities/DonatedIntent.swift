/// An intent of AppIntents in the payload of a donated action, from which `baton run` can run it again.
package struct DonatedIntent: Equatable, Sendable {
    /// The name of the intent in its app.
    package let name: String
    /// The values of parameters, as texts that a person could type; a parameter with a list has several.
    package let values: [String: [String]]

    package init(_ name: String, _ values: [String: [String]]) { (self.name, self.values) = (name, values) }

    private static let key = PropertyValue.string("org.baton.intent")
    private static let nameKey = PropertyValue.string("name")
    private static let valuesKey = PropertyValue.string("values")

    /// The payload of the action's activity.
    package var info: [PropertyValue: PropertyValue] {
        var pairs: [PropertyValue: PropertyValue] = [:]
        for (parameter, texts) in values { pairs[.string(parameter)] = .array(texts.map { .string($0) }) }
        return [Self.key: .dictionary([Self.nameKey: .string(name), Self.valuesKey: .dictionary(pairs)])]
    }

    /// Reads the intent in an activity's payload; nil if the payload has none.
    package init?(_ activity: Activity) {
        guard let pairs = activity.info[Self.key]?.pairs, let name = pairs[Self.nameKey]?.string else {
            return nil
        }
        var values: [String: [String]] = [:]
        for (parameter, texts) in pairs[Self.valuesKey]?.pairs ?? [:] {
            guard let parameter = parameter.string, case .array(let texts) = texts else { continue }
            values[parameter] = texts.compactMap(\.string)
        }
        self.init(name, values)
    }

    /// The arguments of `APP intents run` and `baton run APP`: the name, and an option for each value.
    ///
    /// The parameters are in the order of their names, so that equal intents have equal arguments.
    package var arguments: [String] {
        [name]
            + values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap {
                parameter, texts in
                texts.map { "--\(parameter)=\($0)" }
            }
    }
}
