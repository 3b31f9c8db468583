package import BatonCore

/// Translates between a program that speaks in lines of JSON and its node: lines and answers in, requests and lines out.
///
/// It does no input or output of its own. Its caller sends `requests` in their order, and prints `lines`.
package struct AppBridge {
    /// For which app the program speaks, and the instance where it names none.
    let app: String
    let instance: String

    /// What to ask the node next, each with what its answer is for.
    package private(set) var requests: [(request: LocalRequest, purpose: Purpose)] = []
    /// What to print.
    package private(set) var lines: [JSON] = []

    /// What the program's app instances are doing, as a node that has forgotten it is told.
    private var current: [String: StartActivity] = [:]
    private var registration: AppRegistration?
    private var watch: ActivityWatch?
    /// Whether the node was asked to follow the list, and the answer is yet to come.
    private var isWatching = false
    /// Whose activity is meant by the number of a question to save.
    private var saves: [UInt64: String] = [:]

    package init(app: String, instance: String) { (self.app, self.instance) = (app, instance) }

    /// What the answer to a request is for.
    package enum Purpose: Equatable, Sendable {
        /// The program waits for it.
        case command(AppCommand)
        /// A list that comes in parts.
        case list(AppCommand, ListActivities.Extent, [ActivitySummary])
        /// The node is told once more what the program said to one before.
        case again(AppCommand.Action)
        case event
        case watch

        /// Whether the program is owed an answer.
        package var isOwed: Bool {
            switch self {
            case .command, .list: true
            case .again, .event, .watch: false
            }
        }
    }

    /// Hands on what is to be asked and printed, and forgets it.
    package mutating func takeOutput() -> (
        requests: [(request: LocalRequest, purpose: Purpose)], lines: [JSON]
    ) {
        defer { (requests, lines) = ([], []) }
        return (requests, lines)
    }

    // MARK: The node

    /// A node was met: it is told what it does not know.
    package mutating func connected() {
        requests.append((.awaitEvent, .event))
        if let registration { ask(.handle(registration)) }
        for start in current.values.sorted(by: { $0.instance < $1.instance }) { ask(.become(start)) }
        if watch != nil { follow() }
    }

    private mutating func ask(_ action: AppCommand.Action) {
        requests.append((action.request, .again(action)))
    }

    /// The node is gone; these requests were not answered.
    package mutating func lost(_ purposes: [Purpose], _ failure: LocalFailure) {
        (isWatching, saves) = (false, [:])
        lines.append(.event("lost"))
        refuse(purposes, failure)
    }

    /// Answers what the program waits for with a failure.
    package mutating func refuse(_ purposes: [Purpose], _ failure: LocalFailure) {
        for purpose in purposes {
            switch purpose {
            case .command(let command), .list(let command, _, _): lines.append(command.error(failure))
            case .again, .event, .watch: break
            }
        }
    }

    /// Answers a line of the program, by its number, with a failure.
    package mutating func refuse(_ line: LineBuffer.Line, number: Int, _ failure: LocalFailure) {
        var id: JSON?
        if case .whole(let bytes) = line {
            guard !bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) else { return }
            // A line that makes no sense has none.
            id = try? JSON(reading: bytes)["id"]
        }
        lines.append(AppCommand.error(failure.text, failure.code, line: number, id: id))
    }

    /// A node is there again.
    package mutating func back() {
        lines.append(.event("back"))
        connected()
    }

    // MARK: The program

    /// Takes a line of the program, by its number.
    package mutating func take(_ line: LineBuffer.Line, number: Int, at time: PresentTime) {
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("this line is too long") }
            // An empty line says nothing.
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
        _ answer: LocalAnswer, _ command: AppCommand, _ extent: ListActivities.Extent,
        _ before: [ActivitySummary]
    ) {
        switch answer {
        case .failure(let failure): lines.append(command.error(failure))
        case .activities(let part, let isLast):
            let all = before + part
            guard isLast || part.isEmpty else {
                let listing = ListActivities(extent, after: all.last?.place)
                return requests.append((.list(listing), .list(command, extent, all)))
            }
            lines.append(command.answer(.init("activities", .array(all.map { JSON($0) }))))
        default: lines.append(command.error(.mistaken))
        }
    }

    /// A node that has just come back refuses what one before it took: then the activity is no more.
    private mutating func again(_ answer: LocalAnswer, _ action: AppCommand.Action) {
        guard case .failure(let failure) = answer else { return }
        if case .become(let start) = action {
            current[start.instance] = nil
            lines.append(.event("ended", .init("instance", .string(start.instance))))
        }
        lines.append(AppCommand.error(failure.text, failure.code, line: nil, id: nil))
    }

    /// Remembers what the node has taken, so that one after it can be told.
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
                // What was not answered in time never will be.
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

    /// How many questions to save are remembered.
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
