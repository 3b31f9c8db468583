import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// A lock on a home, which ensures that only one node uses the home.
///
/// The system releases the lock when the process ends.
final class HomeLock {
    private let file: FileDescriptor

    init(_ home: Home) throws(LocalFailure) {
        do throws(NetworkError) {
            file = try Self.open(home)
        } catch {
            throw LocalFailure(.failed, "\(home.lock) can't be opened: \(error.reason)")
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            guard reason == EWOULDBLOCK else {
                throw LocalFailure(
                    .failed, "\(home.lock) can't be locked: \(String(cString: strerror(reason)))")
            }
            throw LocalFailure(
                .nodeRunning,
                "A node is already running on this home. See `baton status\(home.option)`.")
        }
    }

    /// Opens the lock file.
    ///
    /// If the disk is read-only and has no lock file yet, opens the folder of the home instead.
    private static func open(_ home: Home) throws(NetworkError) -> FileDescriptor {
        do throws(NetworkError) {
            return try FileDescriptor.open(home.lock, flags: O_RDONLY | O_CREAT, mode: 0o600)
        } catch  where error.number == EROFS {
            return try FileDescriptor.open(home.data, flags: O_RDONLY | O_DIRECTORY)
        }
    }
}

extension Home {
    /// Reads the identity of this device from the home.
    func credentials() throws(LocalFailure) -> Credentials {
        do {
            return try IdentityFolder(path: identity()).load()
        } catch  where error.code == .notInitialised {
            throw notInitialised
        } catch  where error.code == .damaged {
            throw LocalFailure(
                .failed,
                "\(error.message)\nRestore its files if you have a copy. If not, move \(account()) away, and join "
                    + "again: type `baton invite` on an owner's machine, and here the command that it shows."
            )
        } catch {
            throw LocalFailure(.failed, error.message)
        }
    }
}

extension LocalFailure {
    /// Explains an error of the system to a person who starts a node.
    init(_ error: NetworkError, _ home: Home) {
        if error.code == .addressInUse {
            self.init(
                .nodeRunning,
                "A node is already running on this home. See `baton status\(home.option)`.")
        } else {
            self.init(error.code == .foreign ? .notAllowed : .failed, "\(error)")
        }
    }

    /// Explains to a person who starts a node why the store can't be opened.
    init(opening failure: StoreFailure, _ home: Home) {
        let advice =
            switch failure.code {
            case .full:
                "Free up space on the disk; `df -h \(home.account())` shows how much is left. A running node tries again by itself."
            case .locked:
                "Another program is using its files; `fuser -v \(home.account())/*.sqlite` shows which one. End it, and start the node again with `baton node\(home.option)`."
            case .newer:
                "Start the newer version of Baton; this one has changed nothing. `baton version` shows which version this is."
            case .readOnly:
                "The disk can't be written; `findmnt -T \(home.account())` shows how it is mounted. Remount it for writing; a running node tries again by itself."
            case .damaged, .foreign:
                "Restore the right file or folder. If you have no copy, move that file away, with its -wal and -shm, and leave the other database as it is; start the node again with `baton node\(home.option)`: it fetches the data that your other devices have."
            case .failed, .unreadable, .void, .peerSetBack, .outranked:
                "Check that the disk is healthy and that the folder belongs to you, and start the node again with `baton node\(home.option)`."
            }
        // If the disk can't be written, the message must also say why the store can't even be read.
        let reason = failure.code == .full ? failure.reason : failure.description
        self.init(.storage, "The store in \(home.account()) can't be opened: \(reason).\n\(advice)")
    }
}
