import BatonCore

/// Reads a call and passes it to its handler.
///
/// A handler belongs to the node, to an account or to a connection, as the type of its call says.
struct CallDispatch {
    let request: LocalRequest
    let node: Node
    let client: LocalClient
    /// Sends the answer.
    let send: (Frame) -> Void

    /// Decodes the call with that number and passes it to its handler; throws if the request is malformed.
    ///
    /// Calls of one scope stand together. Each line is compiled for the type of its call, so nothing is looked up while
    /// the node runs.
    func run(_ number: LocalCallNumber) throws(CloseReason) {
        switch number {
        case .listAccounts: try ask(node: ListAccounts.self, Node.handle)

        case .updateActivity: try ask(account: UpdateActivity.self, Requests.handle)
        case .finishActivity: try ask(account: FinishActivity.self, Requests.handle)
        case .resignActivity: try ask(account: ResignActivity.self, Requests.handle)
        case .sendActivity: try ask(account: SendActivity.self, Requests.handle)
        case .deleteSavedActivities: try ask(account: DeleteSavedActivities.self, Requests.handle)
        case .listActivities: try ask(account: ListActivities.self, Requests.handle)
        case .suggestActivities: try ask(account: SuggestActivities.self, Requests.handle)
        case .donateAction: try ask(account: DonateAction.self, Requests.handle)
        case .deleteDonations: try ask(account: DeleteDonations.self, Requests.handle)
        case .continueActivity: try ask(account: ContinueActivity.self, Requests.handle)
        case .forgetActivity: try ask(account: ForgetActivity.self, Requests.handle)
        case .unforgetActivity: try ask(account: UnforgetActivity.self, Requests.handle)
        case .listRegistrations: try ask(account: ListRegistrations.self, Requests.handle)
        case .getStatus: try ask(account: GetStatus.self, Requests.handle)
        case .getDigest: try ask(account: GetDigest.self, Requests.handle)
        case .getSettings: try ask(account: GetSettings.self, Requests.handle)
        case .changeSetting: try ask(account: ChangeSetting.self, Requests.handle)
        case .listDevices: try ask(account: ListDevices.self, Requests.handle)
        case .revokeDevice: try ask(account: RevokeDevice.self, Requests.handle)
        case .removeDevice: try ask(account: RemoveDevice.self, Requests.handle)
        case .renameDevice: try ask(account: RenameDevice.self, Requests.handle)
        case .setAddresses: try ask(account: SetAddresses.self, Requests.handle)
        case .listPlaces: try ask(account: ListPlaces.self, Requests.handle)
        case .probeAddress: try ask(account: ProbeAddress.self, Requests.handle)
        case .promoteDevice: try ask(account: PromoteDevice.self, Requests.handle)
        case .leaveAccount: try ask(account: LeaveAccount.self, Requests.handle)
        case .awaitInvitation: try ask(account: AwaitInvitation.self, Requests.handle)
        case .answerJoiner: try ask(account: AnswerJoiner.self, Requests.handle)
        case .cancelInvitation: try ask(account: CancelInvitation.self, Requests.handle)
        case .writeBackup: try ask(account: WriteBackup.self, Requests.handle)
        case .restoreBackup: try ask(account: RestoreBackup.self, Requests.handle)
        case .awaitBackup: try ask(account: AwaitBackup.self, Requests.handle)
        case .findItem: try ask(account: FindItem.self, Requests.handle)
        case .openInApp: try ask(account: OpenInApp.self, Requests.handle)
        case .countOpening: try ask(account: CountOpening.self, Requests.handle)
        case .countActivityOpening: try ask(account: CountActivityOpening.self, Requests.handle)
        case .rememberSearch: try ask(account: RememberSearch.self, Requests.handle)
        case .forgetSearches: try ask(account: ForgetSearches.self, Requests.handle)
        case .acknowledgeReindexing: try ask(connection: AcknowledgeReindexing.self, ClientSession.handle)
        case .requestReindexing: try ask(account: RequestReindexing.self, Requests.handle)

        case .startActivity: try ask(connection: StartActivity.self, ClientSession.handle)
        case .watchActivities: try ask(connection: WatchActivities.self, ClientSession.handle)
        case .registerApp: try ask(connection: RegisterApp.self, ClientSession.handle)
        case .awaitEvent: try ask(connection: AwaitEvent.self, ClientSession.handle)
        case .reportSaved: try ask(connection: ReportSaved.self, ClientSession.handle)
        case .reportOpened: try ask(connection: ReportOpened.self, ClientSession.handle)
        case .openStream: try ask(connection: OpenStream.self, ClientSession.handle)
        case .acceptStream: try ask(connection: AcceptStream.self, ClientSession.handle)
        case .openInvitation: try ask(connection: OpenInvitation.self, ClientSession.handle)
        case .changeIndex: try ask(connection: ChangeIndex.self, ClientSession.handle)
        case .endBatch: try ask(connection: EndBatch.self, ClientSession.handle)
        case .discardBatch: try ask(connection: DiscardBatch.self, ClientSession.handle)
        case .getClientState: try ask(connection: GetClientState.self, ClientSession.handle)
        case .awaitReindexing: try ask(connection: AwaitReindexing.self, ClientSession.handle)
        case .searchItems: try ask(connection: SearchItems.self, ClientSession.handle)
        case .queryItems: try ask(connection: QueryItems.self, ClientSession.handle)
        case .suggestSearches: try ask(connection: SuggestSearches.self, ClientSession.handle)
        case .beginSearch: try ask(connection: BeginSearch.self, ClientSession.handle)
        case .nextPage: try ask(connection: NextPage.self, ClientSession.handle)
        case .endSearch: try ask(connection: EndSearch.self, ClientSession.handle)
        case .awaitTexts: try ask(connection: AwaitTexts.self, ClientSession.handle)
        case .watchSearch: try ask(connection: WatchSearch.self, ClientSession.handle)
        case .examineApp: try ask(connection: ExamineApp.self, ClientSession.handle)
        case .explainItem: try ask(connection: ExplainItem.self, ClientSession.handle)
        case .explainActivity: try ask(connection: ExplainActivity.self, ClientSession.handle)
        }
    }

    // MARK: Scopes

    private func ask<Call: NodeCall>(
        node _: Call.Type, _ handle: (Node) -> (Call, @escaping Answer<Call.Reply>) -> Void
    ) throws(CloseReason) {
        handle(node)(try read(Call.self), answer(to: Call.self))
    }

    private func ask<Call: AccountCall>(
        account _: Call.Type,
        _ handle:
            @escaping (Requests) -> (Call, @escaping Answer<Call.Reply>) throws(LocalFailure) -> Void
    ) throws(CloseReason) {
        node.clients.serve(client, Self.waiting(try read(Call.self), answer(to: Call.self), handle))
    }

    /// Returns a closure that handles the call once its account is open.
    private static func waiting<Call: AccountCall>(
        _ call: Call, _ answer: @escaping Answer<Call.Reply>,
        _ handle:
            @escaping (Requests) -> (Call, @escaping Answer<Call.Reply>) throws(LocalFailure) -> Void
    ) -> Requests.Waiting {
        { result in
            do throws(LocalFailure) {
                let requests = try result.get()
                let last = requests.answer(to: call, answer) { waiting($0, answer, handle) }
                try handle(requests)(call, last)
            } catch {
                answer(.failure(error))
            }
        }
    }

    private func ask<Call: ConnectionCall>(
        connection _: Call.Type, _ handle: @escaping ClientSession.Handler<Call>
    ) throws(CloseReason) {
        let (call, answer) = (try read(Call.self), answer(to: Call.self))
        node.clients.serve(client, client.session.waiting(call, answer, handle))
    }

    // MARK: Arguments and answers

    /// Decodes the arguments, which must be followed by nothing.
    private func read<Call: LocalCall>(_: Call.Type) throws(CloseReason) -> Call {
        var reader = request.arguments
        do throws(CBORError) {
            let call = try Call(from: &reader)
            try reader.end()
            return call
        } catch {
            throw CloseReason(error, in: .localRequest)
        }
    }

    /// Returns the closure that sends the answer to a call.
    ///
    /// The reply is encoded here and not by `LocalReply.frame`, because code of this module is compiled for the type of
    /// the reply.
    private func answer<Call: LocalCall>(to _: Call.Type) -> Answer<Call.Reply> {
        { [number = request.number, send] result in
            switch result {
            case .success(let reply):
                var writer = LocalAnswer.writer(number: number)
                reply.encodeReply(to: &writer)
                send(LocalAnswer.frame(writer, number: number))
            case .failure(let failure): send(LocalAnswer.frame(failure, number: number))
            }
        }
    }
}
