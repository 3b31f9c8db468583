/// Expands macros that are attached to declarations.
enum MacroExpansion {
    /// Returns the source that takes the place of a macro.
    static func source(of expansion: AttachedExpansion) throws(MacroError) -> String {
        switch (expansion.type, expansion.role) {
        case ("ComputedPropertyMacro", "peer"): try PropertyExpansion(expansion, isDeferred: false).peers
        case ("DeferredPropertyMacro", "peer"): try PropertyExpansion(expansion, isDeferred: true).peers
        case (_, "accessor"): ""
        case ("IntentSchemaMacro", "member"), ("EntitySchemaMacro", "member"), ("EnumSchemaMacro", "member"):
            try SchemaExpansion(expansion).members
        case ("IntentSchemaMacro", "memberAttribute"):
            SchemaPropertyExpansion(expansion, wrapper: "IntentParameter").attribute
        case ("EntitySchemaMacro", "memberAttribute"):
            SchemaPropertyExpansion(expansion, wrapper: "EntityProperty").attribute
        case ("IntentSchemaMacro", "extension"): conformance(of: expansion, to: ["AppIntent"])
        case ("EntitySchemaMacro", "extension"): conformance(of: expansion, to: ["AppEntity"])
        case ("EnumSchemaMacro", "extension"): conformance(of: expansion, to: ["AppEnum"])
        // The `extension` role reports a mistake; once is enough.
        case ("UnionValueMacro", "member"): (try? UnionExpansion(expansion).members) ?? ""
        case ("UnionValueMacro", "extension"):
            try UnionExpansion(expansion).members.isEmpty
                ? "" : conformance(of: expansion, to: ["AppUnionValue", "_PlainIntentValue"])
        default:
            throw MacroError(
                message: "AppIntents has no macro \(expansion.type) of the kind \(expansion.role).")
        }
    }

    /// The extension that adds protocols; those to which the type conforms already are left out.
    private static func conformance(of expansion: AttachedExpansion, to names: [String]) -> String {
        guard let extendedType = expansion.extendedType else { return "" }
        let missing = names.filter { name in
            expansion.conformances.contains { $0 == name || $0.hasSuffix("." + name) }
        }
        return missing.map { "extension \(trimmed(extendedType)): AppIntents.\($0) {}" }.joined(
            separator: "\n\n")
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
