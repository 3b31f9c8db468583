// The calls by which an app reports actions of the person. The node may suggest these actions later.

/// Donates an action that the person performed in an app.
package struct DonateAction: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.donateAction
    package static var tooLarge: LocalFailure { .donationTooLarge }

    package var app: String
    package var donation: Donation
    /// The type of the activity that the app gets when the person chooses the action.
    package var type: String
    /// The content of the activity that the app gets.
    package var change: ActivityChange

    package init(app: String, _ donation: Donation, type: String, change: ActivityChange) {
        self.app = app
        self.donation = donation
        self.type = type
        self.change = change
    }

    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(app) }
            fields.field(2) { donation.encode(to: &$0) }
            fields.field(3) { $0.text(type) }
            fields.field(4) { change.encode(to: &$0) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var app: String?, donation: Donation?, type: String?, change: ActivityChange?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: app = try reader.text()
            case 2: donation = try Donation(from: &reader)
            case 3: type = try reader.text()
            case 4: change = try ActivityChange(from: &reader)
            default: break
            }
        }
        self.init(
            app: try app.required(1, in: reader), try donation.required(2, in: reader),
            type: try type.required(3, in: reader), change: try change.required(4, in: reader))
    }
}

/// Deletes donations of an app.
package struct DeleteDonations: AccountCall {
    package typealias Reply = Done
    package static let number = LocalCallNumber.deleteDonations

    package var app: String
    package var selection: Donation.Selection

    package init(app: String, _ selection: Donation.Selection) {
        (self.app, self.selection) = (app, selection)
    }

    package func encode(to writer: inout CBORWriter) {
        switch selection {
        case .identifiers(let identifiers): writer.pair(app, identifiers)
        case .group(let group): writer.pair(app, group)
        case .subject(let subject, let group):
            writer.array(count: 2)
            writer.text(app)
            writer.map { fields in
                fields.field(1) { $0.text(subject) }
                fields.field(2, group) { $0.text($1) }
            }
        case .all: writer.pair(app, nil as String?)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 2)
        app = try reader.text()
        switch reader.nextType {
        case .array: selection = .identifiers(try reader.value())
        case .text: selection = .group(try reader.text())
        case .map:
            var subject: String?, group: String?
            try reader.fields { (number, reader) throws(CBORError) in
                switch number {
                case 1: subject = try reader.text()
                case 2: group = try reader.text()
                default: break
                }
            }
            selection = .subject(try subject.required(1, in: reader), group: group)
        default:
            try reader.null()
            selection = .all
        }
    }
}
