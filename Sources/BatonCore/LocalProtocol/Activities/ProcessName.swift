/// The identity of one process of this machine.
///
/// A process ID alone is not unique, because the system reuses process IDs.
package struct ProcessName: Equatable, Sendable {
    package var number: Int32
    /// The start time of the process, in ticks since the machine started.
    package var started: UInt64
    /// The system's identifier of the current boot.
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
        self.init(
            number: try reader.processNumber(), started: try reader.unsigned(), boot: try reader.text())
    }
}
