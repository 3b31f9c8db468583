package import BatonLogin
import CSystemd
import Glibc
import Synchronization

/// A service on a private bus that answers calls as a test says; it stands for logind and polkit.
///
/// It owns a thread, which serves one connection until the service is released. Unchecked because the handle of the
/// thread is used only in `deinit`.
package final class FakeBusService: @unchecked Sendable {
    /// Returns the answer to a call, which is given by the object's path, the method and the arguments.
    package typealias Handler = @Sendable (_ path: String, _ method: String, _ arguments: [BusValue]) -> Reply

    /// An answer of the service.
    package enum Reply: Sendable {
        case values([BusValue])
        /// An open descriptor, which stays the test's.
        case descriptor(Int32)
        case error(name: String, message: String)
        /// No answer, as of a person who is not there.
        case silence
    }

    private let thread: pthread_t
    private let work: Work

    /// The state that the thread owns.
    fileprivate final class Serving: Sendable {
        let handler: Handler
        init(_ handler: @escaping Handler) { self.handler = handler }
    }

    /// Takes a name on a bus, and answers the calls to it; returns once the name is owned.
    package init(_ name: String, at address: String, answering handler: @escaping Handler) throws(BusError) {
        var created: OpaquePointer?
        try Self.check(sd_bus_new(&created), "make a connection")
        guard let bus = created else { throw .unexpected(operation: "make a connection") }
        try Self.check(sd_bus_set_address(bus, address), "connect")
        try Self.check(sd_bus_set_bus_client(bus, 1), "connect")
        try Self.check(sd_bus_start(bus), "connect")
        try Self.check(sd_bus_request_name(bus, name, 0), "take the name \(name)")
        let serving = Serving(handler)
        let context = Unmanaged.passRetained(serving)
        try Self.check(
            sd_bus_add_filter(bus, nil, answerCall, context.toOpaque()), "answer calls")
        let work = Work(bus: bus, context: context)
        var handle = pthread_t()
        let box = Unmanaged.passRetained(work)
        let number = pthread_create(&handle, nil, serve, box.toOpaque())
        guard number == 0 else { throw .system(number: number, operation: "start a thread") }
        thread = handle
        self.work = work
    }

    /// Sends a signal to everybody who has asked for it.
    package func signal(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
        work.send(Signal(path: path, interface: interface, member: member, values: values))
    }

    /// A signal that the thread sends.
    fileprivate struct Signal: Sendable {
        let path: String
        let interface: String
        let member: String
        let values: [BusValue]
    }

    deinit {
        work.end()
        pthread_join(thread, nil)
    }

    private static func check(_ result: Int32, _ operation: String) throws(BusError) {
        guard result >= 0 else { throw .system(number: -result, operation: operation) }
    }

    /// The connection that the thread serves.
    ///
    /// Unchecked because only the thread uses the connection once it has started.
    fileprivate final class Work: @unchecked Sendable {
        private let bus: OpaquePointer
        private let context: Unmanaged<Serving>
        private let isOver = Atomic(false)
        private let signals = Mutex<[Signal]>([])
        /// The longest time until the thread sees that the service is released, in microseconds.
        private static let pause: UInt64 = 20_000

        init(bus: OpaquePointer, context: Unmanaged<Serving>) {
            (self.bus, self.context) = (bus, context)
        }

        func send(_ signal: Signal) { signals.withLock { $0.append(signal) } }

        private func sendSignals() {
            for signal in signals.withLock({ signals in
                defer { signals = [] }
                return signals
            }) {
                var created: OpaquePointer?
                _ = sd_bus_message_new_signal(bus, &created, signal.path, signal.interface, signal.member)
                guard let created else { continue }
                let message = BusMessage(owning: created)
                do throws(BusError) {
                    for value in signal.values { try message.append(value) }
                    try message.withPointer { (pointer) throws(BusError) in
                        try FakeBusService.check(sd_bus_send(bus, pointer, nil), "send a signal")
                    }
                } catch {
                    preconditionFailure("a signal of the test can't be sent: \(error)")
                }
            }
        }

        func end() { isOver.store(true, ordering: .releasing) }

        func run() {
            while !isOver.load(ordering: .acquiring) {
                sendSignals()
                let result = sd_bus_process(bus, nil)
                // The bus has ended before the service.
                if result < 0 { break }
                if result == 0 { _ = sd_bus_wait(bus, Self.pause) }
            }
            _ = sd_bus_flush_close_unref(bus)
            context.release()
        }
    }

    fileprivate static func answer(
        _ message: OpaquePointer, context: UnsafeMutableRawPointer
    ) -> Int32 {
        let serving = Unmanaged<Serving>.fromOpaque(context).takeUnretainedValue()
        guard sd_bus_message_is_method_call(message, nil, nil) > 0,
            let path = sd_bus_message_get_path(message),
            let member = sd_bus_message_get_member(message)
        else { return 0 }
        do throws(BusError) {
            let arguments = try BusMessage(owning: sd_bus_message_ref(message)).values()
            let reply = serving.handler(String(cString: path), String(cString: member), arguments)
            return try send(reply, to: message)
        } catch {
            return -EIO
        }
    }

    private static func send(_ reply: Reply, to message: OpaquePointer) throws(BusError) -> Int32 {
        var created: OpaquePointer?
        switch reply {
        case .silence: return 1
        case .error(let name, let text):
            var error = sd_bus_error()
            defer { sd_bus_error_free(&error) }
            _ = sd_bus_error_set(&error, name, text)
            try check(sd_bus_message_new_method_error(message, &created, &error), "answer")
        case .values, .descriptor:
            try check(sd_bus_message_new_method_return(message, &created), "answer")
        }
        guard let created = created else { throw .unexpected(operation: "answer") }
        let answer = BusMessage(owning: created)
        if case .values(let values) = reply { for value in values { try answer.append(value) } }
        if case .descriptor(let number) = reply {
            try answer.withPointer { (pointer) throws(BusError) in
                let type = CChar(bitPattern: UInt8(ascii: "h"))
                let result = withUnsafePointer(to: number) { sd_bus_message_append_basic(pointer, type, $0) }
                try check(result, "pass a descriptor")
            }
        }
        try answer.withPointer { (pointer) throws(BusError) in
            try check(sd_bus_send(nil, pointer, nil), "answer")
        }
        return 1
    }
}

/// Answers a call; the library calls it for every message.
private func answerCall(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = message, let context = context else { return 0 }
    return FakeBusService.answer(message, context: context)
}

/// The body of the thread.
private func serve(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box = box else { return nil }
    Unmanaged<FakeBusService.Work>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
