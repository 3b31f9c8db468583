/// The last attempt of a node to reach a device at one address.
package struct AddressAttempt: Equatable, Sendable {
    /// The outcome of an attempt.
    package enum Outcome: UInt64, CaseIterable, Sendable {
        /// An outcome that this version does not know, or a failure of this machine.
        case other = 0
        /// The attempt is still under way.
        case trying = 1
        /// The device answered, and proved its identity.
        case connected = 2
        /// The host name has no address, or could not be looked up.
        case unresolved = 3
        /// Nothing answered in time.
        case noAnswer = 4
        /// The machine at the address answered that no program listens at the port.
        case refused = 5
        /// This machine has no route to the address.
        case unreachable = 6
        /// The program at the address closed the connection, or ended the handshake with an alert.
        case rejected = 7
        /// Another device answered.
        case otherDevice = 8
        /// The node did not try the address, because such an address is not allowed for the device.
        ///
        /// Examples are an address of this machine, and a private address that is known only from another network.
        case notTried = 9
    }

    /// The address, in the form `HOST:PORT`, as the node knows it.
    package var address: String
    package var source: AddressSource
    package var outcome: Outcome
    /// The outcome in words, such as `no answer`.
    package var text: String
    /// The time of the outcome, or the time when the attempt began if it is still under way.
    package var time: WallTime

    package init(address: String, source: AddressSource, outcome: Outcome, text: String, time: WallTime) {
        (self.address, self.source, self.outcome) = (address, source, outcome)
        (self.text, self.time) = (text, time)
    }
}

extension AddressAttempt: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 5)
        writer.text(address)
        writer.unsigned(source.rawValue)
        writer.unsigned(outcome.rawValue)
        writer.text(text)
        writer.integer(time.milliseconds)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 5)
        address = try reader.text()
        // A later version may know more sources and outcomes.
        source = AddressSource(number: try reader.unsigned(upTo: .max))
        outcome = Outcome(rawValue: try reader.unsigned(upTo: .max)) ?? .other
        text = try reader.text()
        time = WallTime(milliseconds: try reader.integer())
    }
}
