import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The list of the repositories that shells of this machine have visited.
///
/// An activity of another machine finds its clone on this machine by the list. The list is a file with lines of JSON in
/// the person's state folder. The helpers of all shells change it. A listed clone may have been removed since, so
/// callers check that it still exists.
package struct KnownClones {
    package let path: String

    /// A clone of a repository on this machine.
    package struct Clone: Equatable, Sendable {
        package var root: String
        package var identity: RepositoryIdentity

        package init(root: String, identity: RepositoryIdentity) {
            (self.root, self.identity) = (root, identity)
        }
    }

    /// The largest number of clones in the list.
    ///
    /// Beyond it, the clones that were visited least recently are removed.
    private static let most = 1000
    /// The maximum size of the file in bytes.
    private static let bytesMost = 4 << 20
    private static let patience = Duration.seconds(2)

    package init(_ path: String) { self.path = path }

    /// Uses the list of this person; nil if there is no home folder.
    package init?(environment: (String) -> String?) {
        guard let folder = StateFolder.path(environment) else { return nil }
        self.init(folder + "/clones")
    }

    /// Returns the clones, most recently visited first.
    ///
    /// If the file can't be read, returns an empty array.
    package func all() -> [Clone] {
        guard SharedFile.size(of: path) > 0 else { return [] }
        do throws(NetworkError) {
            return try read(SharedFile(lockedAt: path, deadline: .now + Self.patience))
        } catch {
            return []
        }
    }

    /// Returns the first commit of the clone at a root, as it was when the clone was visited last.
    func firstCommit(of root: String) -> String? { all().first { $0.root == root }?.identity.firstCommit }

    /// Moves a clone to the beginning of the list, or adds it there.
    package func remember(_ clone: Clone) throws(LocalFailure) {
        do throws(NetworkError) {
            let file = try SharedFile(lockedAt: path, deadline: .now + Self.patience)
            let known = try read(file)
            guard known.first != clone else { return }
            let clones = [clone] + known.filter { $0.root != clone.root }.prefix(Self.most - 1)
            let bytes = clones.flatMap { Array(($0.json.text + "\n").utf8) }
            try file.write(bytes, at: 0)
            try file.truncate(to: bytes.count)
        } catch {
            throw LocalFailure(.failed, "The list of clones could not be changed: \(error)")
        }
    }

    /// Deletes the list; returns whether there was one.
    package func remove() -> Bool { unlink(path) == 0 }

    private func read(_ file: borrowing SharedFile) throws(NetworkError) -> [Clone] {
        try file.read(Self.bytesMost, at: 0).split(separator: UInt8(ascii: "\n")).compactMap {
            // A crash has cut this line off. The clone is listed again at the next visit.
            do throws(JSONError) { return Clone(try JSON(reading: Array($0))) } catch { return nil }
        }
    }
}

extension KnownClones.Clone {
    fileprivate var json: JSON {
        .object(
            [
                .init("root", .string(root)),
                .init("remotes", .array(identity.remotes.sorted().map { .string($0) })),
            ]
                + (identity.firstCommit.map { [.init("first", .string($0))] } ?? []))
    }

    fileprivate init?(_ json: JSON) {
        guard case .object(let members) = json else { return nil }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        guard case .string(let root)? = values["root"], case .array(let remotes)? = values["remotes"] else {
            return nil
        }
        let texts = remotes.compactMap { if case .string(let text) = $0 { text } else { nil } }
        var first: String?
        if case .string(let text)? = values["first"] { first = text }
        self.init(root: root, identity: RepositoryIdentity(remotes: Set(texts), firstCommit: first))
    }
}
