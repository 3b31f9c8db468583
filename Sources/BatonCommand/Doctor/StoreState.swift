import BatonClient
package import BatonCore
import BatonNetwork
import Glibc

/// The state of an account's store, judged only by the files in its folder.
///
/// The node itself reports other problems of the store.
package enum StoreState: Equatable, Sendable {
    /// No problem is known.
    case sound
    /// Damaged databases were moved to these files, which still exist.
    case damaged([String])

    /// Looks in the account's folder for damaged databases that were moved.
    package init(examining home: Home) {
        let files = MovedDatabases(FolderContents.names(in: home.account())).files.filter(\.isDamaged)
        self = files.isEmpty ? .sound : .damaged(files.map { "\(home.account())/\($0.name)" })
    }

    /// Whether the problems that the node reports already name all of these files.
    package func isTold(by troubles: [String]) -> Bool {
        guard case .damaged(let files) = self else { return false }
        return files.allSatisfy { file in troubles.contains { $0.contains(file) } }
    }

    package func finding(options: String) -> Finding {
        switch self {
        case .sound: Finding(.store, "sound", .ok, "store", "no damage is known")
        case .damaged(let files):
            Finding(
                .store, "damaged", .warning, "store",
                "a damaged database was moved to \(files.joined(separator: ", ")), and what could be read was rescued",
                advice:
                    "Check the disk, for example with `smartctl -a`. Once nothing is missing, `baton doctor --clean\(options)` deletes it."
            )
        }
    }
}

/// The databases that were moved within an account's folder.
///
/// A database is moved if it is damaged, or if a backup replaces it.
package struct MovedDatabasesState: Equatable, Sendable {
    /// The paths of the files, each with its size in bytes.
    package private(set) var files: [(path: String, bytes: Int)] = []

    package static func == (left: Self, right: Self) -> Bool { left.files.elementsEqual(right.files, by: ==) }

    /// Looks for moved databases, and for the other files that SQLite has for each of them.
    package init(examining home: Home) {
        let names = FolderContents.names(in: home.account())
        for file in MovedDatabases(names).files {
            for part in MovedDatabases.parts where names.contains(file.name + part) {
                let path = "\(home.account())/\(file.name)\(part)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                files.append((path, Int(status.st_size)))
            }
        }
    }

    /// The finding with the paths and sizes of the files, or nil if there are none.
    package func finding(options: String) -> Finding? {
        guard !files.isEmpty else { return nil }
        let all = files.map { "\($0.path) (\(DiskState.amount(UInt64($0.bytes))))" }
        return Finding(
            .store, "moved", .note, "moved", "\(all.joined(separator: ", "))",
            advice: "Once nothing is missing, `baton doctor --clean\(options)` deletes them.")
    }

    /// Deletes the moved databases; returns a finding about each file.
    package func remove() -> [Finding] {
        files.map { file in
            guard unlink(file.path) == 0 || errno == ENOENT else {
                return Finding(
                    .store, "kept", .problem, "moved",
                    "\(file.path) can't be deleted: \(SystemText.of(errno))")
            }
            return Finding(.store, "deleted", .ok, "moved", "deleted \(file.path)")
        }
    }
}

/// The state of the disk that contains a home.
package enum DiskState: Equatable, Sendable {
    case free(bytes: UInt64)
    /// There is little space left, so the node may soon be unable to store changes.
    case low(bytes: UInt64)
    case full
    case readOnly
    case unknown(String)

    /// Examines the disk that contains a home; nil if the home does not exist but can be created.
    package init?(examining home: Home) {
        if ReadOnlyDisk.folder(of: home.data) != nil {
            self = .readOnly
            return
        }
        guard access(home.data, F_OK) == 0 else { return nil }
        var status = statvfs()
        guard statvfs(home.data, &status) == 0 else {
            self = .unknown(SystemText.of(errno))
            return
        }
        self.init(freeBytes: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Decides by the number of bytes that an ordinary user can still write.
    package init(freeBytes bytes: UInt64) {
        self =
            switch bytes {
            case ..<Self.leastBytes: .full
            case ..<Self.wantedBytes: .low(bytes: bytes)
            default: .free(bytes: bytes)
            }
    }

    /// With less free space than this, no change is stored.
    private static let leastBytes: UInt64 = 64 << 10
    /// The space that the logs of both databases may need.
    ///
    /// With less free space than this, the person is warned.
    private static let wantedBytes = UInt64(Lane.allCases.count * Limits().logBytes)

    package func finding(of home: Home) -> Finding {
        let folder = ShellWord.quoted(home.data)
        return switch self {
        case .free(let bytes): Finding(.disk, "free", .ok, "disk", "\(Self.amount(bytes)) free")
        case .low(let bytes):
            Finding(
                .disk, "low", .warning, "disk", "only \(Self.amount(bytes)) free",
                advice: "Free up space; `df -h \(folder)` shows the disk.")
        case .full:
            Finding(
                .disk, "full", .problem, "disk", "full, so no change is saved",
                advice: "Free up space; `df -h \(folder)` shows the disk. A running node goes on by itself.")
        case .readOnly:
            Finding(
                .disk, "readOnly", .problem, "disk", "it can't be written, so no change is saved",
                advice: "`findmnt -T \(folder)` shows how it is mounted. Remount it for writing.")
        case .unknown(let reason):
            Finding(.disk, "unknown", .warning, "disk", "the free space is unknown (\(reason))")
        }
    }

    fileprivate static func amount(_ bytes: UInt64) -> String {
        bytes >= 10 << 30
            ? "\(bytes >> 30) GiB" : bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}

/// The system's limits on the resources of a node.
package enum LimitState: Equatable, Sendable {
    case enough(files: UInt64, watches: UInt64?)
    /// The node may open this number of files, which is fewer than it needs.
    case fewFiles(UInt64)
    /// The node may watch this number of files with epoll, which is fewer than it needs.
    case fewWatches(UInt64)
    case unknown(String)

    /// The largest number of files that a node opens.
    ///
    /// They are the connections of strangers, apps and devices, up to the limits that the node itself has, and the
    /// files of databases.
    package static let needed: UInt64 = {
        let limits = Limits()
        let connections =
            limits.strangers + limits.localConnections + limits.localSpareConnections + limits.devices
        return UInt64(connections + databaseFiles)
    }()

    /// A number that is enough for the databases of several accounts, the listening sockets and the log.
    private static let databaseFiles = 128

    /// Examines the limits of the node's process.
    ///
    /// Without a process, the limits of this command count, which a node started here would have.
    package init(examining process: Int32?) {
        let path = "/proc/\(process.map { String($0) } ?? "self")/limits"
        guard let text = ProcFile.text(path), let files = Self.openFiles(in: text) else {
            self = .unknown(path)
            return
        }
        let watches = ProcFile.text("/proc/sys/fs/epoll/max_user_watches").flatMap { text in
            UInt64(text.split(separator: "\n").first ?? "")
        }
        self.init(files: files, watches: watches)
    }

    /// Decides by the limits.
    ///
    /// `watches` is nil if that limit is unknown.
    package init(files: UInt64, watches: UInt64?) {
        self =
            if files < Self.needed {
                .fewFiles(files)
            } else if let watches, watches < Self.needed {
                .fewWatches(watches)
            } else {
                .enough(files: files, watches: watches)
            }
    }

    /// Returns the hard limit of open files from the text of `/proc/PID/limits`.
    ///
    /// A node raises its limit to the hard limit.
    package static func openFiles(in text: String) -> UInt64? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") }) else {
            return nil
        }
        let words = line.dropFirst("Max open files".count).split(separator: " ")
        guard words.count >= 2 else { return nil }
        return words[1] == "unlimited" ? .max : UInt64(words[1])
    }

    package var finding: Finding {
        switch self {
        case .enough(let files, let watches):
            Finding(
                .limits, "enough", .ok, "limits",
                "\(files) open files\(watches.map { ", \($0) epoll watches" } ?? ""); a node needs at most \(Self.needed) of each"
            )
        case .fewFiles(let count):
            Finding(
                .limits, "fewFiles", .warning, "limits",
                "at most \(count) open files, and a node may need \(Self.needed)",
                advice: "Raise the hard limit; `ulimit -Hn` shows it. For the service: LimitNOFILE=.")
        case .fewWatches(let count):
            Finding(
                .limits, "fewWatches", .warning, "limits",
                "at most \(count) epoll watches, and a node may need \(Self.needed)",
                advice: "Type as root: `sysctl fs.epoll.max_user_watches=65536`.")
        case .unknown(let path):
            Finding(.limits, "unknown", .note, "limits", "unknown, because \(path) can't be read")
        }
    }
}

/// Reads files of `/proc`, which are small.
enum ProcFile {
    /// Returns the text of a file; nil if it can't be read.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        do throws(SmallFile.Failure) {
            return String(decoding: try SmallFile.read(file, most: 1 << 16), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
