import BatonClient
import BatonCore
import BatonNetwork
import Foundation

/// The output of a continuation stream, which sends bytes to the app at the other end.
///
/// `write` waits until there is room. It may accept only some of the bytes, and returns the number of bytes that it has
/// accepted. Closing the stream ends this direction. The other side gets all bytes that were written, and then the end.
final class ContinuationOutputStream: OutputStream {
    private let sink: AppStream
    private let events = StreamEvents()
    private let state = Monitor((isOpen: false, isClosed: false))

    init(_ sink: AppStream) {
        self.sink = sink
        super.init(toMemory: ())
    }

    /// Foundation requires this initializer; calling it is an error, because the stream leads to another app.
    required init(toMemory: ()) { preconditionFailure("a continuation stream leads to another app") }

    deinit { sink.closeOutput() }

    override func open() {
        let isNew = state.change { state in
            defer { state.isOpen = true }
            return !state.isOpen && !state.isClosed
        }
        guard isNew else { return }
        events.post(.openCompleted)
        let weakSelf = WeakStream(self)
        sink.observe { weakSelf.object?.tell() }
    }

    override func close() {
        state.change { $0.isClosed = true }
        events.removeAll()
        sink.closeOutput()
    }

    /// Posts the events that fit the present state of the stream.
    private func tell() {
        guard state.change({ $0.isOpen && !$0.isClosed }) else { return }
        if sink.failure != nil {
            events.post(.errorOccurred)
        } else if sink.hasSpace {
            events.post(.hasSpaceAvailable)
        }
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard state.change({ $0.isOpen && !$0.isClosed }) else { return -1 }
        guard len > 0 else { return 0 }
        do throws(LocalFailure) {
            return try sink.write(UnsafeBufferPointer(start: buffer, count: len))
        } catch {
            events.post(.errorOccurred)
            return -1
        }
    }

    override var hasSpaceAvailable: Bool {
        state.change { $0.isOpen && !$0.isClosed } && sink.hasSpace
    }

    override var streamStatus: Stream.Status {
        let (isOpen, isClosed) = state.change { ($0.isOpen, $0.isClosed) }
        if isClosed { return .closed }
        guard isOpen else { return .notOpen }
        return sink.failure == nil ? .open : .error
    }

    override var streamError: (any Error)? {
        streamStatus == .error ? sink.failure?.activityError : nil
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
