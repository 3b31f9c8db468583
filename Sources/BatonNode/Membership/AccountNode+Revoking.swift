import BatonCore
import BatonSecurity

/// Revoking and renaming devices.
extension AccountNode {
    /// Revokes a device, and the owner whose key it has; `then` is called once that would survive a power failure.
    ///
    /// All other devices stay members.
    func revoke(
        _ device: DeviceIdentifier, by authority: OwnerAuthority, then: @escaping (LocalFailure?) -> Void
    ) {
        var revocations: [Journal.Draft] = []
        var admissions: [Journal.Draft] = []
        do throws(SecurityError) {
            let now = WallTime.now
            revocations.append(Journal.Draft(try authority.revoke(device, now: now)))
            if let owner = ownerKey(on: device) {
                let roster = membership.roster
                let (kept, anew) = roster.leaving(revoking: owner, with: [device])
                // Statements that this owner signs after its own revocation don't count.
                guard anew.isEmpty || owner != authority.owner else {
                    return then(Self.tooManyToKeep(kept.count + anew.count))
                }
                for other in anew {
                    guard let admission = roster.newestAdmission(of: other, at: now) else { continue }
                    let made = try authority.readmit(admission.statement, now: now.seconds)
                    admissions.append(Journal.Draft(made.statement))
                }
                revocations.append(Journal.Draft(try authority.revoke(owner, kept: kept, now: now)))
            }
        } catch {
            return then(LocalFailure(.failed, "Nothing was revoked: \(error)"))
        }
        // Devices that are admitted anew get in before the revocation could shut them out.
        publishDurably(admissions) { [self] failure in
            if let failure { return then(Self.notKept(failure)) }
            publishDurably(revocations) { then($0.map(Self.notKept)) }
        }
    }

    private static func tooManyToKeep(_ count: Int) -> LocalFailure {
        LocalFailure(
            .notAllowed,
            """
            This machine let in \(count) others, more than can stay when it is revoked by itself. Nothing was revoked.
            Type `baton revoke` on the machine of another owner.
            """)
    }

    private func publishDurably(_ drafts: [Journal.Draft], then: @escaping (StoreFailure?) -> Void) {
        guard !drafts.isEmpty else { return then(nil) }
        publish(drafts, durably: true, then: then)
    }

    /// Changes the record of a device, or writes one if it has none.
    func change(
        _ device: Device, _ draft: @escaping (Record) -> Journal.Draft?,
        then: @escaping (LocalFailure?) -> Void
    ) {
        readDevices { [self] result in
            switch result {
            case .success(let records):
                let identity = Device.key(device.identifier).identity
                let change = records.first { $0.identity == identity }.flatMap(draft)
                publish([change ?? Journal.Draft(device)]) { then($0.map(Self.notKept)) }
            case .failure(let failure): then(Self.notKept(failure))
            }
        }
    }

    private static func notKept(_ failure: StoreFailure) -> LocalFailure {
        LocalFailure(.storage, "It was not kept: \(failure). Nothing has changed.")
    }
}
