import BatonClient
import BatonCommand
import BatonCore

/// `baton open`: opens the item or activity that a link names, or an entity of an app.
enum Open {
    static var specification: CommandSpecification {
        CommandSpecification(
            "open", "Open what a link of `baton link` names, or an entity that `baton find` shows.",
            operands: [.required("LINK|ENTITY"), .optional("ID")],
            options: [
                .value("on", "DEVICE", "with ID: offer the entity on another machine instead"),
                .value("app", "APP", "with ID: the app, if several have entities of that name"),
                .flag("yes", "open an address without asking"), HandlerOptions.file,
            ],
            notes: [
                "An item opens in the app that indexed it, if that app is running here or has a",
                "manifest, else by its address, after asking. An activity continues as with",
                "`baton continue`: where it is going on, or as it was when it ended.",
                "A link may come from anywhere: it finds only what your own machines have, and",
                "nothing of it becomes a command or an option.", "",
                "ENTITY is the name of a type, and ID an identifier or a title. If the app is not",
                "running and has no manifest, its intent for opening runs in this terminal. With",
                "--on, nothing opens there by itself: `baton list` there marks it as sent to you.",
                "Exit status: 2 if it is no link; 11 if what it names is gone, or not here yet.",
            ])
    }

    static func run(_ call: Call) throws(LocalFailure) {
        guard let text = call.arguments[0] else { return }
        if let name = call.arguments[1] { return try OpenEntity.run(text, name, call) }
        for option in ["on", "app"] where call.arguments.has(option) {
            throw LocalFailure(.usage, "--\(option) works with an ENTITY and an ID only.")
        }
        let link = try ContentLink(text)
        let configuration = try call.configuration()
        var node = try call.connect(waitingFor: "Waiting for the other machine")
        switch link {
        case .item(let name):
            guard let result = try node.ask(FindItem(name)).results.first else { throw gone(name) }
            try SearchOpening.open(
                result, of: "", configuration: configuration, mayAsk: !call.arguments.has("yes"), node, call)
        case .activity(let app, let type, let mark):
            let isMeant = { (summary: ActivitySummary) in
                summary.app.utf8.elementsEqual(app.utf8)
                    && summary.activity.type.utf8.elementsEqual(type.utf8) && mark.isOn(summary.activity)
            }
            var found = try node.activities(.withForgotten).first(where: isMeant)
            if found == nil { found = try node.activities(.finished).first(where: isMeant) }
            guard let found else { throw gone(type, of: app) }
            try SearchOpening.go(
                on: found.identifier, ofType: type, of: "", configuration, node, call)
        }
    }

    private static func gone(_ name: ItemName) -> LocalFailure {
        LocalFailure(
            .notFound,
            "The item “\(VisibleText(name.identifier).text)” of \(VisibleText(name.app).text) is gone: it was deleted, or has expired. Or it has not arrived here yet.\n`baton status` shows whether this machine is in step with the others."
        )
    }

    private static func gone(_ type: String, of app: String) -> LocalFailure {
        LocalFailure(
            .notFound,
            "The activity of \(VisibleText(app).text) (\(VisibleText(type).text)) is gone: it was deleted, or ended too long ago. Or it has not arrived here yet.\n`baton status` shows whether this machine is in step with the others."
        )
    }
}
