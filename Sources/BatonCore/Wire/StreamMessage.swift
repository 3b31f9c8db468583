/// A message about a continuation stream between two nodes; part of the streams feature.
///
/// A stream is a pair of byte streams between two apps, one in each direction, that is opened and ends as one.
package struct StreamMessage: Equatable, Sendable {
    /// The number of the stream: odd for streams that the dialling side requested, even for those of the other side.
    package var number: UInt64
    package var word: Word

    package enum Word: Equatable, Sendable {
        /// Requests a pair of streams to the app that has the activity in this record.
        case open(RecordIdentity)
        /// The app has accepted the stream: bytes go both ways from now on.
        case opened
        case refused(StreamRefusal)
        /// Bytes from the sender's app.
        case data(ArraySlice<UInt8>)
        /// The receiver may send this number of further bytes.
        case credit(Int)
        /// The sender's app has sent its last byte.
        case end
        /// The sender's app has read all received bytes, and the end.
        case taken
        /// The stream is broken: neither side sends or accepts anything more.
        case abort(StreamBreak)
    }

    package init(_ number: UInt64, _ word: Word) { (self.number, self.word) = (number, word) }
}

/// The reason why a stream was not opened.
///
/// Numbers are part of the protocol; a newer version may have more.
package struct StreamRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The activity is no longer current there.
    package static let gone = StreamRefusal(rawValue: 1)
    /// The activity's app offers no streams.
    package static let notOffered = StreamRefusal(rawValue: 2)
    /// The limit of open streams is reached.
    package static let busy = StreamRefusal(rawValue: 3)
    /// The app did not accept the stream, or is not running.
    package static let notTaken = StreamRefusal(rawValue: 4)
}

/// The reason why a stream ended before both sides had everything.
///
/// Numbers are part of the protocol; a newer version may have more.
package struct StreamBreak: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The app at the other end is gone, or violated the protocol.
    package static let appGone = StreamBreak(rawValue: 1)
    /// The app at the other end can't continue with what it reads or sends.
    package static let givenUp = StreamBreak(rawValue: 2)
    /// The connection between the two nodes ended.
    package static let linkGone = StreamBreak(rawValue: 3)
    /// Nobody waits for the answer to a request any longer.
    package static let cancelled = StreamBreak(rawValue: 4)
    /// The person has set the other device to send nothing.
    package static let withheldThere = StreamBreak(rawValue: 5)
    /// The person has set this device to send nothing; only its own apps are sent this reason.
    package static let withheldHere = StreamBreak(rawValue: 6)
}
