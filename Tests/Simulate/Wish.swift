import BatonCore
import Simulation

/// The request on the command line.
struct Wish {
    let what: What
    let family: Family

    enum What {
        case world(UInt64)
        case worlds(ClosedRange<UInt64>)
        /// Worlds that are played on both stores.
        case comparisons(ClosedRange<UInt64>)
        #if MISTAKES
            /// Worlds in which a mistake is planted.
            case mistake(Faults.Switch, ClosedRange<UInt64>)
            /// Mistakes that worlds should find.
            case mistakes([Faults.Switch])
        #endif
    }

    /// Understands seeds, and behind them a profile and a store in any order.
    ///
    /// If mistakes are planted, it also understands seeds and a mistake, or `mistakes` and those that are to be found: all
    /// of them if none is named.
    init?(_ arguments: ArraySlice<String>) {
        let seeds = (arguments.first ?? "").split(separator: "-").map { UInt64($0) }
        let names = arguments.dropFirst()
        #if MISTAKES
            let mistakes = names.compactMap(Faults.Switch.init(rawValue:))
            if mistakes.count == names.count, arguments.first == "mistakes" {
                family = Family(name: .swarm, store: .memory)
                what = .mistakes(mistakes.isEmpty ? Faults.Switch.allCases : mistakes)
                return
            }
            if names.count == 1, let mistake = mistakes.first,
                let first = seeds.first ?? nil, let last = seeds.last ?? nil, first <= last, seeds.count <= 2
            {
                family = Family(name: .swarm, store: mistake.store)
                what = .mistake(mistake, first...last)
                return
            }
        #endif
        let profiles = names.compactMap(ProfileName.init(rawValue:))
        let stores = names.compactMap(StoreName.init(rawValue:))
        let both = names.count { $0 == Self.both }
        guard profiles.count <= 1, stores.count + both <= 1,
            profiles.count + stores.count + both == names.count,
            let first = seeds.first ?? nil, let last = seeds.last ?? nil, first <= last, seeds.count <= 2
        else { return nil }
        family = Family(name: profiles.first ?? .swarm, store: stores.first ?? .memory)
        what =
            both > 0 ? .comparisons(first...last) : seeds.count == 1 ? .world(first) : .worlds(first...last)
    }

    private static let both = "both"

    static var usage: String {
        let profiles = ProfileName.allCases.map(\.rawValue).joined(separator: " | ")
        let stores = (StoreName.allCases.map(\.rawValue) + [both]).joined(separator: " | ")
        let usage = "usage: simulate SEED | FIRST-LAST [\(profiles)] [\(stores)]"
        #if MISTAKES
            return """
                \(usage)
                       simulate SEED | FIRST-LAST MISTAKE
                       simulate mistakes [MISTAKE...]
                """
        #else
            return usage
        #endif
    }
}

/// The properties that all worlds of a run share.
struct Family: CustomStringConvertible {
    let name: ProfileName
    let store: StoreName

    func world(_ seed: UInt64, isTold: Bool = false) -> World {
        World(seed: seed, name, on: store, isTold: isTold)
    }

    /// The command that plays one of them.
    func command(_ seed: UInt64) -> String {
        "make simulate SEED=\(seed) PROFILE=\(name)" + (store == .memory ? "" : " STORE=\(store)")
    }

    var description: String { "\(name)" + (store == .memory ? "" : " on \(store)") }
}
