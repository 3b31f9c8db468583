import CSystemd
import Glibc

/// A connection to a message bus; one thread uses it.
///
/// The address is never taken from the environment, so a variable that a person has set for other purposes does not lead
/// to another bus. It is no protection from programs of the same user, which can load other code into this process.
@safe package final class SystemBus {
    /// The address of the machine's bus, which the D-Bus specification fixes.
    package static let usualAddress = "unix:path=/run/dbus/system_bus_socket"

    private let bus: OpaquePointer

    /// Connects to a bus.
    package init(address: String = SystemBus.usualAddress) throws(BusError) {
        var created: OpaquePointer?
        try BusError.check(unsafe sd_bus_new(&created), "make a connection to the system bus")
        guard let created = unsafe created else {
            throw .unexpected(operation: "make a connection to the system bus")
        }
        unsafe bus = created
        let operation = "connect to the system bus"
        try BusError.check(unsafe sd_bus_set_address(bus, address), operation)
        try BusError.check(unsafe sd_bus_set_bus_client(bus, 1), operation)
        try BusError.check(unsafe sd_bus_start(bus), operation)
    }

    deinit { _ = unsafe sd_bus_flush_close_unref(bus) }

    /// The connection's own name on the bus, such as `:1.42`.
    package func uniqueName() throws(BusError) -> String {
        var name: UnsafePointer<CChar>?
        try BusError.check(unsafe sd_bus_get_unique_name(bus, &name), "register with the system bus")
        guard let name = unsafe name else { throw .unexpected(operation: "register with the system bus") }
        return unsafe String(cString: name)
    }

    /// Calls a method, and waits for the answer; returns its values.
    package func call(_ call: BusCall) throws(BusError) -> [BusValue] { try answer(to: call).values() }

    private func answer(to call: BusCall) throws(BusError) -> BusMessage {
        var created: OpaquePointer?
        let result = unsafe sd_bus_message_new_method_call(
            bus, &created, call.service, call.path, call.interface, call.method)
        try BusError.check(result, "call \(call.method)")
        guard let created = unsafe created else { throw .unexpected(operation: "call \(call.method)") }
        let message = unsafe BusMessage(owning: created)
        for argument in call.arguments { try message.append(argument) }
        return try unsafe send(message, call)
    }

    /// Calls a method whose answer is an open descriptor.
    package func descriptor(_ call: BusCall) throws(BusError) -> BusDescriptor {
        try answer(to: call).descriptor()
    }

    /// Sends a message, and returns the answer.
    @unsafe private func send(
        _ message: borrowing BusMessage, _ call: BusCall
    ) throws(BusError) -> BusMessage {
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        var answered: OpaquePointer?
        let microseconds = UInt64(max(call.timeout / .microseconds(1), 1))
        let result = try unsafe message.withPointer { (pointer) throws(BusError) in
            unsafe sd_bus_call(bus, pointer, microseconds, &error, &answered)
        }
        if result < 0, let name = unsafe error.name {
            throw .refused(
                name: unsafe String(cString: name),
                message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")
        }
        try BusError.check(result, "call \(call.method) of \(call.service)")
        guard let answered = unsafe answered else {
            throw .unexpected(operation: "call \(call.method) of \(call.service)")
        }
        return unsafe BusMessage(owning: answered)
    }

    // MARK: Signals

    /// Asks the bus for the signals that a rule describes.
    func subscribe(to rule: String) throws(BusError) {
        _ = try call(
            BusCall(
                "AddMatch", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                service: "org.freedesktop.DBus", arguments: [.text(rule)]))
    }

    /// Returns the next signal, and waits for it; nil once the other descriptor is readable.
    func nextSignal(or other: Int32) throws(BusError) -> BusSignal? {
        let operation = "read a signal of the system bus"
        while true {
            var received: OpaquePointer?
            let isBusy = try BusError.check(unsafe sd_bus_process(bus, &received), operation) > 0
            if let received = unsafe received {
                let message = unsafe BusMessage(owning: received)
                if let signal = try message.signal() { return signal }
            }
            if !isBusy, try !awaitData(or: other) { return nil }
        }
    }

    /// Waits until the bus has something to read, or the library something to do; returns false once the other descriptor
    /// is readable.
    private func awaitData(or other: Int32) throws(BusError) -> Bool {
        let operation = "wait for the system bus"
        let own = try BusError.check(unsafe sd_bus_get_fd(bus), operation)
        let events = try BusError.check(unsafe sd_bus_get_events(bus), operation)
        var deadline = UInt64.max
        try BusError.check(unsafe sd_bus_get_timeout(bus, &deadline), operation)
        var descriptors = [
            pollfd(fd: own, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&descriptors, 2, Self.milliseconds(until: deadline))
        guard count >= 0 || errno == EINTR else { throw .system(number: errno, operation: operation) }
        return descriptors[1].revents == 0
    }

    /// Returns the time until a moment of the monotonic clock, as `poll` takes it.
    private static func milliseconds(until deadline: UInt64) -> Int32 {
        guard deadline != .max else { return -1 }
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let elapsed = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
        return deadline <= elapsed ? 0 : Int32(clamping: (deadline - elapsed) / 1000 + 1)
    }

    // MARK: Answers with one value

    /// Calls a method whose answer has one value, and returns it.
    package func value(_ call: BusCall) throws(BusError) -> BusValue {
        let values = try self.call(call)
        guard values.count == 1 else { throw .unexpected(operation: call.method) }
        return values[0].unwrapped
    }
}
