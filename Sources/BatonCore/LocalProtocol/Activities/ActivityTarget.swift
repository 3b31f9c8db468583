/// The activity of this device that a call changes.
package enum ActivityTarget: Equatable, Sendable {
    /// The current activity of an app instance.
    case instance(app: String, instance: String)
    /// The activity whose identifier begins with this text.
    case identifier(String)
}

extension ActivityTarget: LocalValue {
    func encode(to writer: inout CBORWriter) {
        switch self {
        case .instance(let app, let instance):
            writer.pair(app, instance)
        case .identifier(let text):
            writer.text(text)
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        if reader.nextType == .text {
            self = .identifier(try reader.text())
        } else {
            let (app, instance): (String, String) = try reader.pair()
            self = .instance(app: app, instance: instance)
        }
    }
}
