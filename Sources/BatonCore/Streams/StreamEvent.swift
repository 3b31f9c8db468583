/// An event of one of a link's streams.
package enum StreamEvent: Equatable, Sendable {
    /// The peer asks for a stream to the app whose activity that record is; accept or refuse it.
    case requested(UInt64, RecordIdentity)
    /// The peer's app took the stream that was asked for.
    case opened(UInt64)
    case refused(UInt64, StreamRefusal)
    /// Bytes from the peer's app; `take(_:count:)` says when the app here has taken them.
    case data(UInt64, ArraySlice<UInt8>)
    /// Nothing more comes from the peer's app: it has ended its side.
    case ended(UInt64)
    /// The peer's app has taken all that was sent, and the end.
    case taken(UInt64)
    /// Little enough waits to be sent that more may be given.
    case roomMade(UInt64)
    /// The stream is over, and not everything came to its end.
    case broken(UInt64, StreamBreak)
}
