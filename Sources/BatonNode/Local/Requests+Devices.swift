import BatonCore
import BatonSecurity

/// What a person does to the devices of the account; all answer with how it stands with the device then.
extension Requests {
    func revoke(
        _ text: String, isConfirmed: Bool, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        guard let authority = account.credentials.ownerAuthority,
            account.ownerKey(on: account.credentials.device) != nil,
            !account.isRevoked(account.credentials.device)
        else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner of the account can revoke.\nType `baton revoke \(text)` on an owner's machine; `baton devices` shows which are, and `baton promote\(account.options)` makes this one such, with the recovery code."
            )
        }
        let device = try account.findDevice(text)
        if case .revoked = account.membership.standing(of: device) {
            throw LocalFailure(.failed, "“\(account.name(of: device))” (\(device.short)) is revoked already.")
        }
        guard isConfirmed else { return tell(device, answer) }
        log.tell("“\(account.name(of: device))” (\(device.short)) is being revoked")
        account.revoke(device, by: authority) { tell($0, device, answer) }
    }

    func remove(_ text: String, _ answer: @escaping (LocalAnswer) -> Void) throws(LocalFailure) {
        let device = try account.findDevice(text)
        let name = account.name(of: device)
        guard device != account.credentials.device else {
            throw LocalFailure(.usage, "“\(name)” is this machine itself, which is not gone.")
        }
        guard !account.isRevoked(device) else {
            throw LocalFailure(.failed, "“\(name)” was revoked, so that nobody waits for it.")
        }
        guard account.peers.link(to: device) == nil else {
            throw LocalFailure(
                .failed,
                "“\(name)” is connected, so it is not gone.\nStop its node first, or type `baton revoke` if it was stolen."
            )
        }
        let gone = Device(identifier: device, name: name, admitted: .now, removed: .now)
        account.change(gone) {
            Device.draft(removed: .now, in: $0)
        } then: {
            tell($0, device, answer)
        }
    }

    func rename(
        _ text: String?, to name: String, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        let device =
            try text.map { (text) throws(LocalFailure) in try account.findDevice(text) }
            ?? account.credentials.device
        guard DisplayName.sanitised(name) == name else {
            throw LocalFailure(
                .usage,
                "“\(name)” can't be the name of a device: it has to be seen, and no longer than \(Limits.nameBytes) bytes."
            )
        }
        let renamed = Device(identifier: device, name: name, admitted: .now)
        account.change(renamed) {
            Device.draft(name: name, in: $0)
        } then: {
            tell($0, device, answer)
        }
    }

    private func tell(
        _ failure: LocalFailure?, _ device: DeviceIdentifier, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        if let failure { answer(.failure(failure)) } else { tell(device, answer) }
    }

    private func tell(_ device: DeviceIdentifier, _ answer: @escaping (LocalAnswer) -> Void) {
        account.describe([account.status(of: device)]) { answer(.devices($0)) }
    }

    /// Answers with all devices, this one first.
    func tell(
        _ devices: (own: DeviceStatus, others: [DeviceStatus]), _ answer: @escaping (LocalAnswer) -> Void
    ) {
        account.describe([devices.own] + devices.others) { answer(.devices($0)) }
    }
}
