/// Names an app instance of this device.
package struct AppName: Hashable, Sendable {
    package var app: String
    package var instance: String

    package init(app: String, instance: String) { (self.app, self.instance) = (app, instance) }

    func encode(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.text(app)
        writer.text(instance)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        self.init(app: try reader.text(), instance: try reader.text())
    }
}

/// Says that an app instance continues activities of some types.
package struct AppRegistration: Equatable, Sendable {
    package var name: AppName
    /// The types, in the form that the person's configuration has: one that ends with `.*` means all below it.
    package var types: [String]
    /// The app's name for people, if it has one.
    package var title: String?

    /// The most types of one registration.
    package static let typesMost = 256

    package init(_ name: AppName, types: [String], title: String? = nil) {
        (self.name, self.types, self.title) = (name, types, title)
    }

    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { name.encode(to: &$0) }
            fields.field(2) { $0.texts(types) }
            fields.field(3, title) { $0.text($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var name: AppName?, types: [String] = [], title: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try AppName(from: &reader)
            case 2:
                types = try reader.array(upTo: Self.typesMost) { (reader) throws(CBORError) in
                    try reader.text()
                }
            case 3: title = try reader.text()
            default: break
            }
        }
        self.init(try name.required(1, in: reader), types: types, title: title)
    }
}
