/// Names one process of this machine uniquely: numbers are used again, start times are not.
package struct ProcessName: Equatable, Sendable {
    package var number: Int32
    /// When the process started, in ticks since the machine started.
    package var started: UInt64
    /// Identifies the time from one start of the machine to the next.
    package var boot: String

    package init(number: Int32, started: UInt64, boot: String) {
        (self.number, self.started, self.boot) = (number, started, boot)
    }
}

extension ProcessName {
    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.integer(Int64(number))
        writer.unsigned(started)
        writer.text(boot)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        let start = reader.offset
        guard let number = Int32(exactly: try reader.integer()) else {
            throw CBORError(.outOfRange, at: start)
        }
        self.init(number: number, started: try reader.unsigned(), boot: try reader.text())
    }
}
