import Synchronization

/// The declared types: the types of the system, and the types that the app has declared in code.
struct TypeCatalog: Sendable {
    /// The declarations, keyed by the identifier in lower case.
    private var declarations: [String: TypeDeclaration] = [:]
    /// The declarations for each tag, the preferred declaration first.
    private var byExtension: [String: [TypeDeclaration]] = [:]
    private var byMIMEType: [String: [TypeDeclaration]] = [:]

    /// The types that are declared everywhere.
    private static let system = TypeCatalog(TypeDeclaration.system)
    /// The types that this app has declared in code.
    private static let app = Mutex(TypeCatalog([]))

    private init(_ declarations: [TypeDeclaration]) {
        for declaration in declarations {
            self.declarations[declaration.identifier.lowercased()] = declaration
            for tag in declaration.extensions { byExtension[tag, default: []].append(declaration) }
            for tag in declaration.mimeTypes { byMIMEType[tag, default: []].append(declaration) }
        }
        for (other, identifier) in TypeDeclaration.otherIdentifiers {
            if let declaration = self.declarations[identifier] { self.declarations[other] = declaration }
        }
    }

    /// Returns the declaration of a type; nil if it is not declared.
    static func declaration(of identifier: String) -> TypeDeclaration? {
        let key = identifier.lowercased()
        return system.declarations[key] ?? app.withLock { $0.declarations[key] }
    }

    /// Returns the declared types with this extension, which must be in lower case.
    static func declarations(withExtension tag: String) -> [TypeDeclaration] { system.byExtension[tag] ?? [] }

    /// Returns the declared types with this MIME type, which must be in lower case.
    static func declarations(withMIMEType tag: String) -> [TypeDeclaration] { system.byMIMEType[tag] ?? [] }

    /// Declares a type of the app; if the type is already declared, only adds the parent.
    ///
    /// A type of the system is not changed. An app declares only types that its code names, so their number needs no
    /// limit.
    static func declare(_ identifier: String, conformingTo parent: String?) {
        let key = identifier.lowercased()
        guard system.declarations[key] == nil else { return }
        app.withLock { catalog in
            var declaration = catalog.declarations[key] ?? TypeDeclaration(identifier, conformingTo: [])
            if let parent, !declaration.parents.contains(parent) { declaration.parents.append(parent) }
            catalog.declarations[key] = declaration
        }
    }
}
