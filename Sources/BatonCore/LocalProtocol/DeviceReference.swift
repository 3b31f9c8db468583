/// A device and its name, to be shown to a person.
package struct DeviceReference: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    package var name: String
    /// Whether this is the device of the answering node.
    package var isHere: Bool

    package init(identifier: DeviceIdentifier, name: String, isHere: Bool) {
        (self.identifier, self.name, self.isHere) = (identifier, name, isHere)
    }
}

extension DeviceReference: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.identifier(identifier)
        writer.text(name)
        writer.boolean(isHere)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 3)
        self.init(identifier: try reader.identifier(), name: try reader.text(), isHere: try reader.boolean())
    }
}
