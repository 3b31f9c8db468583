package import BatonCore

/// Remembers outside the home folder how far the journal had come in one lane.
///
/// Each lane has a file of its own, so that a thread that works on one lane needs nothing of the other. Sendable
/// although it is mutable: it goes with its lane, which one thread has at a time. Only `noteTold` is called on another
/// thread; it writes at an offset of its own in the file, which has a lock, and touches no other mutable state.
package final class LaneWitness: @unchecked Sendable {
    private let lane: Lane
    private let file: WitnessFile?
    /// The beginning of the file: it names this start of the machine, and the account and device of the journal.
    private let head: [UInt8]
    /// The present life of the journal.
    private(set) var life: Life?
    /// The contents of the file, remembered so that it is written only when they change: the mark that the lane has
    /// stored or is about to store, and the mark that it had stored for certain.
    private var (noted, kept): (LaneMark?, LaneMark?)
    /// Whether the file was removed in this life.
    ///
    /// It is not made anew, because it would lack what `noteTold` wrote before.
    private var isGivenUp = false

    init(_ lane: Lane, path: String?, head: [UInt8]) {
        (self.lane, file, self.head) = (lane, path.map(WitnessFile.init), head)
    }

    // MARK: Commands

    /// Begins a new life of the journal.
    func begin(_ life: Life) { (self.life, isGivenUp) = (life, false) }

    /// Notes what the lane has stored, or is about to store.
    package func recordStore(_ store: any LaneStore, isKept: Bool = true) throws(StoreFailure) {
        guard let file, !isGivenUp, let life, let mark = try store.mark(of: life) else { return remove() }
        let certain = isKept ? mark : kept ?? mark
        if mark == noted, certain == kept { return }
        guard file.write(head + mark.encoded + certain.encoded, at: 0, creating: true) else {
            return remove()
        }
        (noted, kept) = (mark, certain)
    }

    /// Notes what the lane has stored; removes the witness if that can't be read.
    package func noteOrForget(_ store: any LaneStore, isKept: Bool = true) {
        do throws(StoreFailure) { try recordStore(store, isKept: isKept) } catch { remove() }
    }

    /// Removes the file: a file that can't be kept up to date must not agree by chance with a later state.
    func remove() {
        (noted, kept, isGivenUp) = (nil, nil, true)
        file?.remove()
    }

    /// Notes a life's transaction that is about to be sent to others before it is stored; returns false if it can't be
    /// noted.
    func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime) -> Bool {
        // Without a place for a witness every opening begins a new life, so no dot of this life is ever used again.
        guard let file else { return true }
        // Without a file there is no witness yet, and a file that is made later would lack this note.
        let told = Told(life: life, sequence: sequence, time: time)
        return file.write(told.encoded, at: marksEnd, creating: false)
    }

    // MARK: The file

    /// The notes that an earlier process left.
    struct Seen {
        let noted: LaneMark
        let kept: LaneMark
        fileprivate let told: Told?

        /// How far the lane must have come for its journal to go on; nil if more may have been sent to others.
        ///
        /// If writes of a later life were sent, the noted life had ended. It may have sent more than was noted, because
        /// its note was overwritten when the later life sent its first write.
        var agreed: LaneMark? {
            guard let told else { return noted }
            let isToldOfMore =
                told.life == noted.life ? told.sequence > noted.sequence : told.life > noted.life
            return isToldOfMore ? nil : noted
        }

        /// The last transaction that may have been sent before it was stored; nil if there was none.
        var toldAhead: (Origin, UInt64)? {
            told.map { (Origin(life: $0.life, lane: noted.lane), $0.sequence) }
        }

        /// The latest time of a write that may have been sent before it was stored; nil if none was.
        var toldTime: HybridTime? { told?.time }
    }

    /// The last transaction that was sent to others before it was stored.
    fileprivate struct Told {
        let life: Life
        let sequence: UInt64
        /// The time of its last write, so that later writes get later times, whatever the clock shows then.
        let time: HybridTime

        static let byteCount = Life.byteCount + 16

        var encoded: [UInt8] {
            var encoded: [UInt8] = []
            encoded.append(addingCapacity: Self.byteCount) { bytes in
                bytes.append(life.high, last: 8)
                bytes.append(life.low, last: 8)
                bytes.append(sequence, last: 8)
                bytes.append(time.value, last: 8)
            }
            return encoded
        }

        init(life: Life, sequence: UInt64, time: HybridTime) {
            (self.life, self.sequence, self.time) = (life, sequence, time)
        }

        init?(_ encoded: ArraySlice<UInt8>) {
            guard encoded.count == Self.byteCount, let life = Life(bytes: encoded.prefix(Life.byteCount))
            else { return nil }
            let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            self.life = life
            sequence = number(encoded.dropFirst(Life.byteCount).prefix(8))
            time = HybridTime(value: number(encoded.suffix(8)))
        }
    }

    /// The position in the file where the marks end and the note of sent transactions begins.
    private var marksEnd: Int { head.count + 2 * LaneMark.byteCount }

    /// Returns the notes that an earlier process left; nil if there are none.
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
