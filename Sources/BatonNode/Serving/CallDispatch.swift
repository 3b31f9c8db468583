import BatonCore

/// Decodes a call, and passes the call to its handler.
///
/// The handler belongs to the node, to an account or to a connection. The type of the call says to which.
struct CallDispatch {
    let request: LocalRequest
    let node: Node
    let client: LocalClient
    /// Sends the encoded answer.
    let send: (Frame) -> Void

    /// Decodes the call with this number, and passes the call to its handler.
    ///
    /// Throws if the request is malformed.
    ///
    /// Calls of the same scope are listed together. Each line is compiled for the type of its call, so nothing is
    /// looked up while the node runs.
    func run(_ number: LocalCallNumber) throws(CloseReason) {
        switch number {
        case .listAccounts: try ask(node: ListAccounts.self, Node.listAccounts)

        case .updateActivity: try ask(account: UpdateActivity.self, Requests.updateActivity)
        case .finishActivity: try ask(account: FinishActivity.self, Requests.finishActivity)
        case .resignActivity: try ask(account: ResignActivity.self, Requests.resignActivity)
        case .sendActivity: try ask(account: SendActivity.self, Requests.sendActivity)
        case .deleteSavedActivities:
            try ask(account: DeleteSavedActivities.self, Requests.deleteSavedActivities)
        case .listActivities: try ask(account: ListActivities.self, Requests.listActivities)
        case .suggestActivities: try ask(account: SuggestActivities.self, Requests.suggestActivities)
        case .donateAction: try ask(account: DonateAction.self, Requests.donateAction)
        case .deleteDonations: try ask(account: DeleteDonations.self, Requests.deleteDonations)
        case .continueActivity: try ask(account: ContinueActivity.self, Requests.continueActivity)
        case .forgetActivity: try ask(account: ForgetActivity.self, Requests.forgetActivity)
        case .unforgetActivity: try ask(account: UnforgetActivity.self, Requests.unforgetActivity)
        case .listRegistrations: try ask(account: ListRegistrations.self, Requests.listRegistrations)
        case .getStatus: try ask(account: GetStatus.self, Requests.getStatus)
        case .getDigest: try ask(account: GetDigest.self, Requests.getDigest)
        case .getSettings: try ask(account: GetSettings.self, Requests.getSettings)
        case .changeSetting: try ask(account: ChangeSetting.self, Requests.changeSetting)
        case .listFocuses: try ask(account: ListFocuses.self, Requests.listFocuses)
        case .switchFocus: try ask(account: SwitchFocus.self, Requests.switchFocus)
        case .changeFocus: try ask(account: ChangeFocus.self, Requests.changeFocus)
        case .listEntityTypes: try ask(account: ListEntityTypes.self, Requests.listEntityTypes)
        case .describeEntityTypes: try ask(account: DescribeEntityTypes.self, Requests.describeEntityTypes)
        case .setLock: try ask(account: SetLock.self, Requests.setLock)
        case .removeLock: try ask(account: RemoveLock.self, Requests.removeLock)
        case .lockAccount: try ask(account: LockAccount.self, Requests.lockAccount)
        case .unlockAccount: try ask(account: UnlockAccount.self, Requests.unlockAccount)
        case .demandUnlocked: try ask(account: DemandUnlocked.self, Requests.demandUnlocked)
        case .forgetEntityTypes: try ask(account: ForgetEntityTypes.self, Requests.forgetEntityTypes)
        case .listDevices: try ask(account: ListDevices.self, Requests.listDevices)
        case .revokeDevice: try ask(account: RevokeDevice.self, Requests.revokeDevice)
        case .removeDevice: try ask(account: RemoveDevice.self, Requests.removeDevice)
        case .renameDevice: try ask(account: RenameDevice.self, Requests.renameDevice)
        case .setAddresses: try ask(account: SetAddresses.self, Requests.setAddresses)
        case .listPlaces: try ask(account: ListPlaces.self, Requests.listPlaces)
        case .probeAddress: try ask(account: ProbeAddress.self, Requests.probeAddress)
        case .promoteDevice: try ask(account: PromoteDevice.self, Requests.promoteDevice)
        case .leaveAccount: try ask(account: LeaveAccount.self, Requests.leaveAccount)
        case .awaitInvitation: try ask(account: AwaitInvitation.self, Requests.awaitInvitation)
        case .answerJoiner: try ask(account: AnswerJoiner.self, Requests.answerJoiner)
        case .cancelInvitation: try ask(account: CancelInvitation.self, Requests.cancelInvitation)
        case .writeBackup: try ask(account: WriteBackup.self, Requests.writeBackup)
        case .restoreBackup: try ask(account: RestoreBackup.self, Requests.restoreBackup)
        case .awaitBackup: try ask(account: AwaitBackup.self, Requests.awaitBackup)
        case .findItem: try ask(account: FindItem.self, Requests.findItem)
        case .openInApp: try ask(account: OpenInApp.self, Requests.openInApp)
        case .countOpening: try ask(account: CountOpening.self, Requests.countOpening)
        case .countActivityOpening: try ask(account: CountActivityOpening.self, Requests.countActivityOpening)
        case .rememberSearch: try ask(account: RememberSearch.self, Requests.rememberSearch)
        case .forgetSearches: try ask(account: ForgetSearches.self, Requests.forgetSearches)
        case .acknowledgeReindexing:
            try ask(connection: AcknowledgeReindexing.self, ClientSession.acknowledgeReindexing)
        case .requestReindexing: try ask(account: RequestReindexing.self, Requests.requestReindexing)

        case .startActivity: try ask(connection: StartActivity.self, ClientSession.startActivity)
        case .watchActivities: try ask(connection: WatchActivities.self, ClientSession.watchActivities)
        case .registerApp: try ask(connection: RegisterApp.self, ClientSession.registerApp)
        case .awaitEvent: try ask(connection: AwaitEvent.self, ClientSession.awaitEvent)
        case .awaitFocus: try ask(connection: AwaitFocus.self, ClientSession.awaitFocus)
        case .reportSaved: try ask(connection: ReportSaved.self, ClientSession.reportSaved)
        case .reportOpened: try ask(connection: ReportOpened.self, ClientSession.reportOpened)
        case .openStream: try ask(connection: OpenStream.self, ClientSession.openStream)
        case .acceptStream: try ask(connection: AcceptStream.self, ClientSession.acceptStream)
        case .openInvitation: try ask(connection: OpenInvitation.self, ClientSession.openInvitation)
        case .changeIndex: try ask(connection: ChangeIndex.self, ClientSession.changeIndex)
        case .endBatch: try ask(connection: EndBatch.self, ClientSession.endBatch)
        case .discardBatch: try ask(connection: DiscardBatch.self, ClientSession.discardBatch)
        case .getClientState: try ask(connection: GetClientState.self, ClientSession.getClientState)
        case .awaitReindexing: try ask(connection: AwaitReindexing.self, ClientSession.awaitReindexing)
        case .searchItems: try ask(connection: SearchItems.self, ClientSession.searchItems)
        case .queryItems: try ask(connection: QueryItems.self, ClientSession.queryItems)
        case .suggestSearches: try ask(connection: SuggestSearches.self, ClientSession.suggestSearches)
        case .beginSearch: try ask(connection: BeginSearch.self, ClientSession.beginSearch)
        case .nextPage: try ask(connection: NextPage.self, ClientSession.nextPage)
        case .endSearch: try ask(connection: EndSearch.self, ClientSession.endSearch)
        case .awaitTexts: try ask(connection: AwaitTexts.self, ClientSession.awaitTexts)
        case .watchSearch: try ask(connection: WatchSearch.self, ClientSession.watchSearch)
        case .examineApp: try ask(connection: ExamineApp.self, ClientSession.examineApp)
        case .explainItem: try ask(connection: ExplainItem.self, ClientSession.explainItem)
        case .explainActivity: try ask(connection: ExplainActivity.self, ClientSession.explainActivity)
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

    /// Returns a closure that handles a call once the call's account is open.
    private static func waiting<Call: AccountCall>(
        _ call: Call, _ answer: @escaping Answer<Call.Reply>,
        _ handle:
            @escaping (Requests) -> (Call, @escaping Answer<Call.Reply>) throws(LocalFailure) -> Void
    ) -> Requests.Waiting {
        { result in
            do throws(LocalFailure) {
                let requests = try result.get()
                if Call.number.isUse { requests.account.automaticLock.noteUse() }
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

    /// Decodes the arguments of a call.
    ///
    /// Throws if anything follows the arguments.
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
    /// The reply is encoded here and not in `LocalReply.frame`, because code in this module is compiled for the type of
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
