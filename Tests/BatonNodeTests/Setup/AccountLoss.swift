import BatonCore
import BatonNode
import Foundation
import Support

/// A loss in the folder of an account, while no node runs.
enum AccountLoss: CaseIterable {
    case pages, database, databases, firstFile, secondFile, damagedFirstFile, damagedSecondFile

    /// Strikes the databases, or one of two files with these paths.
    func strike(_ folder: String, _ paths: [String]) throws {
        switch self {
        case .pages: try FileDamage.flipPages(of: "\(folder)/activities.sqlite")
        case .database: try Self.removeDatabase(of: .activities, in: folder)
        case .databases: for lane in Lane.allCases { try Self.removeDatabase(of: lane, in: folder) }
        case .firstFile: try FileManager.default.removeItem(atPath: paths[0])
        case .secondFile: try FileManager.default.removeItem(atPath: paths[1])
        case .damagedFirstFile: try Self.damage(paths[0])
        case .damagedSecondFile: try Self.damage(paths[1])
        }
    }

    /// Removes the database of a lane with its log.
    static func removeDatabase(of lane: Lane, in folder: String) throws {
        for part in ["", "-wal", "-shm"] {
            let path = "\(folder)/\(lane).sqlite\(part)"
            if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Changes a byte in the middle of a file.
    static func damage(_ path: String) throws {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

extension RunningNode {
    /// Writes a backup to a file.
    func backUp(to path: String) throws {
        var peer = try connect()
        var answer = try peer.ask(WriteBackup(path: path, replaces: true))
        while case .success(.working) = answer { answer = try peer.ask(AwaitBackup()) }
        guard case .success(.backup) = answer else { throw DeadlinePassed(description: "no backup") }
    }

    /// Replaces the state with that of a backup.
    func restore(from path: String) throws {
        var peer = try connect()
        var answer = try peer.ask(RestoreBackup(path: path, isConfirmed: true))
        while case .success(.working) = answer { answer = try peer.ask(AwaitBackup()) }
        guard case .success(.restored) = answer else { throw DeadlinePassed(description: "not restored") }
    }
}
