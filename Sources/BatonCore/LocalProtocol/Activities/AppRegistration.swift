/// The name of an app instance on this device.
package struct AppName: Hashable, Sendable {
    package var app: String
    package var instance: String

    package init(app: String, instance: String) { (self.app, self.instance) = (app, instance) }

    func encode(to writer: inout CBORWriter) { writer.pair(app, instance) }

    init(from reader: inout CBORReader) throws(CBORError) { (app, instance) = try reader.pair() }
}

/// The registration of an app instance as a handler for types of activities.
package struct AppRegistration: Equatable, Sendable, LocalValue {
    package var name: AppName
    /// The patterns of the types; a pattern that ends with `.*` matches all types below it.
    ///
    /// The configuration file has the same kind of patterns.
    package var types: [String]
    /// The name of the app that people see; nil if it has none.
    package var title: String?
    /// The folder in which the app works, such as the folder of a project; nil for all folders.
    ///
    /// If the app has a folder, it is asked to open only files in that folder.
    package var folder: String?
    /// The time when the person last used the app.
    ///
    /// This is the time when the app registered or when its activity last changed, whichever is later.
    ///
    /// The property is set only in replies of the node.
    package var used: WallTime?

    /// The maximum number of types in one registration.
    package static let typesMost = 256

    package init(_ name: AppName, types: [String], title: String? = nil, folder: String? = nil) {
        self.name = name
        self.types = types
        self.title = title
        self.folder = folder
    }

    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { name.encode(to: &$0) }
            fields.field(2) { $0.value(types) }
            fields.field(3, title) { $0.text($1) }
            fields.field(4, folder) { $0.text($1) }
            fields.field(5, used) { $1.encode(to: &$0) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var name: AppName?, types: [String] = [], title: String?, folder: String?
        var used: WallTime?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try AppName(from: &reader)
            case 2:
                types = try reader.array(upTo: Self.typesMost) { (reader) throws(CBORError) in
                    try reader.text()
                }
            case 3: title = try reader.text()
            case 4: folder = try reader.text()
            case 5: used = try WallTime(from: &reader)
            default: break
            }
        }
        self.init(try name.required(1, in: reader), types: types, title: title, folder: folder)
        self.used = used
    }
}
