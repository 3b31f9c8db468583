import BatonCore
import BatonNetwork
import BatonSecurity

/// What a person does to the devices of the account; all answer with how it stands with the device then.
extension Requests {
    func revoke(
        _ text: String, isConfirmed: Bool, _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        guard let authority = account.countingAuthority else {
            throw LocalFailure(
                .notAllowed,
                "Only an owner of the account can revoke.\nType `baton revoke \(text)` on an owner's machine; `baton devices` shows which are, and `baton promote\(account.options)` makes this one such, with the recovery code."
            )
        }
        let device = try account.findDevice(text)
        if case .revoked = account.membership.roster.standing(of: device) {
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
        let gone = Device(
            identifier: device, name: account.recordedName(of: device), admitted: .now, removed: .now)
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

    /// Seeks a device at these addresses first; none drops those that were set before.
    func setAddresses(
        of text: String, to addresses: [String], _ answer: @escaping (LocalAnswer) -> Void
    ) throws(LocalFailure) {
        let device = try account.findDevice(text)
        let name = account.name(of: device)
        guard device != account.credentials.device else {
            throw LocalFailure(.usage, "“\(name)” is this machine itself.")
        }
        guard !account.isRevoked(device) else {
            throw LocalFailure(.usage, "“\(name)” was revoked, so it is not sought any more.")
        }
        guard addresses.count <= Limits.deviceAddresses else {
            throw LocalFailure(
                .usage, "A device may have \(Limits.deviceAddresses) addresses. Name fewer.")
        }
        var places: [String] = []
        for address in addresses {
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

    /// An address as a person typed it, with its port.
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
