import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The repositories that shells of this machine have visited, in which activities of other machines find their clones.
///
/// It is a file with lines of JSON in the person's state folder, which the helpers of all shells change. A listed clone
/// may have been removed, so callers check that it still exists.
package struct KnownClones {
    package let path: String

    /// A clone that was seen.
    package struct Clone: Equatable, Sendable {
        package var root: String
        package var identity: RepositoryIdentity

        package init(root: String, identity: RepositoryIdentity) {
            (self.root, self.identity) = (root, identity)
        }
    }

    /// The most clones that are remembered; beyond that, the least recently seen ones are forgotten.
    private static let most = 1000
    /// The largest file that is read.
    private static let bytesMost = 4 << 20
    private static let patience = Duration.seconds(2)

    package init(_ path: String) { self.path = path }

    /// The file of the person; nil without a home folder.
    package init?(environment: (String) -> String?) {
        guard let folder = StateFolder.path(environment) else { return nil }
        self.init(folder + "/clones")
    }

    /// Returns the clones, most recently seen first; empty if the file can't be read.
    package func all() -> [Clone] {
        guard SharedFile.size(of: path) > 0 else { return [] }
        do throws(NetworkError) {
            return try read(SharedFile(lockedAt: path, deadline: .now + Self.patience))
        } catch {
            return []
        }
    }

    /// Returns the first commit that the repository at a root had when it was seen.
    func firstCommit(of root: String) -> String? { all().first { $0.root == root }?.identity.firstCommit }

    /// Remembers that a clone was seen.
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

    /// Forgets all clones; returns whether there was a list.
    package func remove() -> Bool { unlink(path) == 0 }

    private func read(_ file: borrowing SharedFile) throws(NetworkError) -> [Clone] {
        try file.read(Self.bytesMost, at: 0).split(separator: UInt8(ascii: "\n")).compactMap {
            // A line that a crash has cut off is skipped; its clone is listed again at the next visit.
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
