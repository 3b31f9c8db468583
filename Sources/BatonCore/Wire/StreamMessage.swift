/// What two nodes say to each other of continuation streams; belongs to the feature of streams.
///
/// A stream is a pair of byte streams between two apps, one in each direction, that is asked for and ends as one.
package struct StreamMessage: Equatable, Sendable {
    /// Which stream is meant: odd ones were asked for by who dialled, even ones by the other side.
    package var number: UInt64
    package var word: Word

    package enum Word: Equatable, Sendable {
        /// Asks for a pair of streams to the app whose activity that record is.
        case open(RecordIdentity)
        /// The app has taken it: bytes go both ways from now on.
        case opened
        case refused(StreamRefusal)
        /// Bytes from the sender's app.
        case data(ArraySlice<UInt8>)
        /// The receiver may send so many bytes more than before.
        case credit(Int)
        /// The sender's app has said all it had to say.
        case end
        /// The sender's app has taken all bytes that came, and their end.
        case taken
        /// The stream is broken: neither side sends or takes anything more.
        case abort(StreamBreak)
    }

    package init(_ number: UInt64, _ word: Word) { (self.number, self.word) = (number, word) }
}

/// Why there is no stream.
///
/// Numbers are part of the protocol; a newer version may have more.
package struct StreamRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The activity is not going on there.
    package static let gone = StreamRefusal(rawValue: 1)
    /// Its app offers no streams.
    package static let notOffered = StreamRefusal(rawValue: 2)
    /// As many streams are open as may be.
    package static let busy = StreamRefusal(rawValue: 3)
    /// Its app did not take it, or is not there.
    package static let notTaken = StreamRefusal(rawValue: 4)
}

/// Why a stream ended before both sides had everything.
///
/// Numbers are part of the protocol; a newer version may have more.
package struct StreamBreak: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The app at the other end is gone, or broke the rules.
    package static let appGone = StreamBreak(rawValue: 1)
    /// The app at the other end can't go on with what it reads or says.
    package static let givenUp = StreamBreak(rawValue: 2)
    /// The connection between the two nodes ended.
    package static let linkGone = StreamBreak(rawValue: 3)
    /// Nobody waits for the answer to a request any more.
    package static let cancelled = StreamBreak(rawValue: 4)
    /// The person lets nothing leave the other device any more.
    package static let withheldThere = StreamBreak(rawValue: 5)
    /// The person lets nothing leave this device any more; only its own apps are told so.
    package static let withheldHere = StreamBreak(rawValue: 6)
}
