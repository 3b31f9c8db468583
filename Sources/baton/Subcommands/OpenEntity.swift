import BatonClient
import BatonCommand
import BatonCore

/// `baton open ENTITY ID`: opens an entity of an app here, or offers it on another machine.
enum OpenEntity {
    /// The time after which an offer on another machine expires.
    private static let offered = Duration.seconds(86_400)

    static func run(_ typeName: String, _ name: String, _ call: Call) throws(LocalFailure) {
        guard !name.isEmpty else { throw LocalFailure(.usage, "The ID of the entity is empty.") }
        let type = try call.entityType(named: typeName)
        let configuration = try call.configuration()
        var node = try call.connect()
        let entity = try find(name, of: type, &node)
        if let device = call.arguments.value("on") {
            return try offer(entity, on: device, &node, call)
        }
        // An app that does not run and has no manifest for starting may have an intent that opens its entities.
        if let opening = InstalledIntents.opening(type.entity.name, in: type.app),
            try !opensItems(type.app.app, &node, call)
        {
            if let item = entity.result.thing.item { _ = try node.ask(CountOpening(item.name)) }
            let value = "--\(opening.parameter)=\(entity.identifier)"
            return try call.run(opening.intent.name, [value], in: type.app)
        }
        try SearchOpening.open(
            entity.result, of: "", configuration: configuration, mayAsk: !call.arguments.has("yes"), node,
            call)
    }

    /// Finds the entity whose identifier is `name`, or else the only entity whose title is `name`.
    private static func find(
        _ name: String, of type: InstalledIntents.EntityType, _ node: inout NodeConnection
    ) throws(LocalFailure) -> FoundEntity {
        let identified = EntitySearch(of: type, identifiedBy: name)
        if let entity = identified.found(try node.ask(identified.call(at: .here))).first { return entity }
        let titled = EntitySearch(of: type, titled: name, most: 10)
        let found = titled.found(try node.ask(titled.call(at: .here)))
        if let entity = try type.single(among: found, named: name) { return entity }
        throw LocalFailure(
            .notFound,
            "No \(type.entity.title) has the ID or title “\(VisibleText(name).text)”: it was deleted, or has not arrived here yet.\n`baton find \(type.entity.name)` shows what there is."
        )
    }

    /// Returns whether the app opens its items here: it is running, or a manifest says how to start it.
    private static func opensItems(
        _ app: String, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) -> Bool {
        let isRunning = try node.ask(ListRegistrations()).registrations.contains {
            $0.name.app.utf8.elementsEqual(app.utf8) && $0.types.contains(AppOpening.itemType)
        }
        if isRunning { return true }
        return try AppManifest.read(app, in: try call.home()).map { !$0.run.isEmpty } ?? false
    }

    // MARK: Other machines

    /// Offers the entity on another machine, as `baton send` does; the person opens it there.
    ///
    /// The offer is an activity of the app on this machine that asks to open the item. It ends when it expires, or by
    /// `baton finish`.
    private static func offer(
        _ entity: FoundEntity, on device: String, _ node: inout NodeConnection, _ call: Call
    ) throws(LocalFailure) {
        guard let item = entity.result.thing.item else { return }
        let opening = AppOpening.item(item.name)
        var change = ActivityChange()
        change.title = entity.result.thing.title
        change.set = opening.info
        change.expiration = LocalClock.now.advanced(by: offered)
        change.eligibility = .handoff
        change.attributes = Activity.Entity(type: entity.type, identifier: entity.identifier).attributes
        change.replaces = true
        let instance = "entity-\(entity.type)/\(entity.identifier)"
        let target = ActivityTarget.instance(app: item.app, instance: instance)
        _ = try node.ask(
            StartActivity(
                app: item.app, instance: instance, lifetime: .untilFinished, type: opening.type,
                change: change))
        do throws(LocalFailure) {
            let summary = try node.ask(SendActivity(target, to: device))
            call.print(summary, "\(summary.label) (\(summary.short)) is offered on \(device).")
        } catch {
            // An activity that could not be sent to the device is ended again.
            let failure = error
            do throws(LocalFailure) { _ = try node.ask(FinishActivity(target)) } catch {
                throw LocalFailure(
                    failure.code,
                    "\(failure.text)\nThe offer is still listed here, because it could not be ended: \(error.text)"
                )
            }
            throw failure
        }
    }
}
