package import BatonClient
package import BatonCore

/// The intents and entities that a program declares in lines of JSON, or an installer in a file.
///
/// Everything that can be wrong is refused when the program declares it, so that `baton run` and `baton find` can rely
/// on the manifest.
package struct ProgramDeclaration: Equatable, Sendable {
    /// The manifest, in which each property has an index attribute.
    package private(set) var manifest: IntentManifest

    /// The most bytes of a declaration.
    private static let bytesMost = 256 << 10
    /// The most bytes of a name.
    private static let nameBytes = 100

    /// Reads the declaration of an app.
    package init(_ json: JSON, of app: String) throws(JSONError) {
        guard json.text.utf8.count <= Self.bytesMost else {
            throw JSONError("the declaration is larger than \(Self.bytesMost >> 10) KiB")
        }
        let read = try DeclarationShape.declaration.read(json, at: "declaration")
        try Self.checkRanges(read)
        manifest = try IntentManifest(read, of: app)
        manifest.speaksLines = true
        try checkProgram()
        for enumeration in manifest.enumerations {
            try Self.checkNames(enumeration.cases.map(\.name), "case")
        }
        for place in manifest.entities.indices { try completeEntity(at: place) }
        try Self.checkIdentifiers(manifest.enumerations.map(\.name), "enumeration")
        try Self.checkIdentifiers(manifest.entities.map(\.name), "entity")
        try Self.checkIdentifiers(manifest.intents.map(\.name), "intent")
        for intent in manifest.intents { try check(intent) }
        for shortcut in manifest.shortcuts { try check(shortcut) }
    }

    /// Stores the declaration in place of an earlier one; throws if its program can't be started.
    ///
    /// A program can't replace the manifest of an app with the library AppIntents, because that app performs its
    /// intents in another way.
    package func store(in home: Home) throws(LocalFailure) {
        try ProgramStart.check(manifest.program, path: "")
        // A manifest that can't be read is replaced.
        let earlier = try? IntentManifestFile.read(manifest.app, in: home)
        guard earlier?.speaksLines ?? true else {
            let name = VisibleText(manifest.app).text
            throw LocalFailure(
                .notAllowed,
                "\(name) has declared intents by the library AppIntents. Use another name, or type `baton intents --forget \(name)` first."
            )
        }
        try IntentManifestFile.write(manifest, in: home)
    }

    private func checkProgram() throws(JSONError) {
        guard let path = manifest.program.first, path.utf8.first == UInt8(ascii: "/") else {
            throw JSONError(
                "declaration.program must begin with the whole path of a program, such as /usr/bin/python3")
        }
    }

    /// Throws if a parameter has only one end of its range, which the reader of manifests would ignore.
    private static func checkRanges(_ json: JSON) throws(JSONError) {
        for intent in json["intents"]?.array ?? [] {
            for parameter in intent["parameters"]?.array ?? [] {
                guard (parameter["least"] == nil) == (parameter["greatest"] == nil) else {
                    let name = parameter["name"]?.string ?? ""
                    throw JSONError("the parameter “\(name)” needs both `least` and `greatest`, or neither")
                }
            }
        }
    }

    // MARK: Names

    /// Throws if a name is empty, too long, or the name of two parts.
    private static func checkNames(_ names: [String], _ what: String) throws(JSONError) {
        var known: Set<String> = []
        for name in names {
            guard !name.isEmpty, name.utf8.count <= nameBytes else {
                throw JSONError("the name of the \(what) “\(name)” must have 1 to \(nameBytes) bytes")
            }
            guard known.insert(name).inserted else {
                throw JSONError("there are two of the \(what) “\(name)”")
            }
        }
    }

    /// Throws if a name is not one word of letters, digits and `_`, as options of `baton run` need it.
    private static func checkIdentifiers(_ names: [String], _ what: String) throws(JSONError) {
        try checkNames(names, what)
        for name in names where !CustomAttribute.isName(name) || name.first?.isLetter != true {
            throw JSONError(
                "the name of the \(what) “\(name)” must have letters, digits and `_`, and begin with a letter"
            )
        }
    }

    // MARK: Entities

    /// Checks a type of entities, and gives an index attribute to each of its properties that has none.
    ///
    /// Entities of a program are always indexed, because the index is the only place where Baton finds them.
    private mutating func completeEntity(at place: Int) throws(JSONError) {
        var entity = manifest.entities[place]
        try Self.checkIdentifiers(entity.properties.map(\.name), "property")
        entity.isIndexed = true
        entity.properties = try entity.properties.map { (property) throws(JSONError) -> DeclaredProperty in
            var property = property
            let name = property.attribute ?? "\(entity.name)_\(property.name)"
            guard Attribute(name: name) != nil || CustomAttribute(name: name) != nil,
                !name.hasPrefix("org_baton_")
            else { throw JSONError("`\(name)` can't be the attribute of a property") }
            (property.attribute, property.isCustom) = (name, Attribute(name: name) == nil)
            try checkType(property.type, of: "the property “\(property.name)”")
            guard EntityProperties.canHold(property) else {
                throw JSONError(
                    "the attribute `\(name)` can't hold the kind of the property “\(property.name)”")
            }
            return property
        }
        try Self.checkNames(entity.properties.compactMap(\.attribute), "attribute")
        manifest.entities[place] = entity
    }

    /// Throws if a type names nothing that is declared.
    private func checkType(_ type: DeclaredValueType, of what: String) throws(JSONError) {
        switch type.kind {
        case .choice:
            guard type.name.map({ manifest.enumeration(named: $0)?.cases.isEmpty == false }) ?? false else {
                throw JSONError("`type` of \(what) must name an enumeration that is declared and has cases")
            }
        case .entity:
            guard type.name.map({ manifest.entity(named: $0) != nil }) ?? false else {
                throw JSONError("`type` of \(what) must name an entity that is declared")
            }
        default:
            guard type.name == nil else {
                throw JSONError("`type` of \(what) is only for the kinds choice and entity")
            }
        }
    }

    // MARK: Intents

    private func check(_ intent: DeclaredIntent) throws(JSONError) {
        try Self.checkIdentifiers(intent.parameters.map(\.name), "parameter")
        for parameter in intent.parameters { try check(parameter) }
        if let replacement = intent.replacement, manifest.intent(named: replacement) == nil {
            throw JSONError("`replacement` of “\(intent.name)” must be an intent that is declared")
        }
        guard let opened = intent.opens else { return }
        let isPossible = intent.parameters.contains {
            $0.type.kind == .entity && $0.type.name == opened && !$0.type.isList
        }
        guard isPossible else {
            throw JSONError("“\(intent.name)” needs a parameter for the entity that it opens, “\(opened)”")
        }
    }

    private func check(_ parameter: DeclaredParameter) throws(JSONError) {
        let what = "the parameter “\(parameter.name)”"
        try checkType(parameter.type, of: what)
        if let range = parameter.range {
            guard [.integer, .real].contains(parameter.type.kind), let least = Double(range.least),
                let greatest = Double(range.greatest), least <= greatest
            else { throw JSONError("`least` and `greatest` of \(what) must be numbers in order") }
        }
        guard let standard = parameter.standard else { return }
        do throws(LocalFailure) {
            _ = try ParameterValue(parameter, in: manifest).read([standard], at: .unknown)
        } catch {
            throw JSONError("`default` of \(what): \(error.text)")
        }
    }

    // MARK: Shortcuts

    private func check(_ shortcut: DeclaredShortcut) throws(JSONError) {
        guard let intent = manifest.intent(named: shortcut.intent) else {
            throw JSONError("no intent “\(shortcut.intent)” is declared for a shortcut")
        }
        guard !shortcut.phrases.isEmpty else {
            throw JSONError("a shortcut of “\(intent.name)” has no phrases")
        }
        let spoken = shortcut.phrases.flatMap { SpokenPhrase($0).parameters }
        for name in shortcut.values.map(\.name) + spoken where intent.parameter(named: name) == nil {
            throw JSONError("a shortcut names “\(name)”, which is no parameter of “\(intent.name)”")
        }
        for (name, value) in shortcut.values {
            guard let parameter = intent.parameter(named: name) else { continue }
            do throws(LocalFailure) {
                _ = try ParameterValue(parameter, in: manifest).read([value], at: .unknown)
            } catch {
                throw JSONError("the value of “\(name)” in a shortcut: \(error.text)")
            }
        }
    }
}

extension PresentTime {
    /// A time for checks whose result does not depend on the time.
    fileprivate static var unknown: PresentTime { PresentTime(WallTime(milliseconds: 0)) { _ in 0 } }
}
