#if DEBUG
    import BatonCore
    import Simulation
    import Testing

    /// Checks that the simulator finds the mistakes that are easily made in such a system.
    @Suite struct `A planted fault` {
        @Test(arguments: Faults.Switch.allCases)
        func `breaks its promise in at least one of a hundred worlds`(_ fault: Faults.Switch) throws {
            let (seed, violation) = try #require(
                fault.find(among: 1...100), "no world of a hundred found \(fault)")
            print("\(fault): found by seed \(seed), \(violation)")
        }

        @Test func `is planted only in its own scope`() {
            #expect(Faults.planted == nil)
            Faults.$planted.withValue(.clearByPrefix) {
                #expect(Faults.isPlanted(.clearByPrefix))
                #expect(!Faults.isPlanted(.tombstoneByAge))
            }
            #expect(!Faults.isPlanted(.clearByPrefix))
        }
    }

    extension Faults.Switch {
        /// Returns the first world that breaks the promise of this mistake.
        ///
        /// A world that breaks the promise without the mistake proves nothing.
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
