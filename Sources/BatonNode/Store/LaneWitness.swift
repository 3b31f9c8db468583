package import BatonCore

/// Remembers, outside the home, how far the journal had come in one lane.
///
/// Each lane has a file of its own, so a thread that works on one lane needs nothing of the other lane. The class is
/// Sendable although it is mutable. A witness is passed on together with its lane, and only one thread has the lane at
/// a time. Only `noteTold` is called on another thread. It writes at an offset of its own in the file, which has a
/// lock, and uses no other mutable state.
package final class LaneWitness: @unchecked Sendable {
    private let lane: Lane
    private let file: WitnessFile?
    /// The beginning of the file, which identifies this start of the machine, and the account and device of the
    /// journal.
    private let head: [UInt8]
    /// The present life of the journal.
    private(set) var life: Life?
    /// The marks in the file: the mark that the lane has stored or is about to store, and the mark that the lane has
    /// certainly stored.
    ///
    /// The file is written only when one of these marks changes.
    private var (noted, kept): (LaneMark?, LaneMark?)
    /// Whether the file was removed in this life.
    ///
    /// A removed file is not created again in this life, because it would lack the notes of `noteTold`.
    private var isGivenUp = false

    init(_ lane: Lane, path: String?, head: [UInt8]) {
        (self.lane, file, self.head) = (lane, path.map(WitnessFile.init), head)
    }

    // MARK: Commands

    /// Begins a new life of the journal.
    func begin(_ life: Life) { (self.life, isGivenUp) = (life, false) }

    /// Notes the mark that the lane has stored, or is about to store.
    package func recordStore(_ store: any LaneStore, isKept: Bool = true) throws(StoreFailure) {
        guard let file, !isGivenUp, let life, let mark = try store.mark(of: life) else { return remove() }
        let certain = isKept ? mark : kept ?? mark
        if mark == noted, certain == kept { return }
        guard file.write(head + mark.encoded + certain.encoded, at: 0, creating: true) else {
            return remove()
        }
        (noted, kept) = (mark, certain)
    }

    /// Notes the mark that the lane has stored, or is about to store.
    ///
    /// If the mark can't be read, removes the witness.
    package func noteOrForget(_ store: any LaneStore, isKept: Bool = true) {
        do throws(StoreFailure) { try recordStore(store, isKept: isKept) } catch { remove() }
    }

    /// Removes the file.
    ///
    /// A file that can't be kept up to date could otherwise agree with a later state by chance.
    func remove() {
        (noted, kept, isGivenUp) = (nil, nil, true)
        file?.remove()
    }

    /// Notes a transaction that is about to be sent to other devices before it is stored.
    ///
    /// Returns false if the transaction can't be noted.
    func noteTold(_ sequence: UInt64, of life: Life, at time: HybridTime) -> Bool {
        // If there is no place for a witness, every opening begins a new life. Then no dot of this life is ever used
        // again.
        guard let file else { return true }
        // If there is no file yet, there is no witness. A file that is created later would lack this note.
        let told = Told(life: life, sequence: sequence, time: time)
        return file.write(told.encoded, at: marksEnd, creating: false)
    }

    // MARK: The file

    /// The notes that an earlier process has left in the file.
    struct Seen {
        let noted: LaneMark
        let kept: LaneMark
        fileprivate let told: Told?

        /// The mark that the lane must have so that the journal can continue; nil if later writes may have been sent to
        /// other devices.
        ///
        /// If writes of a later life were sent, the noted life has ended. It may have sent more than the note says: the
        /// note was overwritten when the later life sent its first write.
        var agreed: LaneMark? {
            guard let told else { return noted }
            let isToldOfMore =
                told.life == noted.life ? told.sequence > noted.sequence : told.life > noted.life
            return isToldOfMore ? nil : noted
        }

        /// The last transaction that may have been sent before it was stored; nil if there is none.
        var toldAhead: (Origin, UInt64)? {
            told.map { (Origin(life: $0.life, lane: noted.lane), $0.sequence) }
        }

        /// The latest time of a write that may have been sent before it was stored; nil if there is none.
        var toldTime: HybridTime? { told?.time }
    }

    /// The last transaction that was sent to other devices before it was stored.
    fileprivate struct Told {
        let life: Life
        let sequence: UInt64
        /// The time of the transaction's last write.
        ///
        /// Later writes must get later times, even if the clock was set back.
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

    /// The offset in the file at which the marks end, and the note of sent transactions begins.
    private var marksEnd: Int { head.count + 2 * LaneMark.byteCount }

    /// Returns the notes that an earlier process has left in the file; nil if there are none.
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
