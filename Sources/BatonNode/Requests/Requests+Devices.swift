import BatonCore
import BatonNetwork
import BatonSecurity

/// Handles calls about the devices of the account.
///
/// The reply is the state of the device after the call.
extension Requests {
    func revokeDevice(_ call: RevokeDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        guard let authority = account.devices.countingAuthority else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner's machine can revoke.\nType `baton revoke \(call.device)` on an owner's machine (see `baton devices`), or make this machine an owner with `baton promote\(core.options)` and the recovery code."
            )
        }
        let device = try account.devices.find(call.device)
        if case .revoked = core.membership.roster.standing(of: device) {
            throw LocalFailure(.failed, "“\(core.name(of: device))” (\(device.short)) is already revoked.")
        }
        guard call.isConfirmed else { return answerDevice(device, answer) }
        core.log.tell("revoking “\(core.name(of: device))” (\(device.short))")
        account.devices.revoke(device, by: authority) { answerDevice($0, device, answer) }
    }

    func removeDevice(_ call: RemoveDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let device = try account.devices.find(call.device)
        let name = core.name(of: device)
        guard device != core.credentials.device else {
            throw LocalFailure(.usage, "“\(name)” is this machine, so it can't be removed.")
        }
        guard !core.membership.isRevoked(device) else {
            throw LocalFailure(.failed, "“\(name)” was revoked, so it does not have to be removed.")
        }
        guard account.peers.link(to: device) == nil else {
            throw LocalFailure(
                .failed,
                "“\(name)” is connected, so it can't be removed.\nStop its node first, or type `baton revoke` if it was stolen."
            )
        }
        let seen = core.membership.recordStamp(of: device)
        account.devices.changeOwn {
            $0.remove(device, seen: seen, at: .now)
        } then: {
            answerDevice($0, device, answer)
        }
    }

    func renameDevice(_ call: RenameDevice, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let (name, device) = (call.name, core.credentials.device)
        guard DisplayName.sanitised(name) == name else {
            throw LocalFailure(
                .usage,
                "“\(name)” can't be the name of a device: a name must be visible and have at most \(Limits.nameBytes) bytes."
            )
        }
        guard core.names.present(named: name).allSatisfy({ $0 == device }) else {
            throw LocalFailure(
                .usage, "Another machine of the account is already called “\(name)”. Choose another name.")
        }
        account.devices.changeOwn {
            $0.name = name
        } then: {
            answerDevice($0, device, answer)
        }
    }

    func setAddresses(_ call: SetAddresses, _ answer: @escaping Answer<DeviceReply>) throws(LocalFailure) {
        let device = try account.devices.find(call.device)
        let name = core.name(of: device)
        guard device != core.credentials.device else {
            throw LocalFailure(.usage, "“\(name)” is this machine.")
        }
        guard !core.membership.isRevoked(device) else {
            throw LocalFailure(.usage, "“\(name)” was revoked, so this machine no longer connects to it.")
        }
        guard call.addresses.count <= Limits.deviceAddresses else {
            throw LocalFailure(
                .usage, "A device may have at most \(Limits.deviceAddresses) addresses. Name fewer.")
        }
        var places: [String] = []
        for address in call.addresses {
            let place = try Self.place(address)
            if !places.contains(place) { places.append(place) }
        }
        core.log.tell(
            places.isEmpty
                ? "“\(name)” has no named address any more"
                : "trying “\(name)” at \(places.joined(separator: ", "))")
        account.peers.seek(device, at: places) { failure in
            answerDevice(
                failure.map { LocalFailure(saving: "the address", $0, "Nothing has changed.") }, device,
                answer)
        }
    }

    /// Returns an address that a person typed, with the usual port if the person typed none.
    private static func place(_ text: String) throws(LocalFailure) -> String {
        let wrong = LocalFailure(
            .usage, "“\(text.shortened(to: 64))” is not an address. An address looks like HOST:\(Home.port).")
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

    private func answerDevice(
        _ failure: LocalFailure?, _ device: DeviceIdentifier, _ answer: @escaping Answer<DeviceReply>
    ) {
        if let failure { answer(.failure(failure)) } else { answerDevice(device, answer) }
    }

    private func answerDevice(_ device: DeviceIdentifier, _ answer: @escaping Answer<DeviceReply>) {
        account.changes.describe([account.devices.status(of: device)]) {
            answer(.success(DeviceReply($0[0])))
        }
    }

    /// Lists the addresses at which this device looks for another device.
    func listPlaces(_ call: ListPlaces, _ answer: @escaping Answer<PlacesReply>) throws(LocalFailure) {
        let device = try account.devices.find(call.device)
        let link = account.peers.link(to: device)
        let connection = link.flatMap { link in
            link.remoteAddress.map { OpenConnection($0.description, isDialled: link.isDialled) }
        }
        let places = account.peers.places(of: device).map { place in
            KnownPlace(place.address, place.source, isNamed: place.isNamed)
        }
        answer(.success(PlacesReply(core.names.reference(device), places, connection: connection)))
    }

    /// Tries to connect to one of the addresses of a device.
    func probeAddress(_ call: ProbeAddress, _ answer: @escaping Answer<ProbeReply>) throws(LocalFailure) {
        let device = try account.devices.find(call.device)
        guard let place = account.peers.places(of: device).first(where: { $0.address == call.address }) else {
            throw LocalFailure(
                .notFound,
                "“\(core.name(of: device))” is not looked for at “\(call.address.shortened(to: 64))” any more."
            )
        }
        account.probes.probe(place, of: device, answer)
    }

    /// Lists all devices.
    ///
    /// This device comes first.
    func listDevices(_: ListDevices, _ answer: @escaping Answer<DevicesReply>) {
        let devices = account.devices.statuses
        account.changes.describe([devices.own] + devices.others) { answer(.success(DevicesReply($0))) }
    }
}
