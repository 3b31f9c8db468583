/// An event of one of a link's streams.
package enum StreamEvent: Equatable, Sendable {
    /// The peer requests a stream to the app that has the activity in this record; accept or refuse it.
    case requested(UInt64, RecordIdentity)
    /// The peer's app accepted the stream that this side requested.
    case opened(UInt64)
    case refused(UInt64, StreamRefusal)
    /// Bytes from the peer's app; `take(_:count:)` says when the app here has taken them.
    case data(UInt64, ArraySlice<UInt8>)
    /// Nothing more comes from the peer's app: it has ended its side.
    case ended(UInt64)
    /// The peer's app has taken all that was sent, and the end.
    case taken(UInt64)
    /// The app here may send again, because few bytes still wait to be sent.
    case roomMade(UInt64)
    /// The stream was broken before both sides had taken everything.
    case broken(UInt64, StreamBreak)
}
