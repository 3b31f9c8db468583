extension TombstoneCollector {
    package enum Effect: Equatable, Sendable {
        /// Make a request of the store, during which neither lane does anything else; `handleAnswer(_:in:at:)` takes
        /// the answer.
        case ask(Request)
        /// Store these claims of a lane durably, as this device's report; the answer is `.reported`.
        case report(VersionVector, Lane)
        /// Send these reports to every connected device.
        case tell(Reports)
        /// Adopt strays: write them again, under dots of the present life.
        case adopt([Write], Lane)
        /// The store gave up its claims: begin a new life, and new sessions with all devices. `without` is the device
        /// whose snapshot was abandoned, if that is the reason.
        case beginAnew(without: DeviceIdentifier?)
        /// Write a line into the log.
        case warn(String)
    }

    /// A request to the store about the whole account.
    package enum Request: Equatable, Sendable {
        /// Which writes are claimed here?
        case claims
        /// Which reports are known here?
        case reports
        case keep(Reports)
        case forget(Set<DeviceIdentifier>)
        case abandonSnapshots(of: DeviceIdentifier)
        case collect(CollectRequest)
        /// Which writes of these devices are here and not claimed?
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
        /// The claims of a lane are stored durably.
        case reported(VersionVector, Lane)
        case reports(Reports)
        case kept(Reports)
        /// Whether the store gave up its claims, and the remaining reports.
        case forgotten(givesUp: Bool, Reports)
        /// The remaining reports if the store gave up its claims; otherwise nil.
        case abandoned(DeviceIdentifier, Reports?)
        /// How many tombstones were removed.
        case collected(Int)
        case strays([Lane: [Write]])
    }
}
