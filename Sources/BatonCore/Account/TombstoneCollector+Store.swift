extension TombstoneCollector {
    package enum Effect: Equatable, Sendable {
        /// Make a request to the store; pass the answer to `handleAnswer(_:in:at:)`.
        ///
        /// Neither lane does anything else during the request.
        case ask(Request)
        /// Store these claims of a lane durably, as the report of this device; the answer is `.reported`.
        case report(VersionVector, Lane)
        /// Send these reports to every connected device.
        case tell(Reports)
        /// Adopt strays: write them again under dots of the present life.
        case adopt([Write], Lane)
        /// Begin a new life, and new sessions with all devices, because the store gave up its claims.
        ///
        /// If the reason was an abandoned snapshot, `without` is the device that was sending it.
        case beginAnew(without: DeviceIdentifier?)
        /// Write a line into the log.
        case warn(String)
    }

    /// A request to the store about the whole account.
    package enum Request: Equatable, Sendable {
        /// Read the claims of the store.
        case claims
        /// Read the reports in the store.
        case reports
        case keep(Reports)
        case forget(Set<DeviceIdentifier>)
        case abandonSnapshots(of: DeviceIdentifier)
        case collect(CollectRequest)
        /// Read the writes of these devices that the store has but does not claim.
        case strays(of: Set<DeviceIdentifier>)

        package func perform(on store: any AccountStore) throws(StoreFailure) -> Answer {
            switch self {
            case .claims: return .claims(try store.summary().complete)
            case .reports: return .reports(try store.summary().reports)
            case .keep(let reports): return .kept(try store.keep(reports))
            case .forget(let devices):
                let givesUp = try store.forget(devices)
                return .forgotten(givesUp: givesUp, try store.summary().reports)
            case .abandonSnapshots(let device):
                let givesUp = try store.abandonSnapshots(of: [device])
                return .abandoned(device, givesUp ? try store.summary().reports : nil)
            case .collect(let request): return .collected(try store.collect(request))
            case .strays(let devices):
                var strays: [Lane: [Write]] = [:]
                for lane in Lane.allCases { strays[lane] = try store.strays(of: devices, in: lane) }
                return .strays(strays)
            }
        }
    }

    /// An answer of the store.
    package enum Answer: Equatable, Sendable {
        case claims(VersionVector)
        /// The store has stored these claims of a lane durably.
        case reported(VersionVector, Lane)
        case reports(Reports)
        case kept(Reports)
        /// The store has forgotten devices; says whether it gave up its claims, and which reports remain.
        case forgotten(givesUp: Bool, Reports)
        /// The snapshots of the device were abandoned; the second value is nil unless the store gave up its claims.
        ///
        /// In that case, the second value has the remaining reports.
        case abandoned(DeviceIdentifier, Reports?)
        /// The number of tombstones that were removed.
        case collected(Int)
        case strays([Lane: [Write]])
    }
}
