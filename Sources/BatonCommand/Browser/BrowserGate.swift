package import BatonClient
import BatonCore

/// Filters the messages between the extension of a browser and the node.
///
/// The extension may send some of the commands of `Apps.md`, and gets some of the answers. Neither side can be trusted:
/// web pages can influence an extension, and other machines wrote the activities that it is sent. So each message is
/// rebuilt from the members that are allowed, and no message is passed on unchanged. The extension can continue only a
/// page that it was shown, and answer only an event that it got. It has no access to other activities.
package final class BrowserGate {
    /// The identifiers of the pages that the extension was shown and that still exist.
    ///
    /// They are on other machines.
    private var pages: Set<String> = []
    /// The numbers of the events that the extension has not answered yet.
    ///
    /// `offers` has the events with a page to open here, and `saves` has the requests to save a page.
    private var offers: Set<Int64> = []
    private var saves: Set<Int64> = []

    package init() {}

    /// The name of the app that has the activities of all browsers.
    package static let app = "org.baton.browser"

    /// The maximum number of Unicode scalars in a title.
    ///
    /// A longer title is cut off.
    private static let titleScalars = 300
    /// How long the other machine offers a page that was sent to it.
    private static let offered = "14d"
    private static let pageKeys = ["title", "url", "scroll", "inner"]

    // MARK: From the extension

    /// Checks a message of the extension, and returns the command for `baton app` that has the same meaning.
    package func admit(_ message: JSON) throws(JSONError) -> JSON {
        guard let keys = message.keys else { throw JSONError("a message must be an object") }
        guard let command = Self.commands.first(where: keys.contains) else {
            throw JSONError("a message must have one of: \(Self.commands.joined(separator: ", "))")
        }
        let id = message["id"]
        if let id, id.integer == nil { throw JSONError("`id` must be a whole number") }
        let members = try Self.members(of: command, message)
        try demandAllowed(command, members.first?.value)
        return .object(members + (id.map { [.init("id", $0)] } ?? []))
    }

    /// Throws if the extension continues a page that it was not shown, or answers an event that it did not get.
    private func demandAllowed(_ command: String, _ value: JSON?) throws(JSONError) {
        switch command {
        case "continue":
            guard let name = value?.string, pages.contains(name) else {
                throw JSONError("`continue` must be the ID of a page that is offered")
            }
        case "opened":
            guard let number = value?.integer, offers.remove(number) != nil else {
                throw JSONError("`opened` must be the number of an event that was not answered")
            }
        case "saved":
            guard let number = value?.integer, saves.remove(number) != nil else {
                throw JSONError("`saved` must be the number of an event that was not answered")
            }
        default: break
        }
    }

    /// The keys that name a command, in the order in which they are looked for.
    ///
    /// `saved` comes before `update`, because a message with `saved` may also have the key `update`.
    private static let commands = [
        "saved", "become", "update", "resign", "finish", "opened", "handle", "continue", "watch", "devices",
        "private", "send",
    ]

    private static func members(of command: String, _ message: JSON) throws(JSONError) -> [JSON.Member] {
        switch command {
        case "saved":
            let members = try self.members(message, command, "update")
            let update = try message["update"].map { (json) throws(JSONError) in
                JSON.Member("update", .object(try page(json)))
            }
            return [try number(command, members)] + (update.map { [$0] } ?? [])
        case "become":
            let members = try self.members(message, command, "instance", "lasting")
            var page = try page(message[command] ?? .null)
            page.removeAll { $0.key == "remove" }
            page.insert(.init("type", .string(WellKnownType.web.rawValue)), at: 0)
            guard let instance = try instance(members) else {
                guard try members.boolean("lasting") != true else {
                    throw JSONError("a page that is sent needs an `instance`")
                }
                return [.init(command, .object(page))]
            }
            page.append(.init("expires", .string(offered)))
            return [.init(command, .object(page)), instance, .init("lasting", .boolean(true))]
        case "update":
            _ = try self.members(message, command)
            return [.init(command, .object(try page(message[command] ?? .null)))]
        case "opened": return [try number(command, try self.members(message, command))]
        case "handle":
            let members = try self.members(message, command)
            let title = try members.text(command).map { JSON.Member("title", .string(cut($0))) }
            return [.init(command, .array([.string(WellKnownType.web.rawValue)]))]
                + (title.map { [$0] } ?? [])
        case "continue":
            let members = try self.members(message, command, "take")
            guard let identifier = try members.text(command), !identifier.isEmpty else {
                throw JSONError("`continue` must be the ID of a page")
            }
            // The page that was shown may have become another activity by now. The node then refuses it because of its
            // type.
            return [
                .init(command, .string(identifier)), .init("type", .string(WellKnownType.web.rawValue)),
                .init("take", .boolean(try members.boolean("take") ?? false)),
            ]
        case "send":
            let members = try self.members(message, command, "instance")
            guard let device = try members.text(command), let instance = try instance(members) else {
                throw JSONError("`send` needs a device, and the `instance` of a page")
            }
            return [.init(command, .string(device)), instance]
        default:
            // These commands accept only the value true.
            let members = try self.members(message, command, "instance")
            guard try members.boolean(command) == true else { throw JSONError("`\(command)` must be true") }
            let instance = command == "finish" ? try instance(members) : nil
            return [.init(command, .boolean(true))] + (instance.map { [$0] } ?? [])
        }
    }

    private static func members(_ message: JSON, _ keys: String...) throws(JSONError) -> JSONMembers {
        try JSONMembers(message, "this message", keys: keys + ["id"])
    }

    private static func number(_ key: String, _ members: JSONMembers) throws(JSONError) -> JSON.Member {
        guard let number = try members.count(key) else {
            throw JSONError("`\(key)` must be the number of an event")
        }
        return .init(key, .integer(Int64(clamping: number)))
    }

    /// Reads the instance of a page that the person sends.
    ///
    /// Its activity continues after the browser has ended.
    private static func instance(_ members: JSONMembers) throws(JSONError) -> JSON.Member? {
        guard let name = try members.text("instance") else { return nil }
        guard name.hasPrefix("sent-"), name.utf8.count <= 64,
            name.unicodeScalars.allSatisfy({ "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" })
        else { throw JSONError("`instance` must be sent-…, of small letters, digits and hyphens") }
        return .init("instance", .string(name))
    }

    /// Converts a page in a message of the extension to the members of a command.
    private static func page(_ json: JSON) throws(JSONError) -> [JSON.Member] {
        let members = try JSONMembers(json, "a page", keys: pageKeys)
        guard let url = try members.text("url") else { throw JSONError("a page needs a `url`") }
        if let problem = WebAddress.pageProblem(with: url) { throw JSONError("the `url` \(problem)") }
        guard let told = AddressSecrets.told(url) else {
            throw JSONError("the `url` has a secret in its path")
        }
        let title = try members.text("title") ?? ""
        var (info, removed): ([JSON.Member], [JSON]) = ([], [])
        if let scroll = members["scroll"] {
            guard let part = scroll.part else { throw JSONError("`scroll` must be a number from 0 to 1") }
            info.append(.init("scroll", .real(part)))
        } else {
            removed.append(.string("scroll"))
        }
        if let inner = members["inner"] {
            guard let place = innerPlace(inner) else {
                throw JSONError("`inner` must have a path as `at`, and a number from 0 to 1 as `part`")
            }
            info.append(.init("inner", place))
        } else {
            removed.append(.string("inner"))
        }
        return [.init("title", .string(cut(title))), .init("url", .string(told))]
            + (info.isEmpty ? [] : [.init("info", .object(info))])
            + (removed.isEmpty ? [] : [.init("remove", .array(removed))])
    }

    /// Returns the scroll position within an element of a page, or nil if it is malformed.
    ///
    /// The result is rebuilt from checked values. The path `at` is either `#` and the identifier of an element, or the
    /// indexes of elements among their siblings, beginning below the body of the page. Each index comes after a `/`.
    /// For example, `/2/0` is the first child of the body's third child.
    private static func innerPlace(_ json: JSON) -> JSON? {
        guard let at = json["at"]?.string, let part = json["part"]?.part else { return nil }
        let isPath: Bool
        if at.utf8.first == UInt8(ascii: "#") {
            isPath =
                (2...129).contains(at.utf8.count)
                && at.utf8.dropFirst().allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                    default: Array("_:.-".utf8).contains(byte)
                    }
                }
        } else {
            let places = at.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            isPath =
                (2...41).contains(places.count) && places[0].isEmpty
                && places.dropFirst().allSatisfy { place in
                    (1...5).contains(place.count) && place.allSatisfy { 0x30...0x39 ~= $0 }
                }
        }
        return isPath ? .object([.init("at", .string(at)), .init("part", .real(part))]) : nil
    }

    private static func cut(_ title: String) -> String {
        String(String.UnicodeScalarView(title.unicodeScalars.prefix(titleScalars)))
    }

    // MARK: To the extension

    /// Returns the part of the bridge's line that the extension may get, or nil if it gets nothing.
    package func passOn(_ line: JSON) -> JSON? {
        guard let event = line["event"]?.string else { return Self.answer(line) }
        switch event {
        case "back": return Self.event(event, line)
        case "lost":
            (pages, offers, saves) = ([], [], [])
            return Self.event(event, line)
        case "anew":
            pages = []
            return Self.event(event, line)
        case "save":
            if let number = line["number"]?.integer { saves.insert(number) }
            return Self.event(event, line, "number", "instance")
        case "continued": return Self.event(event, line, "instance", "taken")
        case "ended": return Self.event(event, line, "instance")
        case "gone":
            guard let id = line["id"]?.string, pages.remove(id) != nil else { return nil }
            return Self.event(event, line, "id")
        case "changed": return line["activity"].flatMap(changed)
        case "continue":
            // An activity that has no page is not passed on. Then no one confirms that it was opened, and the node
            // reports this.
            guard let activity = line["continued"]?["activity"], case .page(let page) = Self.shown(activity),
                let number = line["number"]?.integer
            else { return nil }
            offers.insert(number)
            return .event("continue", .init("number", .integer(number)), .init("page", page))
        default: return nil
        }
    }

    /// Creates the event for an activity that has changed, or returns nil if the extension needs no event.
    ///
    /// The event shows a page of another machine, or says that a page that the extension knows is gone.
    private func changed(_ activity: JSON) -> JSON? {
        guard let id = activity["id"]?.string else { return nil }
        // The extension lists only pages that are open on other machines.
        if activity["type"] == .string(WellKnownType.web.rawValue),
            activity["device"]?["here"] == .boolean(false), activity["forgotten"] != .boolean(true),
            case .page(let page) = Self.shown(activity)
        {
            pages.insert(id)
            return .event("changed", .init("page", page))
        }
        return pages.remove(id) == nil ? nil : .event("gone", .init("id", .string(id)))
    }

    /// Creates an event from the members of a line that have the given keys.
    private static func event(_ name: String, _ line: JSON, _ keys: String...) -> JSON {
        .event(name, members: members(line, keys))
    }

    /// Returns the members of a line that have the given keys.
    private static func members(_ line: JSON, _ keys: [String]) -> [JSON.Member] {
        keys.compactMap { key in line[key].map { .init(key, $0) } }
    }

    private static func answer(_ line: JSON) -> JSON? {
        let id = members(line, ["id"])
        for keys in [["error", "code"], ["done"], ["private"]] where line[keys[0]] != nil {
            return .object(id + members(line, keys))
        }
        if let activity = line["activity"] {
            return .object(
                id + [.init("activity", .object(["id", "private"].map { .init($0, activity[$0] ?? .null) }))])
        }
        if let activity = line["continued"]?["activity"] {
            switch shown(activity) {
            case .page(let page): return .object(id + [.init("page", page)])
            case .problem(let problem):
                return .object(
                    id + [
                        .init("error", .string("The page can't be opened: its address \(problem).")),
                        .init("code", .integer(Int64(LocalFailure.Code.failed.rawValue))),
                    ])
            }
        }
        guard let devices = line["devices"]?.array else { return nil }
        let others = devices.filter { $0["device"]?["here"] == .boolean(false) && $0["removed"] == .null }
        return .object(
            id + [
                .init(
                    "devices",
                    .array(
                        others.map { status in
                            .object([
                                .init("id", status["device"]?["id"] ?? .null),
                                .init("name", status["device"]?["name"] ?? .null),
                                .init("connected", status["connected"] ?? .null),
                            ])
                        }))
            ])
    }

    private enum Shown {
        case page(JSON)
        case problem(String)
    }

    /// Converts an activity to a page for the extension, if browsers may open its address.
    ///
    /// The payload's `url` is used only if the activity has the type of web pages.
    private static func shown(_ activity: JSON) -> Shown {
        let isPage = activity["type"] == .string(WellKnownType.web.rawValue)
        guard let url = activity["url"]?.string ?? (isPage ? activity["info"]?["url"]?.string : nil) else {
            return .problem("is missing")
        }
        if let problem = WebAddress.pageProblem(with: url) { return .problem(problem) }
        return .page(
            .object([
                .init("id", activity["id"] ?? .null),
                .init("device", .string(VisibleText(activity["device"]?["name"]?.string ?? "").text)),
                // Hidden characters, and characters that change the reading direction, are shown as escapes, as in a
                // terminal.
                .init("title", .string(VisibleText(cut(activity["title"]?.string ?? "")).text)),
                .init("url", .string(url)),
                .init("scroll", activity["info"]?["scroll"]?.part.map { .real($0) } ?? .null),
                .init("inner", activity["info"]?["inner"].flatMap(innerPlace) ?? .null),
                .init("changed", activity["changed"] ?? .null),
                .init("sentHere", activity["sentHere"] ?? .boolean(false)),
            ]))
    }
}

extension JSON {
    /// The number if it is between 0 and 1, and otherwise nil.
    fileprivate var part: Double? {
        let number: Double
        switch self {
        case .integer(let whole): number = Double(whole)
        case .real(let real): number = real
        default: return nil
        }
        return 0...1 ~= number ? number : nil
    }
}
