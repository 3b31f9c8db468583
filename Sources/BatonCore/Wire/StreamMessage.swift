/// A message about a continuation stream between two nodes.
///
/// It belongs to the feature `Features.streams`.
///
/// A stream is a pair of byte streams between two apps, one in each direction. Both directions are opened together.
package struct StreamMessage: Equatable, Sendable {
    /// The number of the stream.
    ///
    /// It is odd if the side that made the connection requested the stream, and even otherwise.
    package var number: UInt64
    package var word: Word

    package enum Word: Equatable, Sendable {
        /// A request for a stream to the app that has the activity in this record.
        case open(RecordIdentity)
        /// The app has accepted the stream.
        ///
        /// From now on, both sides may send bytes.
        case opened
        case refused(StreamRefusal)
        /// Bytes from the sender's app.
        case data(ArraySlice<UInt8>)
        /// The receiver of this message may send this number of additional bytes.
        case credit(Int)
        /// The sender's app has sent its last byte.
        case end
        /// The sender's app has read all bytes that it received, and the end.
        case taken
        /// The stream is broken.
        ///
        /// Neither side sends or accepts any more bytes.
        case abort(StreamBreak)
    }

    package init(_ number: UInt64, _ word: Word) { (self.number, self.word) = (number, word) }
}

/// The reason why a stream was not opened.
///
/// The numbers are part of the protocol. A newer version may have more of them.
package struct StreamRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The activity is no longer current on the other device.
    package static let gone = StreamRefusal(rawValue: 1)
    /// The activity's app does not support streams.
    package static let notOffered = StreamRefusal(rawValue: 2)
    /// The limit of open streams is reached.
    package static let busy = StreamRefusal(rawValue: 3)
    /// The app did not accept the stream, or is not running.
    package static let notTaken = StreamRefusal(rawValue: 4)
}

/// The reason why a stream was broken before both sides had taken everything.
///
/// The numbers are part of the protocol. A newer version may have more of them.
package struct StreamBreak: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The app at the other end has closed its connection, or violated the protocol.
    package static let appGone = StreamBreak(rawValue: 1)
    /// The app at the other end can't continue to read or send.
    package static let givenUp = StreamBreak(rawValue: 2)
    /// The connection between the two nodes ended.
    package static let linkGone = StreamBreak(rawValue: 3)
    /// The stream was requested, but nobody waits for the answer any longer.
    package static let cancelled = StreamBreak(rawValue: 4)
    /// The person has set the other device to send nothing to other devices.
    package static let withheldThere = StreamBreak(rawValue: 5)
    /// The person has set this device to send nothing to other devices.
    ///
    /// This reason is only sent to the device's own apps.
    package static let withheldHere = StreamBreak(rawValue: 6)
}
