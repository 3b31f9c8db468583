import CSystemd
import Glibc

/// A message of a bus that values are added to or read from.
@safe package struct BusMessage: ~Copyable {
    /// libsystemd's message, of which this structure holds a reference.
    private let message: OpaquePointer
    /// The deepest nesting of values that is read; a message of the services that are asked has four levels.
    private static let depthMost = 16

    /// Takes over a reference.
    package init(owning message: OpaquePointer) { unsafe self.message = message }

    deinit { _ = unsafe sd_bus_message_unref(message) }

    /// Passes libsystemd's message to a closure.
    package func withPointer<Result>(
        _ body: (OpaquePointer) throws(BusError) -> Result
    ) throws(BusError) -> Result { try unsafe body(message) }

    // MARK: Writing

    /// Adds a value.
    package func append(_ value: BusValue) throws(BusError) {
        let operation = "add a value to a message"
        switch value {
        case .text(let text): try appendText(text, "s")
        case .path(let path): try appendText(path, "o")
        case .flag(let flag): try appendNumber(Int32(flag ? 1 : 0), "b")
        case .signed32(let number): try appendNumber(number, "i")
        case .unsigned32(let number): try appendNumber(number, "u")
        case .unsigned64(let number): try appendNumber(number, "t")
        case .variant(let inner): try appendContainer("v", inner.signature, [inner])
        case .structure(let values):
            try appendContainer("r", values.map(\.signature).joined(), values)
        case .list(let values, let element):
            guard values.allSatisfy({ $0.signature == element }) else {
                throw .unexpected(operation: operation)
            }
            try appendContainer("a", element, values)
        case .entry(let key, let value):
            try appendContainer("e", key.signature + value.signature, [key, value])
        }
    }

    /// Adds a text.
    private func appendText(_ text: String, _ type: Unicode.Scalar) throws(BusError) {
        let result = unsafe text.withCString {
            unsafe sd_bus_message_append_basic(message, Self.code(type), $0)
        }
        try BusError.check(result, "add a text to a message")
    }

    /// Adds a number or a truth value.
    private func appendNumber(_ number: some BitwiseCopyable, _ type: Unicode.Scalar) throws(BusError) {
        let result = unsafe withUnsafePointer(to: number) {
            unsafe sd_bus_message_append_basic(message, Self.code(type), $0)
        }
        try BusError.check(result, "add a number to a message")
    }

    /// Adds values that belong together.
    private func appendContainer(
        _ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]
    ) throws(BusError) {
        let operation = "add values to a message"
        try BusError.check(
            unsafe sd_bus_message_open_container(message, Self.code(type), contents), operation)
        for value in values { try append(value) }
        try BusError.check(unsafe sd_bus_message_close_container(message), operation)
    }

    // MARK: Reading

    /// Reads the values that are left.
    package func values() throws(BusError) -> [BusValue] { try values(depth: 0) }

    private func values(depth: Int) throws(BusError) -> [BusValue] {
        guard depth < Self.depthMost else { throw .unexpected(operation: "read a nested value") }
        var values: [BusValue] = []
        while let value = try next(depth: depth) { values.append(value) }
        return values
    }

    /// Reads the next value; nil at the end of the message or of the container.
    private func next(depth: Int) throws(BusError) -> BusValue? {
        let operation = "read a message"
        var (code, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
        let result = unsafe sd_bus_message_peek_type(message, &code, &contents)
        guard try BusError.check(result, operation) > 0 else { return nil }
        let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
        switch Unicode.Scalar(UInt8(bitPattern: code)) {
        case "s", "g": return .text(try readText(code))
        case "o": return .path(try readText(code))
        case "b": return .flag(try readNumber(code, Int32(0)) != 0)
        case "i": return .signed32(try readNumber(code, Int32(0)))
        case "u": return .unsigned32(try readNumber(code, UInt32(0)))
        case "t": return .unsigned64(try readNumber(code, UInt64(0)))
        case "v":
            guard let value = try read(in: code, inner, depth).first else {
                throw .unexpected(operation: operation)
            }
            return .variant(value)
        case "a": return .list(try read(in: code, inner, depth), of: inner)
        case "r": return .structure(try read(in: code, inner, depth))
        case "e":
            let pair = try read(in: code, inner, depth)
            guard pair.count == 2 else { throw .unexpected(operation: operation) }
            return .entry(pair[0], pair[1])
        default: throw .unexpected(operation: "read a value of type \(inner)")
        }
    }

    /// Reads a text; the message keeps its bytes, so they are copied.
    private func readText(_ code: CChar) throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        let result = unsafe sd_bus_message_read_basic(message, code, &text)
        try BusError.check(result, "read a text")
        guard let text = unsafe text else { throw .unexpected(operation: "read a text") }
        return unsafe String(cString: text)
    }

    /// Reads a number or a truth value.
    private func readNumber<Number: BitwiseCopyable>(
        _ code: CChar, _ initial: Number
    ) throws(BusError) -> Number {
        var number = initial
        try BusError.check(unsafe sd_bus_message_read_basic(message, code, &number), "read a number")
        return number
    }

    /// Reads the values of a container.
    private func read(in code: CChar, _ contents: String, _ depth: Int) throws(BusError) -> [BusValue] {
        try BusError.check(
            unsafe sd_bus_message_enter_container(message, code, contents), "read a message")
        let values = try values(depth: depth + 1)
        try BusError.check(unsafe sd_bus_message_exit_container(message), "read a message")
        return values
    }

    /// Reads a descriptor, which the message keeps, so it is duplicated.
    func descriptor() throws(BusError) -> BusDescriptor {
        let own = try readNumber(Self.code("h"), Int32(-1))
        let copy = fcntl(own, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system(number: errno, operation: "keep a descriptor") }
        return BusDescriptor(owning: copy)
    }

    /// The message as a signal; nil if it is none.
    func signal() throws(BusError) -> BusSignal? {
        guard unsafe sd_bus_message_is_signal(message, nil, nil) > 0,
            let path = unsafe sd_bus_message_get_path(message),
            let member = unsafe sd_bus_message_get_member(message)
        else { return nil }
        return BusSignal(
            path: unsafe String(cString: path), member: unsafe String(cString: member), values: try values())
    }

    private static func code(_ type: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: type)) }
}
