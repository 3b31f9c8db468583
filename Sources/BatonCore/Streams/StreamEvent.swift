/// An event of one of the streams of a link.
package enum StreamEvent: Equatable, Sendable {
    /// The peer requests a stream to the app that has the activity in this record.
    ///
    /// The driver must accept or refuse it.
    case requested(UInt64, RecordIdentity)
    /// The peer's app accepted the stream that this side requested.
    case opened(UInt64)
    case refused(UInt64, StreamRefusal)
    /// Bytes from the peer's app.
    ///
    /// When the app here has taken them, `take(_:count:)` must be called.
    case data(UInt64, ArraySlice<UInt8>)
    /// The peer's app has ended its side of the stream, so no more bytes arrive.
    case ended(UInt64)
    /// The peer's app has taken all bytes that were sent, and has seen the end.
    case taken(UInt64)
    /// The app here may send again, because only few bytes still wait to be sent.
    case roomMade(UInt64)
    /// The stream was broken before both sides had taken all bytes.
    case broken(UInt64, StreamBreak)
}
