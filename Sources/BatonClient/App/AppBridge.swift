package import BatonCore

/// Translates between a program that exchanges lines of JSON and its node.
///
/// It does no input or output of its own. Its caller sends `requests` in their order, and prints `lines`.
package struct AppBridge {
    /// The app of the program, and the instance of commands that name none.
    let app: String
    let instance: String

    /// The requests to send, each with its purpose.
    package private(set) var requests: [(request: LocalRequest, purpose: Purpose)] = []
    /// The lines to print.
    package private(set) var lines: [JSON] = []

    /// The current activity of each app instance, to repeat to a node that has restarted.
    private var current: [String: ActivityStart] = [:]
    private var registration: AppRegistration?
    private var watch: ActivityWatch?
    /// Whether a request to watch is unanswered.
    private var isWatching = false
    /// The app instance of each request to save, by the number of the request.
    private var saves: [UInt64: String] = [:]

    package init(app: String, instance: String) { (self.app, self.instance) = (app, instance) }

    /// The purpose of a request.
    package enum Purpose: Equatable, Sendable {
        /// A command of the program, which waits for the answer.
        case command(AppCommand)
        /// A list that arrives in parts.
        case list(AppCommand, ActivityListing.Extent, [ActivitySummary])
        /// A command that is repeated to a node that has restarted.
        case again(AppCommand.Action)
        case event
        case watch

        /// Whether the program waits for the answer.
        package var isOwed: Bool {
            switch self {
            case .command, .list: true
            case .again, .event, .watch: false
            }
        }
    }

    /// Returns the requests and lines, and forgets them.
    package mutating func takeOutput() -> (
        requests: [(request: LocalRequest, purpose: Purpose)], lines: [JSON]
    ) {
        defer { (requests, lines) = ([], []) }
        return (requests, lines)
    }

    // MARK: The node

    /// Called when a node is connected; repeats to it what it can't know.
    package mutating func connected() {
        requests.append((.awaitEvent, .event))
        if let registration { ask(.handle(registration)) }
        for start in current.values.sorted(by: { $0.instance < $1.instance }) { ask(.become(start)) }
        if watch != nil { follow() }
    }

    private mutating func ask(_ action: AppCommand.Action) {
        requests.append((action.request, .again(action)))
    }

    /// Called when the node is gone; these requests were not answered.
    package mutating func lost(_ purposes: [Purpose], _ failure: LocalFailure) {
        (isWatching, saves) = (false, [:])
        lines.append(.event("lost"))
        refuse(purposes, failure)
    }

    /// Answers the commands among these requests with a failure.
    package mutating func refuse(_ purposes: [Purpose], _ failure: LocalFailure) {
        for purpose in purposes {
            switch purpose {
            case .command(let command), .list(let command, _, _): lines.append(command.error(failure))
            case .again, .event, .watch: break
            }
        }
    }

    /// Answers a line of the program with a failure.
    package mutating func refuse(_ line: LineBuffer.Line, number: Int, _ failure: LocalFailure) {
        var id: JSON?
        if case .whole(let bytes) = line {
            guard !bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) else { return }
            // A malformed line has no `id`.
            id = try? JSON(reading: bytes)["id"]
        }
        lines.append(AppCommand.error(failure.text, failure.code, line: number, id: id))
    }

    /// Called when a node is connected again.
    package mutating func back() {
        lines.append(.event("back"))
        connected()
    }

    // MARK: The program

    /// Takes a line of the program, with its number.
    package mutating func take(_ line: LineBuffer.Line, number: Int, at time: PresentTime) {
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("this line is too long") }
            // Empty lines are ignored.
            guard !bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) else { return }
            let json = try JSON(reading: bytes)
            do throws(JSONError) {
                try perform(AppCommand(json, in: self, line: number, at: time))
            } catch {
                lines.append(AppCommand.error(error.text, .usage, line: number, id: json["id"]))
            }
        } catch {
            lines.append(AppCommand.error(error.text, .usage, line: number, id: nil))
        }
    }

    private mutating func perform(_ command: AppCommand) {
        switch command.action {
        case .watch(let isOn):
            watch = isOn ? watch ?? ActivityWatch() : nil
            if isOn, !isWatching { follow() }
            lines.append(command.answer(.init("done", .boolean(true))))
        case .list(let extent):
            requests.append((command.action.request, .list(command, extent, [])))
        default: requests.append((command.action.request, .command(command)))
        }
    }

    private mutating func follow() {
        isWatching = true
        guard let request = watch?.begin() else { return }
        requests.append((request, .watch))
    }

    // MARK: Answers

    /// Takes the node's answer to a request.
    package mutating func take(_ answer: LocalAnswer, for purpose: Purpose) {
        switch purpose {
        case .command(let command):
            if case .failure(let failure) = answer { return lines.append(command.error(failure)) }
            keep(command.action)
            lines.append(command.answer(answer))
        case .list(let command, let extent, let before): list(answer, command, extent, before)
        case .again(let action): again(answer, action)
        case .event: event(answer)
        case .watch: watched(answer)
        }
    }

    private mutating func list(
        _ answer: LocalAnswer, _ command: AppCommand, _ extent: ActivityListing.Extent,
        _ before: [ActivitySummary]
    ) {
        switch answer {
        case .failure(let failure): lines.append(command.error(failure))
        case .activities(let part, let isLast):
            let all = before + part
            guard isLast || part.isEmpty else {
                let listing = ActivityListing(extent, after: all.last?.place)
                return requests.append((.list(listing), .list(command, extent, all)))
            }
            lines.append(command.answer(.init("activities", .array(all.map { JSON($0) }))))
        default: lines.append(command.error(.mistaken))
        }
    }

    /// Takes the answer to a repeated command; if the node refuses an activity, the activity has ended.
    private mutating func again(_ answer: LocalAnswer, _ action: AppCommand.Action) {
        guard case .failure(let failure) = answer else { return }
        if case .become(let start) = action {
            current[start.instance] = nil
            lines.append(.event("ended", .init("instance", .string(start.instance))))
        }
        lines.append(AppCommand.error(failure.text, failure.code, line: nil, id: nil))
    }

    /// Remembers what to repeat when the node restarts.
    private mutating func keep(_ action: AppCommand.Action) {
        switch action {
        case .become(let start): current[start.instance] = start
        case .update(let name, let change):
            if let start = current[name.instance] {
                current[name.instance]?.change = start.change.followed(by: change)
            }
        case .saved(let number, let change):
            guard let instance = saves.removeValue(forKey: number), let start = current[instance], let change
            else { return }
            current[instance]?.change = start.change.followed(by: change)
        case .resign(let name), .finish(let name): current[name.instance] = nil
        case .handle(let registration): self.registration = registration
        default: break
        }
    }

    private mutating func event(_ answer: LocalAnswer) {
        switch answer {
        case .event(let event):
            switch event {
            case .save(let number, let instance):
                saves[number] = instance
                // The oldest request to save has certainly timed out.
                if saves.count > Self.savesMost, let oldest = saves.keys.min() { saves[oldest] = nil }
            case .wasContinued(let instance, _, let isTaken): if isTaken { current[instance] = nil }
            case .ended(let instance): current[instance] = nil
            case .continues, .streamWanted: break
            }
            lines.append(JSON(event))
            requests.append((.awaitEvent, .event))
        case .failure(let failure):
            lines.append(AppCommand.error(failure.text, failure.code, line: nil, id: nil))
        default: lines.append(AppCommand.error(LocalFailure.mistaken.text, .failed, line: nil, id: nil))
        }
    }

    /// How many requests to save are remembered.
    private static let savesMost = 64

    private mutating func watched(_ answer: LocalAnswer) {
        guard watch != nil else {
            isWatching = false
            return
        }
        do throws(LocalFailure) {
            let (happenings, next) = try watch?.take(answer) ?? ([], .watch(after: nil))
            lines += happenings.map { JSON($0) }
            requests.append((next, .watch))
        } catch {
            (watch, isWatching) = (nil, false)
            lines.append(AppCommand.error(error.text, error.code, line: nil, id: nil))
        }
    }
}
