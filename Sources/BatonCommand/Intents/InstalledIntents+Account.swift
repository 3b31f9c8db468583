import BatonClient
package import BatonCore

extension InstalledIntents {
    /// Returns the manifests together with the types of entities that apps have described to the account.
    ///
    /// For a property that a manifest of this machine knows by its type only, the description gives the attribute. Apps
    /// and types that this machine does not know are added, and these apps have no intents.
    package func joined(with types: [EntityTypeDescription]) -> InstalledIntents {
        var apps = apps
        for type in types {
            guard let described = DeclaredEntity(type) else { continue }
            guard let place = apps.firstIndex(where: { $0.app.utf8.elementsEqual(type.name.app.utf8) }) else {
                let title = type.appTitle.map { VisibleText($0).text }
                var app = IntentManifest(app: type.name.app, title: title, program: [])
                app.entities = [described]
                apps.append(app)
                continue
            }
            if let known = apps[place].entities.firstIndex(where: { $0.name == described.name }) {
                apps[place].entities[known].complete(by: described)
            } else {
                apps[place].entities.append(described)
            }
        }
        return InstalledIntents(apps, troubles: troubles)
    }

    /// Returns the type that a person named, if a manifest of this machine knows it with all attributes; nil if the
    /// account must be asked.
    ///
    /// Throws if several apps of this machine have the type.
    package func whollyKnownType(named name: String, of app: String?) throws(LocalFailure) -> EntityType? {
        do throws(LocalFailure) {
            let type = try entityType(named: name, of: app)
            return type.entity.isWhollyKnown ? type : nil
        } catch  where error.code == .notFound {
            return nil
        }
    }
}

extension DeclaredEntity {
    /// Creates the type that an app described on another machine; nil if nobody could type its name or that of its app.
    ///
    /// Members of the account wrote the description, so its texts are made harmless, and an attribute that no app can
    /// have is left out.
    fileprivate init?(_ type: EntityTypeDescription) {
        guard [type.name.app, type.name.type].allSatisfy({ !$0.isEmpty && VisibleText($0).text == $0 }) else {
            return nil
        }
        self.init(name: type.name.type, title: VisibleText(type.title).text)
        synonyms = type.synonyms.map { VisibleText($0).text }
        isIndexed = true
        properties = type.properties.map { described in
            // A kind that only a newer version knows is searched like a text.
            let kind = DeclaredValueType.Kind(rawValue: described.kind) ?? .text
            var property = DeclaredProperty(
                name: VisibleText(described.name).text, title: "", type: DeclaredValueType(kind))
            if let attribute = described.attribute {
                property.isCustom = Attribute(name: attribute) == nil
                if !property.isCustom || CustomAttribute(name: attribute) != nil {
                    property.attribute = attribute
                }
            }
            return property
        }
    }

    /// Takes the attributes of properties from a description, where the manifest of this machine knows only the type.
    fileprivate mutating func complete(by described: DeclaredEntity) {
        for place in properties.indices where properties[place].isKnownByTypeOnly {
            guard let known = described.property(named: properties[place].name),
                known.type.kind == properties[place].type.kind
            else { continue }
            (properties[place].attribute, properties[place].isCustom) = (known.attribute, known.isCustom)
            properties[place].isKnownByTypeOnly = false
        }
    }
}
