import BatonCore
import BatonNetwork
import BatonSecurity

/// What may be let go of, by everyone's leave or because its time is over.
extension AccountNode: LettingGoOwner {
    func tell(_ reports: Reports) { peers.tellReports(reports) }

    /// While others still tell what they have, such writes may be among it.
    func adoptStrays() {
        guard peers.areInStep else { return }
        let authors = gone.union([credentials.device])
        store.submitToAccount { (store) throws(StoreFailure) in
            var strays: [Lane: [Write]] = [:]
            for lane in Lane.allCases {
                strays[lane] = Array(try store.strays(of: authors, in: lane).prefix(Limits.adoptedWrites))
            }
            return strays
        } then: { [self] result in
            switch result {
            case .success(let strays):
                for lane in Lane.allCases { adopt(strays[lane] ?? [], in: lane) }
            case .failure(let failure):
                log.warn("what this device had lost could not be looked for: \(failure)")
            }
        }
    }

    /// Nobody knows them all before another device has entered this one in the account.
    var waitedFor: Set<DeviceIdentifier>? {
        guard !peers.isSomeoneSetBack else { return nil }
        return membership.look { $0.mayLetGo ? $0.others : nil }
    }

    var gone: Set<DeviceIdentifier> { membership.look(\.gone) }

    var heeded: Reports { membership.look(\.heeded) }
}

extension AccountNode: ExpiryOwner {
    var latestTime: HybridTime { journal.clock.latest }

    var keepingExpired: Duration { .seconds(86_400 * settings[.expiredDays]) }
}
