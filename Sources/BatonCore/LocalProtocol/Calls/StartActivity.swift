/// Makes an activity the current one of an app instance.
package struct StartActivity: ConnectionCall {
    package typealias Reply = ActivitySummary
    package static let number = LocalCallNumber.startActivity
    package static var tooLarge: LocalFailure { .activityTooLarge }

    package var app: String
    package var instance: String
    package var lifetime: ActivityLifetime
    package var type: String
    package var change: ActivityChange

    package init(
        app: String, instance: String, lifetime: ActivityLifetime, type: String, change: ActivityChange
    ) {
        (self.app, self.instance, self.lifetime) = (app, instance, lifetime)
        (self.type, self.change) = (type, change)
    }
}

extension StartActivity {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(app) }
            fields.field(2) { $0.text(instance) }
            fields.field(3, lifetime.process) { $1.encode(to: &$0) }
            fields.field(4) { $0.text(type) }
            fields.field(5) { change.encode(to: &$0) }
            fields.flag(6, lifetime == .connection)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, instance: String?, type: String?, change: ActivityChange?
        var lifetime = ActivityLifetime.untilFinished
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: app = try reader.text()
            case 2: instance = try reader.text()
            case 3: lifetime = .process(try ProcessName(from: &reader))
            case 4: type = try reader.text()
            case 5: change = try ActivityChange(from: &reader)
            case 6: if try reader.boolean() { lifetime = .connection }
            default: break
            }
        }
        self.init(
            app: try app.required(1, in: reader), instance: try instance.required(2, in: reader),
            lifetime: lifetime, type: try type.required(4, in: reader), change: change ?? ActivityChange())
    }
}
