import BatonClient
import BatonCore

/// Reads one command that a program sent; `Apps.md` lists the forms of all commands.
struct AppCommandReader {
    private let json: JSON
    private let bridge: AppBridge
    private let time: PresentTime

    init(_ json: JSON, _ bridge: AppBridge, _ time: PresentTime) {
        (self.json, self.bridge, self.time) = (json, bridge, time)
    }

    /// The keys that name a command, in the order in which they are looked for.
    ///
    /// Some of these keys are also options of other commands. Such a key comes after the commands that have it as an
    /// option.
    private static let commands = [
        "become", "update", "resign", "finish", "handle", "continue", "index", "batch", "state", "reindex",
        "reindexed", "search",
        "query", "opened",
        "delete-saved", "list", "watch", "forget", "send", "devices", "private", "declare",
    ]

    func action() throws(JSONError) -> AppCommand.Action {
        guard let keys = json.keys else { throw JSONError("a command must be an object: { … }") }
        // `saved` is looked for first, because a command with `saved` may also have the key `update`.
        if keys.contains("saved") { return try saved() }
        guard let command = Self.commands.first(where: keys.contains) else {
            let known = Self.commands + ["saved"]
            for key in keys {
                guard let meant = Suggestion.nearest(to: key, among: known) else { continue }
                throw JSONError("`\(key)` is not a command; did you mean `\(meant)`?")
            }
            throw JSONError("no command is named; the commands are: \(known.joined(separator: ", "))")
        }
        switch command {
        case "become": return try become()
        case "update":
            return .update(try name(members("update", "instance")), try change(json["update"], "`update`"))
        case "resign": return .resign(try name(sure("resign", "instance")))
        case "finish": return .finish(try name(sure("finish", "instance")))
        case "handle": return try handle()
        case "continue":
            let members = try members("continue", "take", "type")
            return .continues(
                ContinueActivity(
                    try selection(members), takes: try members.boolean("take") ?? false,
                    type: try members.text("type")))
        case "index": return try index()
        case "batch": return try batch()
        case "state": return .state(try index(sure("state", "in", "protected")))
        case "reindex": return .reindex(try index(sure("reindex", "in", "protected")))
        case "reindexed":
            let members = try members("reindexed", "in", "protected")
            let extent =
                try members["reindexed"] == .boolean(true)
                ? ReindexRequest.Extent.all : .items(Set(members.texts("reindexed") ?? []))
            return .reindexed(try index(members), extent)
        case "search":
            let members = try members("search", "most", "app", "kind", "since")
            return .search(
                SearchItems(
                    try members.text("search") ?? "", most: try most(members), filter: try filter(members)))
        case "query":
            let members = try members("query", "most", "app", "kind", "since")
            return .query(
                QueryItems(
                    try members.text("query") ?? "", filter: try filter(members), most: try most(members),
                    at: time))
        case "opened":
            guard let number = try members("opened").count("opened") else {
                throw JSONError("`opened` must be the number of the event")
            }
            return .opened(number)
        case "delete-saved": return try deleteSaved()
        case "list": return .list(try extent(members("list")))
        case "watch":
            guard let isOn = try members("watch").boolean("watch") else {
                throw JSONError("`watch` must be true or false")
            }
            return .watch(isOn)
        case "forget":
            let members = try members("forget", "everywhere")
            return .forget(
                try members.text("forget") ?? "", everywhere: try members.boolean("everywhere") ?? false)
        case "devices":
            _ = try sure("devices")
            return .devices
        case "private":
            _ = try sure("private")
            return .isPrivate
        case "declare":
            _ = try members("declare")
            return .declare(try ProgramDeclaration(json["declare"] ?? .null, of: bridge.app))
        default:
            let members = try members("send", "instance")
            return .send(try name(members), to: try members.text("send") ?? "")
        }
    }

    // MARK: Activities

    private func become() throws(JSONError) -> AppCommand.Action {
        let outer = try members("become", "instance", "lasting")
        let name = try name(outer)
        let isLasting = try outer.boolean("lasting") ?? false
        guard !isLasting || outer["instance"] != nil else {
            throw JSONError("an activity with `lasting` needs an `instance`")
        }
        guard let content = json["become"] else { throw JSONError("`become` has no value") }
        let members = try JSONMembers(content, "an activity", keys: ["type"] + ActivityChange.keys)
        guard let type = try members.text("type"), !type.isEmpty,
            type.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { throw JSONError("`type` must be one word, such as org.example.editing") }
        return .become(
            StartActivity(
                app: name.app, instance: name.instance,
                lifetime: isLasting ? .untilFinished : .connection, type: type,
                change: try ActivityChange(members, at: time)))
    }

    private func saved() throws(JSONError) -> AppCommand.Action {
        guard let number = try members("saved", "update").count("saved") else {
            throw JSONError("`saved` must be the number of the event")
        }
        return .saved(
            number, try json["update"].map { (json) throws(JSONError) in try change(json, "`update`") })
    }

    private func change(_ json: JSON?, _ what: String) throws(JSONError) -> ActivityChange {
        let members = try JSONMembers(json ?? .null, what, keys: ActivityChange.keys)
        return try ActivityChange(members, at: time)
    }

    private func handle() throws(JSONError) -> AppCommand.Action {
        let members = try members("handle", "title", "folder", "instance")
        let types = try members.texts("handle") ?? []
        guard !types.isEmpty, types.count <= AppRegistration.typesMost else {
            throw JSONError("`handle` must be a list of 1 to \(AppRegistration.typesMost) types")
        }
        for type in types where TypePattern(type) == nil {
            throw JSONError(
                "`\(type)` is neither a type, such as org.example.editing, nor a pattern, such as org.example.*"
            )
        }
        return .handle(
            AppRegistration(
                try name(members), types: types, title: try members.text("title"),
                folder: try members.text("folder")))
    }

    private func selection(_ members: JSONMembers) throws(JSONError) -> ActivitySelection {
        if members["continue"] == .boolean(true) { return .last }
        guard let text = try members.text("continue"), !text.isEmpty else {
            throw JSONError("`continue` must be an ID, a type, or true for the latest activity")
        }
        return .named(text)
    }

    private func deleteSaved() throws(JSONError) -> AppCommand.Action {
        let members = try members("delete-saved")
        if members["delete-saved"] == .boolean(true) { return .deleteSaved(app: bridge.app, nil) }
        return .deleteSaved(app: bridge.app, try members.texts("delete-saved") ?? [])
    }

    private func extent(_ members: JSONMembers) throws(JSONError) -> ListActivities.Extent {
        switch members["list"] {
        case .boolean(true): return .goingOn
        case .string("all"): return .withForgotten
        case .string("finished"): return .finished
        default: throw JSONError("`list` must be true, \"all\" or \"finished\"")
        }
    }

    // MARK: Indexes

    private func index() throws(JSONError) -> AppCommand.Action {
        let members = try members("index", "in", "protected", "batch", "offset")
        guard let changes = members["index"].map({ $0.array ?? [$0] }) else {
            throw JSONError("`index` must be a change or a list of changes")
        }
        let read = try changes.map { (json) throws(JSONError) in
            try IndexChange(json, at: time, declared: bridge.declared)
        }
        return .index(ChangeIndex(try index(members), at: try place(members), read))
    }

    /// Reads the position of the changes in a batch, or nil if they belong to no batch.
    private func place(_ members: JSONMembers) throws(JSONError) -> BatchPlace? {
        guard members["batch"] != nil || members["offset"] != nil else { return nil }
        guard let batch = try members.count("batch") else {
            throw JSONError("`batch` must be the number of the batch")
        }
        guard let offset = try changeCount(members, "offset") else {
            throw JSONError(
                "`offset` must be the number of changes of the batch that come before; 0 begins the batch")
        }
        return BatchPlace(batch, offset: offset)
    }

    /// Reads a member whose value counts changes of a batch.
    private func changeCount(_ members: JSONMembers, _ key: String) throws(JSONError) -> Int? {
        guard let count = try members.count(key) else { return nil }
        guard count <= UInt64(Limits.batchDrafts) else {
            throw JSONError("`\(key)` is more than \(Limits.batchDrafts), the most changes of a batch")
        }
        return Int(count)
    }

    private func batch() throws(JSONError) -> AppCommand.Action {
        let members = try members("batch", "count", "state", "expected", "in", "protected", "discard")
        guard let number = try members.count("batch") else {
            throw JSONError("`batch` must be the number of the batch")
        }
        if try members.boolean("discard") ?? false { return .discardBatch(try index(members), number) }
        guard let count = try changeCount(members, "count") else {
            throw JSONError("`count` must be the number of changes that the batch has")
        }
        return .endBatch(
            EndBatch(
                try index(members), batch: number, count: count, state: try members.bytes("state"),
                isConditional: json["expected"] != nil, expected: try members.bytes("expected")))
    }

    /// Reads the members that restrict a search, such as the app or the kind of item.
    private func filter(_ members: JSONMembers) throws(JSONError) -> SearchFilter {
        var filter = SearchFilter(
            app: try members.text("app"), kind: try members.text("kind").map { SearchFilter.Kind($0) })
        guard let since = try members.text("since") else { return filter }
        do throws(LocalFailure) {
            filter.since = try time.past(since)
        } catch {
            throw JSONError("`since`: \(error.text)")
        }
        return filter
    }

    /// Reads the maximum number of items to return, which is 20 if the command does not say.
    private func most(_ members: JSONMembers) throws(JSONError) -> Int {
        let most = try members.count("most") ?? 20
        guard (1...UInt64(Limits.foundItems)).contains(most) else {
            throw JSONError("`most` must be a number from 1 to \(Limits.foundItems)")
        }
        return Int(most)
    }

    private func index(_ members: JSONMembers) throws(JSONError) -> ClientStateName {
        let name = try members.text("in") ?? AppIndex.usual
        let isProtected = try members.boolean("protected") ?? false
        return ClientStateName(
            app: bridge.app, index: isProtected ? IndexProtection.complete.name(of: name) : name)
    }

    // MARK: Keys

    private func members(_ keys: String...) throws(JSONError) -> JSONMembers {
        try JSONMembers(json, "this command", keys: keys + ["id"])
    }

    /// Reads the members of a command whose first key must have the value true.
    private func sure(_ keys: String...) throws(JSONError) -> JSONMembers {
        guard json[keys[0]] == .boolean(true) else { throw JSONError("`\(keys[0])` must be true") }
        return try JSONMembers(json, "this command", keys: keys + ["id"])
    }

    /// Reads the app instance that a command is about.
    private func name(_ members: JSONMembers) throws(JSONError) -> AppName {
        AppName(app: bridge.app, instance: try members.text("instance") ?? bridge.instance)
    }
}
