import BatonClient
import BatonCore
import BatonNetwork
import Foundation

/// The input of a continuation stream, which reads the bytes that the app at the other end has sent.
///
/// `read` waits until there are bytes. If the stream is scheduled in a run loop, it tells its delegate when there are
/// bytes. Then a read need not wait.
final class ContinuationInputStream: InputStream {
    private let source: AppStream
    private let events = StreamEvents()
    private let state = Monitor((isOpen: false, isClosed: false))

    init(_ source: AppStream) {
        self.source = source
        super.init(data: Data())
    }

    deinit { source.closeInput() }

    override func open() {
        let isNew = state.change { state in
            defer { state.isOpen = true }
            return !state.isOpen && !state.isClosed
        }
        guard isNew else { return }
        events.post(.openCompleted)
        let weakSelf = WeakStream(self)
        source.observe { weakSelf.object?.tell() }
    }

    override func close() {
        state.change { $0.isClosed = true }
        events.removeAll()
        source.closeInput()
    }

    /// Posts the events that fit the present state of the stream.
    private func tell() {
        guard state.change({ $0.isOpen && !$0.isClosed }) else { return }
        if source.hasBytes {
            events.post(.hasBytesAvailable)
        } else if source.isAtEnd {
            events.post(.endEncountered)
        } else if source.failure != nil {
            events.post(.errorOccurred)
        }
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard len > 0, state.change({ $0.isOpen && !$0.isClosed }) else { return -1 }
        switch source.read(most: len) {
        case .bytes(let bytes):
            for (place, byte) in bytes.enumerated() { buffer[place] = byte }
            tell()
            return bytes.count
        case .end:
            events.post(.endEncountered)
            return 0
        case .failed:
            events.post(.errorOccurred)
            return -1
        case .closed: return -1
        }
    }

    /// Returns false, because bytes can only be read with `read`.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool {
        state.change { $0.isOpen && !$0.isClosed } && source.hasBytes
    }

    override var streamStatus: Stream.Status {
        let (isOpen, isClosed) = state.change { ($0.isOpen, $0.isClosed) }
        if isClosed { return .closed }
        guard isOpen else { return .notOpen }
        if source.hasBytes { return .open }
        if source.isAtEnd { return .atEnd }
        return source.failure == nil ? .open : .error
    }

    override var streamError: (any Error)? {
        streamStatus == .error ? source.failure?.activityError : nil
    }

    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(self, in: aRunLoop, forMode: mode)
    }

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: aRunLoop, forMode: mode)
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
