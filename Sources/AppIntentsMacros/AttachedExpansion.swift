/// One request to expand an attached macro.
struct AttachedExpansion {
    /// The name of the macro's type.
    let type: String
    /// The role in which it is expanded: `peer`, `accessor`, `member`, `memberAttribute` or `extension`.
    let role: String
    /// The attribute in the source.
    let attribute: String
    /// The declaration in the source, without the attribute.
    let declaration: String
    /// The type that an extension extends, as the compiler names it.
    let extendedType: String?
    /// The macro's protocols to which the type does not conform yet.
    let conformances: [String]
    /// The declaration around this one in the source, without its members; nil if there is none.
    let context: String?
    /// The file with the declaration.
    let fileName: String
    /// The place of the attribute in bytes.
    let attributeOffset: Int
    /// The place of the declaration in bytes.
    let declarationOffset: Int

    /// Reads a request; nil if it lacks a required member.
    init?(_ request: [String: Any]) {
        guard let macro = request["macro"] as? [String: Any], let type = macro["typeName"] as? String,
            let role = request["macroRole"] as? String,
            let attribute = request["attributeSyntax"] as? [String: Any],
            let declaration = request["declSyntax"] as? [String: Any]
        else { return nil }
        (self.type, self.role) = (type, role)
        self.attribute = attribute["source"] as? String ?? ""
        self.declaration = declaration["source"] as? String ?? ""
        extendedType = (request["extendedTypeSyntax"] as? [String: Any])?["source"] as? String
        let list = (request["conformanceListSyntax"] as? [String: Any])?["source"] as? String
        // The compiler sends no list if the type conforms to all of them.
        conformances = list.map { Self.protocols($0) } ?? []
        context = (request["lexicalContext"] as? [[String: Any]])?.first?["source"] as? String
        let location = attribute["location"] as? [String: Any] ?? [:]
        let place = declaration["location"] as? [String: Any] ?? [:]
        fileName = location["fileName"] as? String ?? ""
        (attributeOffset, declarationOffset) = (location["offset"] as? Int ?? 0, place["offset"] as? Int ?? 0)
    }

    /// The protocols in a list such as `struct X: A, B {}` or `: A, B`.
    private static func protocols(_ list: String) -> [String] {
        guard let colon = list.firstIndex(of: ":") else { return [] }
        return list[list.index(after: colon)...].split { ",{} \n".contains($0) }.map(String.init)
    }
}
