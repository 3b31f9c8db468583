package import BatonCore

/// One thing that a program wants of its node, as it said it in a line.
package struct AppCommand: Equatable, Sendable {
    let action: Action
    /// What the program calls the command, which its answer repeats.
    private let id: JSON?
    private let line: Int

    package enum Action: Equatable, Sendable {
        case become(StartActivity)
        case update(AppName, ActivityChange)
        case resign(AppName)
        case finish(AppName)
        case saved(UInt64, ActivityChange?)
        case handle(AppRegistration)
        case continues(ContinueActivity)
        case index(ChangeIndex)
        case endBatch(EndBatch)
        case discardBatch(ClientStateName, UInt64)
        case state(ClientStateName)
        case search(String, most: Int)
        case deleteSaved(app: String, [String]?)
        case list(ListActivities.Extent)
        case watch(Bool)
        case forget(String, everywhere: Bool)
        case send(AppName, to: String)
    }

    init(_ json: JSON, in bridge: AppBridge, line: Int, at time: PresentTime) throws(JSONError) {
        let reader = AppCommandReader(json, bridge, time)
        (action, id, self.line) = (try reader.action(), json["id"], line)
    }

    // MARK: What is said of it

    /// It was done; the members tell what there is to tell.
    func answer(_ members: JSON.Member...) -> JSON {
        .object((id.map { [JSON.Member("id", $0)] } ?? []) + members)
    }

    /// What the node answered, which is no failure.
    func answer(_ answer: LocalAnswer) -> JSON {
        switch answer {
        case .activity(let summary): self.answer(.init("activity", JSON(summary)))
        case .continued(let continued): self.answer(.init("continued", JSON(ofContinued: continued)))
        case .done: self.answer(.init("done", .boolean(true)))
        case .indexed(let passedOver):
            self.answer(.init("done", .boolean(true)), .init("passedOver", .integer(Int64(passedOver))))
        case .clientState(let state):
            self.answer(.init("state", state.map { JSON(state: $0) } ?? .null))
        case .found(let items, let isWhole):
            self.answer(
                .init("items", .array(items.map { JSON($0) })), .init("complete", .boolean(isWhole)))
        default: error(.mistaken)
        }
    }

    /// It was not done, and why.
    func error(_ failure: LocalFailure) -> JSON {
        Self.error(failure.text, failure.code, line: line, id: id)
    }

    /// Something was not done; the number is the exit status that the command has for it.
    static func error(_ text: String, _ code: LocalFailure.Code, line: Int?, id: JSON?) -> JSON {
        .object(
            (id.map { [JSON.Member("id", $0)] } ?? []) + [
                .init("error", .string(text)), .init("code", .integer(Int64(code.rawValue))),
                .init("line", line.map { .integer(Int64($0)) } ?? .null),
            ])
    }
}

extension AppCommand.Action {
    /// What the node is asked.
    var request: LocalRequest {
        switch self {
        case .become(let start): .start(start)
        case .update(let name, let change): .update(ActivityTarget(name), change)
        case .resign(let name): .resign(ActivityTarget(name))
        case .finish(let name): .finish(ActivityTarget(name))
        case .saved(let number, let change): .saved(number, change)
        case .handle(let registration): .register(registration)
        case .continues(let call): .continueActivity(call)
        case .index(let request): .index(request)
        case .endBatch(let ending): .endBatch(ending)
        case .discardBatch(let index, let batch): .discardBatch(index, batch)
        case .state(let index): .clientState(index)
        case .search(let text, let most): .search(text, most: most)
        case .deleteSaved(let app, let identifiers): .deleteSaved(app: app, identifiers: identifiers)
        case .list(let extent): .list(ListActivities(extent))
        case .watch: .watch(after: nil)
        case .forget(let name, let everywhere): .forget(name, everywhere: everywhere)
        case .send(let name, let device): .send(ActivityTarget(name), to: device)
        }
    }
}

extension ActivityTarget {
    /// The current activity of that instance.
    fileprivate init(_ name: AppName) { self = .instance(app: name.app, instance: name.instance) }
}

extension JSON {
    /// What an indexing job stored: a text where it is one.
    package init(state: [UInt8]) {
        self = String(validating: state, as: UTF8.self).map { .string($0) } ?? JSON(PropertyValue.data(state))
    }
}
