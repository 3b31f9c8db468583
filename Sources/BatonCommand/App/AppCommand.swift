package import BatonClient
package import BatonCore

/// A command that a program sent as one line of JSON.
package struct AppCommand: Equatable, Sendable {
    let action: Action
    /// The program's identifier of the command, which its answer repeats.
    private let id: JSON?
    private let line: Int

    package enum Action: Equatable, Sendable {
        case become(StartActivity)
        case update(AppName, ActivityChange)
        case resign(AppName)
        case finish(AppName)
        case saved(UInt64, ActivityChange?)
        case opened(UInt64)
        case handle(AppRegistration)
        case continues(ContinueActivity)
        case index(ChangeIndex)
        case endBatch(EndBatch)
        case discardBatch(ClientStateName, UInt64)
        case state(ClientStateName)
        case reindex(ClientStateName)
        case reindexed(ClientStateName, ReindexRequest.Extent)
        case search(SearchItems)
        case query(QueryItems)
        case deleteSaved(app: String, [String]?)
        case list(ListActivities.Extent)
        case watch(Bool)
        case forget(String, everywhere: Bool)
        case send(AppName, to: String)
        case devices
        case isPrivate
        /// Declares what the app can do; the bridge does so without the node.
        case declare(ProgramDeclaration)
    }

    init(_ json: JSON, in bridge: AppBridge, line: Int, at time: PresentTime) throws(JSONError) {
        let reader = AppCommandReader(json, bridge, time)
        (action, id, self.line) = (try reader.action(), json["id"], line)
    }

    // MARK: Answers

    /// Creates the answer to this command if it succeeded.
    func answer(_ members: JSON.Member...) -> JSON {
        .object((id.map { [JSON.Member("id", $0)] } ?? []) + members)
    }

    /// Converts the node's answer to this command's answer, or returns the failure that the node answered with.
    ///
    /// Throws if the node's answer can't belong to this command.
    func line(for answer: LocalAnswer) throws(LocalFailure) -> Result<JSON, LocalFailure> {
        switch action {
        case .become: try line(for: answer, to: StartActivity.self, activity)
        case .update: try line(for: answer, to: UpdateActivity.self, activity)
        case .resign: try line(for: answer, to: ResignActivity.self, activity)
        case .finish: try line(for: answer, to: FinishActivity.self, activity)
        case .forget: try line(for: answer, to: ForgetActivity.self, activity)
        case .send: try line(for: answer, to: SendActivity.self, activity)
        case .saved: try line(for: answer, to: ReportSaved.self, done)
        case .opened: try line(for: answer, to: ReportOpened.self, done)
        case .handle: try line(for: answer, to: RegisterApp.self, done)
        case .deleteSaved: try line(for: answer, to: DeleteSavedActivities.self, done)
        case .continues: try line(for: answer, to: ContinueActivity.self, continued)
        case .index: try line(for: answer, to: ChangeIndex.self, indexed)
        case .endBatch: try line(for: answer, to: EndBatch.self, indexed)
        case .discardBatch: try line(for: answer, to: DiscardBatch.self, indexed)
        case .state: try line(for: answer, to: GetClientState.self, state)
        case .search: try line(for: answer, to: SearchItems.self, found)
        case .query: try line(for: answer, to: QueryItems.self, found)
        case .reindexed: try line(for: answer, to: AcknowledgeReindexing.self, indexed)
        case .devices: try line(for: answer, to: ListDevices.self, devices)
        case .isPrivate: try line(for: answer, to: GetSettings.self, isPrivate)
        case .list, .watch, .reindex, .declare:
            preconditionFailure("the bridge makes the lines of lists, watches and declarations")
        }
    }

    private func line<Call: LocalCall>(
        for answer: LocalAnswer, to _: Call.Type, _ make: (Call.Reply) -> JSON
    ) throws(LocalFailure) -> Result<JSON, LocalFailure> {
        try answer.result(of: Call.self).map(make)
    }

    private func activity(_ summary: ActivitySummary) -> JSON { answer(.init("activity", JSON(summary))) }

    private func continued(_ continued: ContinuedActivity) -> JSON {
        answer(.init("continued", JSON(ofContinued: continued)))
    }

    private func done(_: Done) -> JSON { answer(.init("done", .boolean(true))) }

    private func indexed(_ reply: IndexReply) -> JSON {
        answer(.init("done", .boolean(true)), .init("passedOver", .integer(Int64(reply.passedOver))))
    }

    private func state(_ reply: ClientStateReply) -> JSON {
        answer(.init("state", reply.state.map { JSON(state: $0) } ?? .null))
    }

    private func found(_ reply: SearchReply) -> JSON {
        answer(
            .init("results", .array(reply.results.map { JSON($0) })),
            .init("complete", .boolean(reply.isWhole)),
            .init("corrected", JSON(reply.corrected)))
    }

    private func devices(_ reply: DevicesReply) -> JSON {
        answer(.init("devices", .array(reply.devices.filter(\.belongs).map { JSON($0) })))
    }

    private func isPrivate(_ settings: Settings) -> JSON {
        answer(.init("private", .boolean(settings.isPrivate)))
    }

    /// Creates the answer to this command if it failed.
    func error(_ failure: LocalFailure) -> JSON {
        Self.error(failure.text, failure.code, line: line, id: id)
    }

    /// Creates an answer that reports an error.
    ///
    /// Its `code` is the exit status that the `baton` command has for the same failure.
    static func error(_ text: String, _ code: LocalFailure.Code, line: Int?, id: JSON?) -> JSON {
        .object(
            (id.map { [JSON.Member("id", $0)] } ?? []) + [
                .init("error", .string(text)), .init("code", .integer(Int64(code.rawValue))),
                .init("line", line.map { .integer(Int64($0)) } ?? .null),
            ])
    }
}

extension AppCommand.Action {
    /// The call that asks the node for this action.
    var call: any LocalCall {
        switch self {
        case .become(let start): start
        case .update(let name, let change): UpdateActivity(ActivityTarget(name), change)
        case .resign(let name): ResignActivity(ActivityTarget(name))
        case .finish(let name): FinishActivity(ActivityTarget(name))
        case .saved(let number, let change): ReportSaved(number, change)
        case .opened(let number): ReportOpened(number)
        case .handle(let registration): RegisterApp(registration)
        case .continues(let call): call
        case .index(let call): call
        case .endBatch(let call): call
        case .discardBatch(let index, let batch): DiscardBatch(index, batch)
        case .state(let index): GetClientState(index)
        case .reindex(let index): AwaitReindexing([index])
        case .reindexed(let index, let extent): AcknowledgeReindexing(index, extent)
        case .search(let call): call
        case .query(let call): call
        case .deleteSaved(let app, let identifiers): DeleteSavedActivities(app: app, identifiers: identifiers)
        case .list(let extent): ListActivities(extent)
        case .watch: WatchActivities(after: nil)
        case .forget(let name, let everywhere): ForgetActivity(name, everywhere: everywhere)
        case .send(let name, let device): SendActivity(ActivityTarget(name), to: device)
        case .devices: ListDevices()
        case .isPrivate: GetSettings()
        case .declare: preconditionFailure("declarations are not sent to the node")
        }
    }
}

extension ActivityTarget {
    /// Targets the current activity of an app instance.
    fileprivate init(_ name: AppName) { self = .instance(app: name.app, instance: name.instance) }
}

extension DeviceStatus {
    /// Whether the device is still part of the account, as far as this machine knows.
    package var belongs: Bool { revocation == nil && !hasLeft }
}

extension JSON {
    /// Converts a client state to a string if it is valid UTF-8, and otherwise to JSON for bytes.
    package init(state: [UInt8]) {
        self = String(validating: state, as: UTF8.self).map { .string($0) } ?? JSON(PropertyValue.data(state))
    }
}
