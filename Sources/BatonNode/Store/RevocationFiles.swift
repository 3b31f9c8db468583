package import BatonCore
import BatonStore

/// The two files beside an account's databases that contain the revocations that the account knows.
///
/// The files exist once there is a revocation. Either file is sufficient: its statements are signed, so the other file
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

    /// The contents of both files together.
    package struct Found: Sendable {
        /// The statements that are in at least one of the files, as keys of their records.
        ///
        /// Their signatures are not verified.
        package fileprivate(set) var keys: [RecordKey] = []
        /// The paths of the damaged files.
        package fileprivate(set) var damaged: [String] = []
        /// The statements, if both files have the same statements in the same order; nil if the files differ.
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

    /// Returns the statements of one file; nil if the file is damaged.
    private static func keys(in reading: FilePair.Reading) -> [RecordKey]? {
        switch reading {
        case .missing: []
        case .damaged: nil
        case .content(let content): KeptRevocations.keys(in: content)
        }
    }

    /// Removes the files, because they belong to another account.
    func remove() throws(StoreFailure) { try files.remove() }

    /// Writes both files.
    ///
    /// Returns when both files would survive a power failure.
    package func write(_ keys: [RecordKey]) throws(StoreFailure) {
        try files.write(KeptRevocations.encode(keys))
    }
}
