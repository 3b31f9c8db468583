package import BatonCore

/// Calls of tests to one lane of a store of which both lanes are at hand.
extension AccountStore {
    /// Reports the claimed part of that vector for both lanes; returns all known reports.
    package func report(
        of own: DeviceIdentifier, having known: VersionVector
    ) throws(StoreFailure) -> Reports {
        for lane in Lane.allCases {
            let lane = self.lane(lane)
            try lane.group(durably: true) { () throws(StoreFailure) in
                try lane.report(of: own, having: known)
            }
        }
        return try summary().reports
    }

    package func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        try lane(.index).stage(drafts, in: batch)
    }

    package func discard(_ batch: BatchIdentifier) throws(StoreFailure) { try lane(.index).discard(batch) }

    /// Does a step of sweeping one lane after the other.
    package func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep? {
        for lane in Lane.allCases where lane >= request.after?.lane ?? .activities {
            var part = request
            if part.after?.lane != lane { part.after = nil }
            if let step = try self.lane(lane).sweep(part) { return step }
        }
        return nil
    }

    package func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        try lane(request.lane).changes(request)
    }

    package func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        try lane(request.lane).range(request)
    }

    package func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        try lane(identity.kind.lane).record(identity)
    }

    package func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState? {
        try lane(.index).shownState(of: name)
    }

    package func recount(_ lane: Lane, at time: WallTime) throws(StoreFailure) -> LaneSums {
        try self.lane(lane).recount(at: time)
    }

    package func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        try lane(request.lane).part(request)
    }
}

extension Reports {
    /// Returns the part of the reports that is about one lane.
    package func restricted(to lane: Lane) -> Reports {
        var part = Reports()
        for (device, vector) in sorted { part.join(device, vector.restricted(to: lane)) }
        return part
    }
}
