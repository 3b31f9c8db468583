import BatonCore
import BatonNetwork
import Glibc

/// Names the process that holds copied content.
///
/// The name is that of an app instance: `copied-PROCESS-START-DESCRIPTOR`.
struct HolderName: Equatable {
    /// The app whose activities offer copied content.
    static let app = "org.baton.copy"

    let text: String
    private let process: Int32
    private let started: UInt64
    private let descriptor: Int32

    /// Creates the name for this process, which holds the content at a descriptor.
    init(holdingAt descriptor: Int32) throws(LocalFailure) {
        var found: ProcessIdentity?
        do throws(NetworkError) {
            found = try ProcessIdentity.find(getpid())
        } catch {
            throw Self.unseen
        }
        guard let found else { throw Self.unseen }
        self.init(found.processID, found.startTicks, descriptor)
    }

    private static var unseen: LocalFailure {
        LocalFailure(
            .failed, "This process is not in /proc. Mount the /proc of this process namespace first.")
    }

    private init(_ process: Int32, _ started: UInt64, _ descriptor: Int32) {
        text = "copied-\(process)-\(started)-\(descriptor)"
        (self.process, self.started, self.descriptor) = (process, started, descriptor)
    }

    /// Parses a name; returns nil if the text has another form.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "copied", let process = Int32(parts[1]), process > 0,
            let started = UInt64(parts[2]), let descriptor = Int32(parts[3]), descriptor > 2
        else { return nil }
        self.init(process, started, descriptor)
    }

    /// Opens the content that the process holds; returns nil if the process has ended or can't be accessed.
    func open() -> Int32? {
        do throws(NetworkError) {
            guard let found = try ProcessIdentity.find(process), found.startTicks == started else {
                return nil
            }
        } catch {
            return nil
        }
        let opened = Glibc.open("/proc/\(process)/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        return opened >= 0 ? opened : nil
    }
}
