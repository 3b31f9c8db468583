package import BatonCore
package import BatonStore
import Glibc

/// The problems with the store and its disk, in words for a person.
package struct StoreTroubles {
    private let folder: String
    /// The paths of the quarantined files of damaged databases.
    ///
    /// This process or an earlier one has quarantined them.
    private var files: [String]
    /// The rescues in this process, by the path of the quarantined file.
    private var rescues: [String: LaneRescue] = [:]
    /// Whether the store lacks changes that it had stored before.
    private let lacksChanges: Bool
    /// The restored backup, as long as another device may still have changes that were made after it; nil otherwise.
    private var restoration: Restoration?
    /// The name of a device that has changes of this device that the store lacks; nil if no such device is known.
    private var setBackWitness: String?
    /// The reason why nothing can be stored at the moment; nil if changes can be stored.
    private var refusal: StoreFailure?

    /// Finds the problems of a folder that are known when the store is opened.
    package init(folder: String, lacksChanges: Bool, restoration: Restoration? = nil) {
        (self.folder, self.lacksChanges, self.restoration) = (folder, lacksChanges, restoration)
        files = Self.damagedFiles(in: folder)
    }

    // MARK: Commands

    /// Records rescues of lanes.
    package mutating func recordRescued(_ rescued: [LaneRescue]) {
        for rescue in rescued {
            if !files.contains(rescue.file) { files.append(rescue.file) }
            rescues[rescue.file] = rescue
        }
    }

    /// Records the result of storing a change.
    ///
    /// The failure is nil if the change was stored.
    package mutating func recordFailure(_ failure: StoreFailure?) {
        switch failure?.code {
        case nil: refusal = nil
        case .full, .readOnly, .locked, .failed: refusal = failure
        case .newer, .foreign, .damaged, .unreadable, .void, .peerSetBack, .outranked: return
        }
    }

    /// Records that another device has changes that this device made and has lost.
    package mutating func noteSetBack(shownBy name: String) { setBackWitness = name }

    /// Records that all devices have sent all that they had.
    ///
    /// Nothing that was made after the restored backup is missing any more.
    package mutating func endRestoration() { (restoration, setBackWitness) = (nil, nil) }

    // MARK: Queries

    /// Whether another problem already explains why the store lacks changes.
    package var explainsSetBack: Bool {
        lacksChanges || setBackWitness != nil || !files.isEmpty
    }

    /// Whether the store was restored from a backup, and another device has not yet sent all that was written since.
    package var isRestored: Bool { restoration != nil }

    /// The texts of all problems that exist now.
    package var texts: [String] {
        var texts = files.filter { access($0, F_OK) == 0 }.map(text)
        // If a lane was rescued, the text about its quarantined file says the same.
        if lacksChanges, rescues.isEmpty { texts.append(Self.setBackText) }
        if let setBackWitness { texts.append(setBackText(shownBy: setBackWitness)) }
        if let refusal { texts.append("\(refusal.told(in: folder)); no changes are saved until then") }
        return texts
    }

    /// Returns the text about a rescue.
    static func text(_ rescue: LaneRescue) -> String {
        let rest =
            rescue.hasLosses
            ? "what could not be read comes back from your other devices, if they have it"
            : "no saved data is known to be missing"
        let name = name(of: rescue.lane)
        let what =
            rescue.hasForeignJournal
            ? "the journal beside \(name) (its file -wal) belongs to another database, and both were"
            : "\(name) was damaged\(pages(rescue.damaged)) and was"
        let apps =
            rescue.lane == .index && rescue.hasLosses ? ", and apps are asked to index their items again" : ""
        return """
            \(what) moved to \
            \(rescue.file); \(rescue.writes == 1 ? "1 change was" : "\(rescue.writes) changes were") rescued\
            \(rescue.isPageByPage ? ", page by page" : ""), \(rest)\(apps)
            """
    }

    /// The largest number of damaged tables that a text names.
    private static let tablesMost = 4

    /// Returns the number of unreadable pages of each table, in parentheses.
    private static func pages(_ damaged: [DamagedTable]) -> String {
        guard !damaged.isEmpty else { return "" }
        let sorted = damaged.sorted { $0.pages > $1.pages }
        var parts = sorted.prefix(tablesMost).map { pages($0.pages, of: $0.name ?? "an unknown table") }
        let rest = sorted.dropFirst(tablesMost).reduce(0) { $0 + $1.pages }
        if rest > 0 { parts.append(pages(rest, of: "other tables")) }
        return " (\(parts.joined(separator: ", ")))"
    }

    /// Returns the number of unreadable pages of a table.
    private static func pages(_ count: Int, of table: String) -> String {
        "\(count) \(count == 1 ? "page" : "pages") of \(table)"
    }

    /// Returns the text about the progress of a rescue or an opening that takes long.
    static func text(_ progress: RescueProgress) -> String {
        let name = name(of: progress.lane)
        guard let writes = progress.writes else { return "\(name) is still being opened" }
        return "\(name) is damaged, and what can be read is being rescued: \(writes) changes so far"
    }

    private static func name(of lane: Lane) -> String {
        lane == .activities ? "the database of activities" : "the database of the index"
    }

    static let setBackText = """
        the store of this device lost its last changes: the disk returned less than was written, or an older copy of the \
        home was restored. Changes that other devices have come back from there. Check the disk, for example with `smartctl -a`
        """

    /// Returns the text to show if another device has changes of this device that are missing here.
    package func setBackText(shownBy name: String) -> String {
        if let restoration {
            return """
                “\(name)” has changes of this device that are not in the backup of \(restoration.made.dateAndTime), which was \
                restored on \(restoration.restored.dateAndTime). They come back from there
                """
        }
        return """
            “\(name)” has changes of this device that were missing here: an older copy of the home was \
            restored, or the power failed or the disk was full before they were on the disk. They come back from there
            """
    }

    private func text(_ file: String) -> String {
        let advice =
            "check the disk, for example with `smartctl -a`; once nothing is missing, `baton doctor --clean` deletes the file"
        guard let rescue = rescues[file] else {
            return
                "a damaged database was moved to \(file), and what could be read was rescued; \(advice)"
        }
        return "\(Self.text(rescue)); \(advice)"
    }

    /// Returns the quarantined files in a folder, which are recognised by their names.
    private static func damagedFiles(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var files: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.contains(".sqlite.damaged-"), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") else {
                continue
            }
            files.append("\(folder)/\(name)")
        }
        return files.sorted()
    }
}

extension StoreFailure {
    /// Returns the problem and the advice to a person while the node keeps running.
    fileprivate func told(in folder: String) -> String {
        switch code {
        case .full: "the disk is full: free up space (`df -h \(folder)` shows how much is left)"
        case .readOnly:
            "the disk can't be written (`findmnt -T \(folder)` shows how it is mounted): remount it for writing"
        case .locked:
            "another program is using the store (`fuser -v \(folder)/*.sqlite` shows which one): end it"
        case .newer, .foreign, .damaged, .failed, .unreadable, .void, .peerSetBack, .outranked:
            "the disk failed (\(text)): check it, for example with `smartctl -a`"
        }
    }
}
