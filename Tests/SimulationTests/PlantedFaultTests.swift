#if DEBUG
    import BatonCore
    import Simulation
    import Testing

    /// What the simulator is worth: it finds the mistakes with which such a system is easily built.
    @Suite struct `A planted fault` {
        @Test(arguments: Faults.Switch.allCases.filter { $0.unfound == nil })
        func `is found in one of a hundred worlds`(_ fault: Faults.Switch) {
            guard let (seed, violation) = fault.find(among: 1...100) else {
                Issue.record("no world of a hundred found \(fault)")
                return
            }
            print("\(fault): found by seed \(seed), \(violation)")
        }

        /// It says so as soon as one of them is found, which then belongs to the others.
        @Test(arguments: Faults.Switch.allCases.filter { $0.unfound != nil })
        func `is not found yet, for a reason`(_ fault: Faults.Switch) {
            withKnownIssue("\(fault): \(fault.unfound ?? "")") {
                if fault.find(among: 1...2) == nil { Issue.record("no world found \(fault)") }
            }
        }

        @Test func `is made in its scope alone`() {
            #expect(Faults.planted == nil)
            Faults.$planted.withValue(.clearByPrefix) {
                #expect(Faults.isPlanted(.clearByPrefix))
                #expect(!Faults.isPlanted(.tombstoneByAge))
            }
            #expect(!Faults.isPlanted(.clearByPrefix))
        }
    }

    extension Faults.Switch {
        /// The first world that breaks a promise with this mistake; one that does so without it says nothing of it.
        fileprivate func find(among seeds: ClosedRange<UInt64>) -> (seed: UInt64, violation: Violation)? {
            for seed in seeds {
                let profile = profile(for: seed)
                let violation = Faults.$planted.withValue(self) { World(seed: seed, profile: profile).run() }
                guard let violation, World(seed: seed, profile: profile).run() == nil else { continue }
                return (seed, violation)
            }
            return nil
        }
    }
#endif
