package import BatonCore
import Glibc

/// Remembers outside the home how far the journal had come in one lane.
///
/// It has a file of its own, so that who is at one lane needs nothing of the other. Sendable although it changes: it
/// goes with its lane, which one thread has at a time.
package final class LaneWitness: @unchecked Sendable {
    private let lane: Lane
    private let path: String?
    /// What the file begins with: this start of the machine, and whose journal it is.
    private let head: [UInt8]
    /// The life with which the journal goes on.
    private(set) var life: Life?
    /// What the file says, so that it is written only when that is another: what the lane has kept or is about to, and
    /// what it had kept for certain.
    private var (noted, kept): (LaneMark?, LaneMark?)

    init(_ lane: Lane, path: String?, head: [UInt8]) {
        (self.lane, self.path, self.head) = (lane, path, head)
    }

    // MARK: Commands

    /// The journal begins a new life.
    func begin(_ life: Life) { self.life = life }

    /// Takes note of what the lane has kept, or is about to keep.
    package func note(_ store: any LaneStore, isKept: Bool = true) throws(StoreFailure) {
        guard path != nil, let life, let mark = try store.mark(of: life) else { return remove() }
        let certain = isKept ? mark : kept ?? mark
        if mark == noted, certain == kept { return }
        guard write(head + mark.encoded + certain.encoded) else { return remove() }
        (noted, kept) = (mark, certain)
    }

    /// Takes note of what the lane has kept; if that can't be read, there is no witness any more.
    package func noteOrForget(_ store: any LaneStore, isKept: Bool = true) {
        do throws(StoreFailure) { try note(store, isKept: isKept) } catch { remove() }
    }

    /// What can't be kept up must not agree by chance with what comes later.
    func remove() {
        (noted, kept) = (nil, nil)
        if let path { unlink(path) }
    }

    // MARK: The file

    /// What an earlier process noted last.
    func read() -> (noted: LaneMark, kept: LaneMark)? {
        guard let path else { return nil }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let expected = head.count + 2 * LaneMark.byteCount
        var bytes = [UInt8](repeating: 0, count: expected + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count == expected, bytes.starts(with: head) else { return nil }
        let marks = bytes[head.count..<expected]
        guard let noted = LaneMark(Array(marks.prefix(LaneMark.byteCount))), noted.lane == lane,
            let kept = LaneMark(Array(marks.suffix(LaneMark.byteCount))), kept.lane == lane
        else { return nil }
        return (noted, kept)
    }

    /// False if it can't be written; then there is no witness, which costs a life and nothing else.
    private func write(_ bytes: [UInt8]) -> Bool {
        guard let path else { return false }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}
