#if DEBUG
    import BatonCore
    import Simulation
    import Testing

    /// What the simulator is worth: it finds the mistakes with which such a system is easily built.
    @Suite struct `A planted fault` {
        @Test(arguments: Faults.Switch.allCases)
        func `breaks its promise in one of a hundred worlds`(_ fault: Faults.Switch) throws {
            let (seed, violation) = try #require(
                fault.find(among: 1...100), "no world of a hundred found \(fault)")
            print("\(fault): found by seed \(seed), \(violation)")
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
        /// The first world that breaks the promise of this mistake; one that does so without it says nothing of it.
        fileprivate func find(among seeds: ClosedRange<UInt64>) -> (seed: UInt64, violation: Violation)? {
            for seed in seeds {
                let profile = profile(for: seed)
                let violation = Faults.$planted.withValue(self) {
                    World(seed: seed, profile: profile, on: store).run()
                }
                guard let violation, broken.contains(violation.promise),
                    World(seed: seed, profile: profile, on: store).run() == nil
                else { continue }
                return (seed, violation)
            }
            return nil
        }
    }
#endif
