package import BatonClient
package import BatonCore

/// Translates between the node and a program that exchanges lines of JSON.
///
/// The bridge does no input or output of its own. Its caller makes `calls` in their order, and prints `lines`.
package struct AppBridge {
    /// The program's app, and the instance that a command means if it names no instance.
    let app: String
    let instance: String

    /// The calls to make, each with the reason why it is made.
    package private(set) var calls: [(call: any LocalCall, purpose: Purpose)] = []
    /// The lines to print.
    package private(set) var lines: [JSON] = []

    /// The calls that must be made again to a node that has restarted.
    private var repeated = RepeatedCalls()
    private var watch: ActivityWatch?
    /// Whether the node has not yet answered a call to watch the list.
    private var isWatching = false
    /// The indexes about which the program wants requests to reindex.
    ///
    /// The value is true while the program has not yet acknowledged a request about the index.
    private var reindexing: [ClientStateName: Bool] = [:]

    /// The program's open batches, by number.
    ///
    /// The node drops them when the connection is lost.
    private var openBatches: [UInt64: ClientStateName] = [:]

    /// Gives advice about the program's calls, or nil if the program wants no advice.
    private var advice: AppAdvice?

    /// Checks a command before it is parsed.
    ///
    /// The closure returns the command to parse, which it may have changed.
    private let admit: (JSON) throws(JSONError) -> JSON

    /// The intents and entities that the app has declared, now or earlier; nil if there are none.
    private(set) var declared: IntentManifest?

    /// Stores what the program declares.
    private let declare: (ProgramDeclaration) throws(LocalFailure) -> Void

    /// Creates a bridge for an app instance.
    ///
    /// With `isAdvised`, the program gets advice as events. `declared` is the manifest of an earlier declaration. The
    /// first closure may refuse a command, or change it before it is parsed. The second closure stores a declaration;
    /// without it, declarations are refused.
    package init(
        app: String, instance: String, isAdvised: Bool = false, declared: IntentManifest? = nil,
        admitting admit: @escaping (JSON) throws(JSONError) -> JSON = { (json) throws(JSONError) in json },
        declaring declare: @escaping (ProgramDeclaration) throws(LocalFailure) -> Void =
            { (_) throws(LocalFailure) in
                throw LocalFailure(.notAllowed, "This program can't declare intents and entities.")
            }
    ) {
        (self.app, self.instance, self.admit) = (app, instance, admit)
        (self.declared, self.declare) = (declared, declare)
        advice = isAdvised ? AppAdvice() : nil
    }

    /// The reason why a call is made, which decides how its answer is used.
    package enum Purpose: Equatable, Sendable {
        /// A command of the program, which waits for an answer.
        case command(AppCommand)
        /// A list that arrives in parts.
        ///
        /// The array has the activities of the parts that have already arrived.
        case list(AppCommand, ListActivities.Extent, [ActivitySummary])
        /// Starts an activity again, after the node has restarted.
        case startAgain(StartActivity)
        /// Registers the app again, after the node has restarted.
        case registerAgain
        case event
        case watch
        /// Waits for the node to request that the program index items again.
        case reindexing
        /// Describes the types of entities that the app has declared.
        case description

        /// Whether the answer must arrive before the session ends.
        package var isOwed: Bool {
            switch self {
            case .command, .list, .description: true
            case .startAgain, .registerAgain, .event, .watch, .reindexing: false
            }
        }
    }

    /// Returns the calls to make and the lines to print, and removes them from the bridge.
    package mutating func takeOutput() -> (calls: [(call: any LocalCall, purpose: Purpose)], lines: [JSON]) {
        defer { (calls, lines) = ([], []) }
        return (calls, lines)
    }

    // MARK: The node

    /// Called when a node was connected.
    ///
    /// A restarted node has forgotten some calls, which are made again.
    package mutating func connected() {
        calls.append((AwaitEvent(), .event))
        for call in repeated.calls {
            let start = call as? StartActivity
            calls.append((call, start.map { .startAgain($0) } ?? .registerAgain))
        }
        if watch != nil { follow() }
        awaitReindexing()
        describeTypes()
    }

    /// Describes the types of entities that the app has declared, now or earlier, to the account.
    private mutating func describeTypes() {
        if let call = declared?.entityTypesCall { calls.append((call, .description)) }
    }

    /// Waits until the node asks the program to index again.
    ///
    /// This leaves out the indexes for which the program has not yet acknowledged the previous request. The node ends
    /// an earlier call of this kind when it gets the new one.
    private mutating func awaitReindexing() {
        let indexes = reindexing.filter { !$0.value }.map(\.key).sorted { $0.index < $1.index }
        if !indexes.isEmpty { calls.append((AwaitReindexing(indexes), .reindexing)) }
    }

    /// Called when the connection to the node was lost.
    ///
    /// The purposes are those of the unanswered calls.
    package mutating func lost(_ purposes: [Purpose], _ failure: LocalFailure) {
        isWatching = false
        repeated.noteLoss()
        lines.append(.event("lost"))
        for (batch, index) in openBatches.sorted(by: { $0.key < $1.key }) {
            lines.append(Self.lost(batch, of: index))
        }
        openBatches = [:]
        refuse(purposes, failure)
    }

    /// Creates the event that says that a batch was lost with the connection.
    private static func lost(_ batch: UInt64, of index: ClientStateName) -> JSON {
        let text =
            "The node has stopped, and nothing of the batch is kept. Begin it again, from its first change."
        return .event(
            "batch-lost",
            members: [JSON.Member("batch", .integer(Int64(clamping: batch)))]
                + JSON.members(ofIndex: index.index, as: "in") + [JSON.Member("text", .string(text))])
    }

    /// Notes that this call opens a batch or closes one.
    private mutating func rememberBatch(of call: any LocalCall) {
        switch call {
        case let call as ChangeIndex:
            if let place = call.place, place.offset == 0 { openBatches[place.batch] = call.index }
        case let call as EndBatch: openBatches[call.batch] = nil
        case let call as DiscardBatch: openBatches[call.batch] = nil
        default: break
        }
    }

    /// Reports the failure as the answer to each program command among these purposes.
    package mutating func refuse(_ purposes: [Purpose], _ failure: LocalFailure) {
        for purpose in purposes {
            switch purpose {
            case .command(let command), .list(let command, _, _): lines.append(command.error(failure))
            case .startAgain, .registerAgain, .event, .watch, .reindexing, .description: break
            }
        }
    }

    /// Reports the failure as the answer to a line of the program.
    ///
    /// An empty line gets no answer.
    package mutating func refuse(_ line: LineBuffer.Line, number: Int, _ failure: LocalFailure) {
        var id: JSON?
        if case .whole(let bytes) = line {
            guard !bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) else { return }
            // A malformed line has no `id`.
            id = try? JSON(reading: bytes)["id"]
        }
        lines.append(AppCommand.error(failure.text, failure.code, line: number, id: id))
    }

    /// Called if no node runs at the start.
    ///
    /// The program's commands wait until one does.
    package mutating func begunWithoutNode() { lines.append(.event("lost")) }

    /// Called when a node is connected again after the connection was lost.
    package mutating func back() {
        lines.append(.event("back"))
        connected()
    }

    // MARK: The program

    /// Processes a line that the program sent; `number` is the number of the line.
    package mutating func receiveLine(_ line: LineBuffer.Line, number: Int, at time: PresentTime) {
        do throws(JSONError) {
            guard case .whole(let bytes) = line else { throw JSONError("this line is too long") }
            // Empty lines are ignored.
            guard !bytes.allSatisfy({ $0 == 0x20 || 0x9...0xd ~= $0 }) else { return }
            let json = try JSON(reading: bytes)
            do throws(JSONError) {
                try perform(AppCommand(admit(json), in: self, line: number, at: time))
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
        case .reindex(let index):
            guard reindexing[index] != nil || reindexing.count < Limits.watchedIndexes else {
                let failure = LocalFailure(
                    .tooLarge, "A program can be told about \(Limits.watchedIndexes) indexes at most.")
                return lines.append(command.error(failure))
            }
            if reindexing[index] == nil {
                reindexing[index] = false
                awaitReindexing()
            }
            lines.append(command.answer(.init("done", .boolean(true))))
        case .list(let extent):
            calls.append((command.action.call, .list(command, extent, [])))
        case .declare(let declaration):
            do throws(LocalFailure) {
                try declare(declaration)
                declared = declaration.manifest
                lines.append(command.answer(.init("done", .boolean(true))))
                describeTypes()
            } catch {
                lines.append(command.error(error))
            }
        default:
            let call = command.action.call
            for text in advice?.advice(on: call) ?? [] {
                lines.append(.event("advice", .init("text", .string(text))))
            }
            rememberBatch(of: call)
            calls.append((call, .command(command)))
        }
    }

    private mutating func follow() {
        isWatching = true
        guard let call = watch?.begin() else { return }
        calls.append((call, .watch))
    }

    // MARK: Answers

    /// Processes the node's answer to a call; throws if the answer can't belong to that call.
    package mutating func receiveAnswer(_ answer: LocalAnswer, for purpose: Purpose) throws(LocalFailure) {
        switch purpose {
        case .command(let command):
            switch try command.line(for: answer) {
            case .success(let line):
                repeated.recordCall(command.action.call)
                if case .reindexed(let index, _) = command.action, reindexing[index] == true {
                    reindexing[index] = false
                    awaitReindexing()
                }
                lines.append(line)
            case .failure(let failure): receiveFailure(failure, for: purpose)
            }
        case .list(let command, let extent, let before):
            switch try answer.result(of: ListActivities.self) {
            case .success(let part): list(part, command, extent, before)
            case .failure(let failure): receiveFailure(failure, for: purpose)
            }
        case .startAgain:
            if case .failure(let failure) = try answer.result(of: StartActivity.self) {
                receiveFailure(failure, for: purpose)
            }
        case .registerAgain:
            if case .failure(let failure) = try answer.result(of: RegisterApp.self) {
                receiveFailure(failure, for: purpose)
            }
        case .event:
            switch try answer.result(of: AwaitEvent.self) {
            case .success(let event): receiveEvent(event)
            case .failure(let failure): receiveFailure(failure, for: purpose)
            }
        case .watch: watched(answer)
        case .description:
            if case .failure(let failure) = try answer.result(of: DescribeEntityTypes.self) {
                receiveFailure(failure, for: purpose)
            }
        case .reindexing:
            switch try answer.result(of: AwaitReindexing.self) {
            case .success(let reply):
                // The node answers a call without a request when a later call has replaced it.
                guard let request = reply.request else { break }
                reindexing[request.index] = true
                lines.append(JSON(request.extent, of: request.index))
                awaitReindexing()
            case .failure(let failure): receiveFailure(failure, for: purpose)
            }
        }
    }

    /// Processes the failure of a call that the node refused, or that could not be made.
    package mutating func receiveFailure(_ failure: LocalFailure, for purpose: Purpose) {
        switch purpose {
        case .command(let command), .list(let command, _, _): lines.append(command.error(failure))
        case .startAgain(let start):
            // The activity has ended. The previous node had accepted it, but the restarted node refuses to start it.
            repeated.noteRefusal(of: start)
            lines.append(.event("ended", .init("instance", .string(start.instance))))
            tell(failure)
        case .registerAgain, .event: tell(failure)
        case .watch: endWatch(failure)
        case .description:
            // A newer node is told once it has replaced this one.
            if failure.code != .versionMismatch { tell(failure) }
        case .reindexing:
            reindexing = reindexing.filter(\.value)
            tell(failure)
        }
    }

    /// Prints a failure that is not the answer to one of the program's lines.
    private mutating func tell(_ failure: LocalFailure) {
        lines.append(AppCommand.error(failure.text, failure.code, line: nil, id: nil))
    }

    private mutating func list(
        _ part: ActivitiesReply, _ command: AppCommand, _ extent: ListActivities.Extent,
        _ before: [ActivitySummary]
    ) {
        let all = before + part.activities
        guard part.isLast || part.activities.isEmpty else {
            let next = ListActivities(extent, after: all.last?.place)
            return calls.append((next, .list(command, extent, all)))
        }
        lines.append(command.answer(.init("activities", .array(all.map { JSON($0) }))))
    }

    private mutating func receiveEvent(_ event: AppEvent) {
        repeated.recordEvent(event)
        lines.append(JSON(event))
        calls.append((AwaitEvent(), .event))
    }

    private mutating func watched(_ answer: LocalAnswer) {
        guard watch != nil else {
            isWatching = false
            return
        }
        do throws(LocalFailure) {
            let (happenings, next) = try watch?.receiveAnswer(answer) ?? ([], WatchActivities(after: nil))
            lines += happenings.map { JSON($0) }
            calls.append((next, .watch))
        } catch {
            endWatch(error)
        }
    }

    private mutating func endWatch(_ failure: LocalFailure) {
        isWatching = false
        guard watch.take() != nil else { return }
        tell(failure)
    }
}
