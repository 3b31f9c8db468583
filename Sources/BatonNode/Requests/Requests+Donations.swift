import BatonCore

/// Handles calls about the actions that apps donate.
extension Requests {
    func donateAction(_ call: DonateAction, _ answer: @escaping Answer<Done>) throws(LocalFailure) {
        guard !call.app.isEmpty, !call.type.isEmpty, !call.donation.identifier.isEmpty else {
            throw LocalFailure(.usage, "A donation needs an app, a type and an identifier.")
        }
        var activity = Activity(type: call.type, started: call.donation.time)
        call.change.apply(to: &activity)
        let names = [call.donation.identifier, call.donation.group ?? "", call.type] + call.donation.subjects
        guard call.donation.subjects.count <= Donation.subjectsMost,
            names.allSatisfy({ $0.utf8.count <= Limits.donationNameBytes }),
            SavedActivityName.hasRoom(for: call.app),
            activity.fields.encodedCount <= Limits.donationBytes
        else { throw .donationTooLarge }
        do throws(PropertyLimitError) {
            try PropertyLimits.payload.check(.dictionary(activity.info))
        } catch {
            throw LocalFailure(.tooLarge, "The payload of the action is too large. \(error)")
        }
        account.suggested.donate(call.donation, of: activity, by: call.app) { answerDonation($0, answer) }
    }

    func deleteDonations(_ call: DeleteDonations, _ answer: @escaping Answer<Done>) {
        account.suggested.removeDonations(call.selection, of: call.app) { answerDonation($0, answer) }
    }

    private func answerDonation(_ failure: StoreFailure?, _ answer: Answer<Done>) {
        answer(failure.map { .failure(Self.notKept($0)) } ?? .success(Done()))
    }
}
