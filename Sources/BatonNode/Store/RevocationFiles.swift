package import BatonCore
import BatonStore

/// The two files in which an account keeps the revocations that it knows, beside its databases.
///
/// They exist from the first revocation on. Each file counts by itself: its statements are signed, so the other file
/// need not confirm them.
package struct RevocationFiles: Sendable {
    private let files: FilePair

    package init(
        folder: String,
        beforeStep: @escaping @Sendable (FilePair.Step) throws(StoreFailure) -> Void = { _ in }
    ) {
        files = FilePair(
            "revocations", in: folder, bytesMost: KeptRevocations.bytesMost, beforeStep: beforeStep)
    }

    /// The paths of the files, in the order in which they are written.
    package var paths: [String] { files.paths }

    /// The content of both files together.
    package struct Found: Sendable {
        /// The statements that either file has, by the keys of their records; nothing is verified.
        package fileprivate(set) var keys: [RecordKey] = []
        /// The damaged files.
        package fileprivate(set) var damaged: [String] = []
        /// The statements that both files have, in this order; nil if the files differ.
        fileprivate(set) var agreed: [RecordKey]?
    }

    package func read() -> Found {
        var found = Found()
        var known: Set<RecordKey> = []
        var contents: [[RecordKey]?] = []
        for (path, reading) in zip(paths, files.read()) {
            let content = Self.keys(in: reading)
            if content == nil { found.damaged.append(path) }
            contents.append(content)
        }
        for key in contents.compactMap(\.self).joined() where known.insert(key).inserted {
            found.keys.append(key)
        }
        if found.damaged.isEmpty, contents.allSatisfy({ $0 == found.keys }) { found.agreed = found.keys }
        return found
    }

    /// Returns the statements of one file; nil if it is damaged.
    private static func keys(in reading: FilePair.Reading) -> [RecordKey]? {
        switch reading {
        case .missing: []
        case .damaged: nil
        case .content(let content): KeptRevocations.keys(in: content)
        }
    }

    /// Removes the files of another account.
    func remove() throws(StoreFailure) { try files.remove() }

    /// Writes both files, and returns once both would survive a power loss.
    package func write(_ keys: [RecordKey]) throws(StoreFailure) {
        try files.write(KeptRevocations.encode(keys))
    }
}
