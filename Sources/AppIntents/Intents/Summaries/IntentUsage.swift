/// The sentence and the parameters of an intent as a terminal shows them.
package struct IntentUsage {
    /// The sentence for the intent's values, with the names of parameters in braces; nil if there is none.
    package let sentence: String?
    /// The parameters in the order of the declaration.
    package let parameters: [NamedParameter]

    /// Describes an intent with the values that it has.
    package init<Intent: AppIntent>(_ intent: Intent) {
        let parameters = IntentReflection.parameters(of: intent)
        self.parameters = parameters
        sentence = Self.sentence(Intent.parameterSummary._node, intent, parameters)
    }

    private static func sentence<Intent: AppIntent>(
        _ node: _SummaryNode, _ intent: Intent, _ parameters: [NamedParameter]
    ) -> String? {
        func parameter(_ path: AnyKeyPath) -> NamedParameter? {
            guard let object = intent[keyPath: path] as? any AnyIntentParameter else { return nil }
            return parameters.first { $0.parameter === object }
        }
        switch node {
        case .empty: return nil
        case .sentence(let parts, _):
            guard !parts.isEmpty else { return nil }
            return parts.map { part in
                switch part {
                case .words(let words): words
                case .parameter(let path): "{\(parameter(path)?.name ?? "?")}"
                }
            }.joined()
        case .when(let condition, let first, let second):
            let holds = condition.test(parameter(condition.parameter)?.parameter.content)
            return sentence(holds ? first : second, intent, parameters)
        case .choice(let path, let cases, let otherwise):
            let value = parameter(path)?.parameter.content
            let node = cases.first { one in value.map { one.values.contains($0) } ?? false }?.node
            return sentence(node ?? otherwise, intent, parameters)
        }
    }
}
