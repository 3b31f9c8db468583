import BatonCore
import BatonNetwork
import BatonSecurity

/// Handles what a person does to a device of the account. The reply says how the device is afterwards.
extension Requests {
    func handle(_ call: RevokeDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        guard let authority = account.countingAuthority else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner of the account can revoke.\nType `baton revoke \(call.device)` on an owner's machine; `baton devices` shows which are, and `baton promote\(account.options)` makes this one such, with the recovery code."
            )
        }
        let device = try account.findDevice(call.device)
        if case .revoked = account.membership.roster.standing(of: device) {
            throw LocalFailure(.failed, "“\(account.name(of: device))” (\(device.short)) is revoked already.")
        }
        guard call.isConfirmed else { return tell(device, answer) }
        log.tell("“\(account.name(of: device))” (\(device.short)) is being revoked")
        account.revoke(device, by: authority) { tell($0, device, answer) }
    }

    func handle(_ call: RemoveDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let device = try account.findDevice(call.device)
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
        let gone = Device(
            identifier: device, name: account.recordedName(of: device), admitted: .now, removed: .now)
        account.change(gone) {
            Device.draft(removed: .now, in: $0)
        } then: {
            tell($0, device, answer)
        }
    }

    func handle(_ call: RenameDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let name = call.name
        let device =
            try call.device.map { (text) throws(LocalFailure) in try account.findDevice(text) }
            ?? account.credentials.device
        guard DisplayName.sanitised(name) == name else {
            throw LocalFailure(
                .usage,
                "“\(name)” can't be the name of a device: it has to be seen, and no longer than \(Limits.nameBytes) bytes."
            )
        }
        guard account.presentDevices(named: name).allSatisfy({ $0 == device }) else {
            throw LocalFailure(
                .usage, "Another machine of the account is called “\(name)”. Choose a name of its own.")
        }
        let renamed = Device(identifier: device, name: name, admitted: .now)
        account.change(renamed) {
            Device.draft(name: name, in: $0)
        } then: {
            tell($0, device, answer)
        }
    }

    func handle(_ call: SetAddresses, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let device = try account.findDevice(call.device)
        let name = account.name(of: device)
        guard device != account.credentials.device else {
            throw LocalFailure(.usage, "“\(name)” is this machine itself.")
        }
        guard !account.isRevoked(device) else {
            throw LocalFailure(.usage, "“\(name)” was revoked, so it is not sought any more.")
        }
        guard call.addresses.count <= Limits.deviceAddresses else {
            throw LocalFailure(
                .usage, "A device may have \(Limits.deviceAddresses) addresses. Name fewer.")
        }
        var places: [String] = []
        for address in call.addresses {
            let place = try Self.place(address)
            if !places.contains(place) { places.append(place) }
        }
        log.tell(
            places.isEmpty
                ? "“\(name)” has no address of its own any more"
                : "trying “\(name)” at \(places.joined(separator: ", "))")
        account.peers.seek(device, at: places) { failure in
            tell(failure.map { LocalFailure(.storage, "It was not kept: \($0).") }, device, answer)
        }
    }

    /// Returns an address that a person typed, with its port.
    private static func place(_ text: String) throws(LocalFailure) -> String {
        let wrong = LocalFailure(
            .usage, "“\(text.shortened(to: 64))” is not an address. It looks like HOST:\(Home.port).")
        let endpoint: Endpoint
        do throws(NetworkError) {
            endpoint = try Endpoint(text: text, usualPort: Home.port)
        } catch {
            throw wrong
        }
        guard !endpoint.host.isEmpty, endpoint.port > 0,
            endpoint.description.utf8.count <= Limits.addressBytes
        else { throw wrong }
        return endpoint.description
    }

    private func tell(
        _ failure: LocalFailure?, _ device: DeviceIdentifier, _ answer: @escaping Answer<DeviceReply>
    ) {
        if let failure { answer(.failure(failure)) } else { tell(device, answer) }
    }

    private func tell(_ device: DeviceIdentifier, _ answer: @escaping Answer<DeviceReply>) {
        account.describe([account.status(of: device)]) { answer(.success(DeviceReply($0[0]))) }
    }

    /// Lists all devices, this one first.
    func handle(_: ListDevices, _ answer: @escaping Answer<DevicesReply>) {
        let devices = account.deviceStatus
        account.describe([devices.own] + devices.others) { answer(.success(DevicesReply($0))) }
    }
}
