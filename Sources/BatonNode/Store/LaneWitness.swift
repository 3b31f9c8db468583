package import BatonCore

/// Remembers outside the home how far the journal had come in one lane.
///
/// It has a file of its own, so that who is at one lane needs nothing of the other. Sendable although it changes: it
/// goes with its lane, which one thread has at a time; only `noteTold` is called by another thread, and it touches
/// nothing that changes but the file, which sees to that, at a place of its own.
package final class LaneWitness: @unchecked Sendable {
    private let lane: Lane
    private let file: WitnessFile?
    /// What the file begins with: this start of the machine, and whose journal it is.
    private let head: [UInt8]
    /// The life with which the journal goes on.
    private(set) var life: Life?
    /// What the file says, so that it is written only when that is another: what the lane has kept or is about to, and
    /// what it had kept for certain.
    private var (noted, kept): (LaneMark?, LaneMark?)
    /// Whether the file was removed in this life: it could come back without what `noteTold` wrote there.
    private var isGivenUp = false

    init(_ lane: Lane, path: String?, head: [UInt8]) {
        (self.lane, file, self.head) = (lane, path.map(WitnessFile.init), head)
    }

    // MARK: Commands

    /// The journal begins a new life.
    func begin(_ life: Life) { (self.life, isGivenUp) = (life, false) }

    /// Takes note of what the lane has kept, or is about to keep.
    package func note(_ store: any LaneStore, isKept: Bool = true) throws(StoreFailure) {
        guard let file, !isGivenUp, let life, let mark = try store.mark(of: life) else { return remove() }
        let certain = isKept ? mark : kept ?? mark
        if mark == noted, certain == kept { return }
        guard file.write(head + mark.encoded + certain.encoded, at: 0, creating: true) else {
            return remove()
        }
        (noted, kept) = (mark, certain)
    }

    /// Takes note of what the lane has kept; if that can't be read, there is no witness any more.
    package func noteOrForget(_ store: any LaneStore, isKept: Bool = true) {
        do throws(StoreFailure) { try note(store, isKept: isKept) } catch { remove() }
    }

    /// What can't be kept up must not agree by chance with what comes later.
    func remove() {
        (noted, kept, isGivenUp) = (nil, nil, true)
        file?.remove()
    }

    /// Others are about to be told of a transaction of that life before it is kept; false if that can't be noted.
    func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime) -> Bool {
        // Where no witness can be, every opening begins another life, and no dot of this one is ever named again.
        guard let file else { return true }
        // Where there is no file, there is none yet, and one that came to be later would not have this.
        let told = Told(life: life, sequence: sequence, time: time)
        return file.write(told.encoded, at: marksEnd, creating: false)
    }

    // MARK: The file

    /// What a process noted.
    struct Seen {
        let noted: LaneMark
        let kept: LaneMark
        fileprivate let told: Told?

        /// How far the lane must have come for its journal to go on; nothing if others may have been told of more.
        ///
        /// If others were told of a later life, the noted one had ended, and may have told more than was noted: that it
        /// had was forgotten when the later one told.
        var agreed: LaneMark? {
            guard let told else { return noted }
            let isToldOfMore =
                told.life == noted.life ? told.sequence > noted.sequence : told.life > noted.life
            return isToldOfMore ? nil : noted
        }

        /// The last transaction of which others may have been told before it was kept; nil if there was none.
        var toldAhead: (Origin, UInt64)? {
            told.map { (Origin(life: $0.life, lane: noted.lane), $0.sequence) }
        }

        /// The latest time of a write of which others may have been told; nil if they were told of none ahead.
        var toldTime: HybridTime? { told?.time }
    }

    /// The last transaction of which others were told before it was kept.
    fileprivate struct Told {
        let life: Life
        let sequence: UInt64
        /// The time of its last write, so that what is written after it is later, whatever the clock shows then.
        let time: HybridTime

        static let byteCount = Life.byteCount + 16

        var encoded: [UInt8] {
            life.bytes
                + [sequence, time.value].flatMap { number in
                    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
                }
        }

        init(life: Life, sequence: UInt64, time: HybridTime) {
            (self.life, self.sequence, self.time) = (life, sequence, time)
        }

        init?(_ encoded: some Collection<UInt8>) {
            guard encoded.count == Self.byteCount, let life = Life(bytes: encoded.prefix(Life.byteCount))
            else { return nil }
            let number = { (bytes: any Collection<UInt8>) in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            self.life = life
            sequence = number(encoded.dropFirst(Life.byteCount).prefix(8))
            time = HybridTime(value: number(encoded.suffix(8)))
        }
    }

    /// Where the marks end, and what others were told begins.
    private var marksEnd: Int { head.count + 2 * LaneMark.byteCount }

    /// What an earlier process noted last.
    func read() -> Seen? {
        let longest = marksEnd + Told.byteCount
        guard let bytes = file?.read(upTo: longest + 1), [marksEnd, longest].contains(bytes.count),
            bytes.starts(with: head)
        else { return nil }
        let told = bytes.count == longest ? Told(bytes[marksEnd..<longest]) : nil
        let marks = bytes[head.count..<marksEnd]
        guard let noted = LaneMark(Array(marks.prefix(LaneMark.byteCount))), noted.lane == lane,
            let kept = LaneMark(Array(marks.suffix(LaneMark.byteCount))), kept.lane == lane
        else { return nil }
        return Seen(noted: noted, kept: kept, told: told)
    }
}
