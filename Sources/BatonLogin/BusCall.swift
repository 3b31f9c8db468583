/// A call of a method of a service.
package struct BusCall: Hashable, Sendable {
    /// The name of the service on the bus.
    package var service: String
    /// The path of the object.
    package var path: String
    /// The name of the interface.
    package var interface: String
    /// The name of the method.
    package var method: String
    /// The arguments.
    package var arguments: [BusValue]
    /// How long the answer is awaited.
    package var timeout: Duration

    package init(
        _ method: String, of interface: String, at path: String, service: String,
        arguments: [BusValue] = [], timeout: Duration = .seconds(5)
    ) {
        (self.service, self.path) = (service, path)
        (self.interface, self.method) = (interface, method)
        (self.arguments, self.timeout) = (arguments, timeout)
    }

    /// Returns the call that reads a property of an object.
    package static func property(
        _ name: String, of interface: String, at path: String, service: String
    ) -> BusCall {
        BusCall(
            "Get", of: "org.freedesktop.DBus.Properties", at: path, service: service,
            arguments: [.text(interface), .text(name)])
    }
}
