package import BatonCore
import BatonNetwork
import BatonSecurity
import Glibc

/// Remembers outside the home how far the journal had come, so that the next opening knows whether it is the one
/// that was written last.
///
/// It lies where nothing survives a restart of the machine, and no backup reaches. Where there is no such place,
/// or the two differ in anything, the device begins a new life: a dot that others may have seen is never named
/// again. Only the store's thread uses it.
///
/// Sendable although it changes: after it is made, only that thread looks into it.
package final class Witness: @unchecked Sendable {
    private let path: String?
    /// What the file begins with: this start of the machine, and whose journal it is.
    private let head: [UInt8]
    private let device: DeviceIdentifier
    private var life: Life?
    /// What the file says, so that it is written only when that is another: what the store has kept or is about to, and
    /// what it had kept for certain.
    private var (noted, kept): (JournalMark?, JournalMark?)

    /// The witness of a home; without a path there is none, and every opening begins a life.
    package init(path: String?, account: AccountIdentifier, device: DeviceIdentifier, bootID: String) {
        (self.path, self.device) = (path, device)
        head = SHA256.digest(Array(bootID.utf8)) + account.bytes + device.bytes
    }

    /// How a journal goes on, or begins.
    package struct Opening: Equatable, Sendable {
        package let life: Life
        /// The last transactions of that life; none if it begins.
        package let sequences: [Lane: UInt64]
        /// Whether the store lacks what it had kept since the machine was started: the disk has returned less than was
        /// written, or somebody put an older copy of the home back.
        package var lacksChanges = false
    }

    /// Opens the journal of a store: goes on with the life that wrote last if nothing speaks against it.
    package func open(
        _ store: any AccountStore, using generator: inout some RandomNumberGenerator
    ) throws(StoreFailure) -> Opening {
        let seen = read()
        if let seen, let life = JournalMark.life(seen.noted), let mark = try store.mark(of: life),
            mark.encoded == seen.noted
        {
            (self.life, noted) = (life, mark)
            try note(store)
            return Opening(life: life, sequences: mark.sequences)
        }
        let heads = try store.summary().heads
        let lacksChanges = JournalMark.heads(seen?.kept ?? [])
            .contains { lane, head in heads[lane, default: .none] < head }
        let life = Life(after: try store.summary().clock, of: device, random: generator.next())
        try store.begin(.random(using: &generator))
        begin(life)
        try note(store)
        return Opening(life: life, sequences: [:], lacksChanges: lacksChanges)
    }

    /// The life with which the journal goes on.
    package var presentLife: Life? { life }

    /// The journal begins a new life.
    package func begin(_ life: Life) { self.life = life }

    /// Takes note of what the store has kept, or is about to keep.
    package func note(_ store: any AccountStore, isKept: Bool = true) throws(StoreFailure) {
        guard path != nil, let life, let mark = try store.mark(of: life) else { return remove() }
        let certain = isKept ? mark : kept ?? mark
        if mark == noted, certain == kept { return }
        guard write(head + mark.encoded + certain.encoded) else { return remove() }
        (noted, kept) = (mark, certain)
    }

    /// Takes note of what the store has kept; if that can't be read, there is no witness any more.
    package func noteOrForget(_ store: any AccountStore, isKept: Bool = true) {
        do throws(StoreFailure) { try note(store, isKept: isKept) } catch { remove() }
    }

    // MARK: The file

    private func read() -> (noted: [UInt8], kept: [UInt8])? {
        guard let path else { return nil }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let expected = head.count + 2 * JournalMark.byteCount
        var bytes = [UInt8](repeating: 0, count: expected + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count == expected, bytes.starts(with: head) else { return nil }
        let marks = bytes[head.count..<expected]
        return (Array(marks.prefix(JournalMark.byteCount)), Array(marks.suffix(JournalMark.byteCount)))
    }

    /// False if it can't be written; then there is no witness, which costs a life and nothing else.
    private func write(_ bytes: [UInt8]) -> Bool {
        guard let path else { return false }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// What can't be kept up must not agree by chance with what comes later.
    private func remove() {
        (noted, kept) = (nil, nil)
        if let path { unlink(path) }
    }
}

extension Witness {
    /// The witness of an account on a home.
    convenience init(_ home: Home, _ credentials: Credentials) throws(NetworkError) {
        self.init(
            path: home.witness(), account: credentials.account, device: credentials.device,
            bootID: try ProcessIdentity.currentBootID())
    }
}
