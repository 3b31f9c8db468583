import BatonCore
import BatonSecurity

/// Seals the items of protected indexes before anything else of the node sees them, and opens them for searches.
///
/// The store, the backups, the log and the other devices only get what is sealed.
struct ItemSealing: Sendable {
    private let key: ContentKey

    init(with key: ContentKey) { self.key = key }

    // MARK: Names

    /// Returns the name under which an item is stored, with a keyed hash as the identifier if its index is protected.
    func storedName(of name: ItemName) -> ItemName { name.isProtected ? hashed(name) : name }

    private func hashed(_ name: ItemName) -> ItemName {
        let hash = key.name(of: Self.bytes([name.app, name.index, name.identifier]), for: "item")
        return ItemName(app: name.app, index: name.index, identifier: hash.description)
    }

    /// Returns a domain with a keyed hash instead of each of its parts.
    ///
    /// The hash of a part depends on the parts before it. So equal parts of two domains have different hashes.
    private func hashed(_ domain: String?, of index: ClientStateName) -> String? {
        guard domain != nil else { return nil }
        let parts = Scope.parts(domain)
        var hashes: [String] = []
        for place in parts.indices {
            let path = [index.app, index.index] + parts[...place]
            hashes.append(key.name(of: Self.bytes(path), for: "domain").description)
        }
        return hashes.joined(separator: ".")
    }

    private static func bytes(_ texts: [String]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: texts.count)
        for text in texts { writer.text(text) }
        return writer.bytes
    }

    // MARK: Sealing

    /// Returns a change of an app's index as it is stored: sealed if the index is protected.
    func seal(_ change: IndexChange, of index: ClientStateName) throws(LocalFailure) -> IndexChange {
        guard index.isProtected else { return change }
        do {
            switch change {
            case .item(let identifier, let item):
                let name = hashed(identifier, in: index)
                let content = try key.seal(
                    item.contentToSeal(as: identifier), for: Item.SealedPart.content.context(in: name))
                return .item(
                    name.identifier, item.sealed(as: content, domain: hashed(item.domain, of: index)))
            case .unreadable: return change
            case .update(let identifier, let domain, let fields):
                let name = hashed(identifier, in: index)
                let given = domain.map { Item.GivenName(identifier: identifier, domain: $0) }
                let sealed = try fields.sealedUpdate(movingTo: given) { text in
                    key.name(of: name.key.name + text, for: "attribute")
                } by: { content, part in
                    try key.seal(content, for: part.context(in: name))
                }
                return .update(name.identifier, domain: hashed(domain, of: index), sealed)
            case .deletion(let identifier): return .deletion(hashed(identifier, in: index).identifier)
            case .clear(let domain): return .clear(domain: hashed(domain, of: index))
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private func hashed(_ identifier: String, in index: ClientStateName) -> ItemName {
        hashed(ItemName(app: index.app, index: index.index, identifier: identifier))
    }

    private static func failure(_ error: any Error) -> LocalFailure {
        LocalFailure(.failed, "The protected items can't be sealed, so nothing has changed. \(error)")
    }

    // MARK: Opening

    /// Returns the content of an item with everything opened; throws if a part can't be opened.
    func opened(_ content: Write.Content, of name: ItemName) throws -> Write.Content {
        let item = try Item(name, content)
        let opened = try item.opened { value, part in try key.open(value, for: part.context(in: name)) }
        return Write.Content(scope: content.scope, fields: opened.fields)
    }

    /// Returns the content of an item of a protected index as a person sees it.
    func shown(_ content: Write.Content, of name: ItemName) throws(LocalFailure) -> Write.Content {
        do {
            return try opened(content, of: name)
        } catch {
            throw LocalFailure(
                .failed,
                "The protected item can't be opened, because it was damaged or sealed with another key.\nLet its app index it again."
            )
        }
    }

    /// Returns a write of a protected item with everything opened; other writes are returned as they are.
    ///
    /// If a part can't be opened, `failed` is called. A full write is then left sealed, so that no search finds its item,
    /// and a partial write lacks that part.
    func opened(_ write: Write, failed: (ItemName, any Error) -> Void) -> Write {
        guard write.identity.kind == .item, let key = write.key, let name = try? ItemName(key),
            name.isProtected
        else { return write }
        let action: Write.Action
        switch write.action {
        case .full(let content):
            do { action = .full(try opened(content, of: name)) } catch {
                failed(name, error)
                return write
            }
        case .partial(let base, let fields):
            let opened = fields.openedUpdate { value, part in
                try self.key.open(value, for: part.context(in: name))
            } failed: {
                failed(name, $0)
            }
            action = .partial(of: base, opened)
        case .deletion, .count: return write
        }
        return Write(dot: write.dot, key: key, stamp: write.stamp, action: action)
    }
}
