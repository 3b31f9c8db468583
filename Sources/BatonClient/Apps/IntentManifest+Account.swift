package import BatonCore

extension IntentManifest {
    /// The descriptions of the indexed types of entities, by which other machines of the account find entities.
    ///
    /// A type is left out until the attributes of all its properties are known.
    private var described: [EntityTypeDescription] {
        entities.filter { $0.isIndexed && $0.isWhollyKnown }.map { entity in
            EntityTypeDescription(
                EntityTypeName(app: app, type: entity.name), title: entity.title, synonyms: entity.synonyms,
                properties: entity.properties.map {
                    EntityTypeDescription.Property(
                        $0.name, kind: $0.type.kind.rawValue, attribute: $0.attribute)
                }, appTitle: title)
        }
    }

    /// The call that describes the types of entities to the account; nil if there is nothing to describe.
    ///
    /// Apps make it whenever they start, because the node writes nothing that the account has already.
    package var entityTypesCall: DescribeEntityTypes? {
        let types = described
        return types.isEmpty ? nil : DescribeEntityTypes(types)
    }

    /// Describes the types of entities to the account of a home; throws if the node refuses the descriptions.
    ///
    /// Without a node that knows the call, nothing is described now. The app describes its types again at its next
    /// start.
    package func describeTypes(in home: Home) throws(LocalFailure) {
        guard let call = entityTypesCall else { return }
        do throws(LocalFailure) {
            var node = try NodeConnection(home, within: Self.patience)
            _ = try node.ask(call, within: Self.patience)
        } catch  where error.lacksNode {
            return
        }
    }

    /// The longest time that an app waits for the node to note its types.
    private static let patience = Duration.seconds(5)
}

extension LocalFailure {
    /// Whether no node could be asked that serves the account and knows the call.
    package var lacksNode: Bool {
        isPassing || [.notInitialised, .unknownAccount, .versionMismatch].contains(code)
    }
}

extension DeclaredEntity {
    /// Whether the attributes of all properties are known.
    package var isWhollyKnown: Bool { properties.allSatisfy { !$0.isKnownByTypeOnly } }
}
