extension Engagement {
    /// Returns the draft by which a device counts another opening of a thing.
    ///
    /// The first opening begins the device's counter, in the scope of the thing. From then on, the counter keeps its
    /// beginning and its scope, even if the thing moves. The counter is ended when the thing is forgotten or the scope
    /// is cleared. If its scope could change, a clear could miss a part of the counter.
    ///
    /// If this device's counter can't be read, it starts again from zero.
    package static func draft(
        opening thing: RecordKey, in scope: Scope, by device: DeviceIdentifier, at time: WallTime,
        after record: Record?
    ) -> Journal.Draft {
        let name = EngagementName(counting: thing)
        let field = Counter(device: device, times: 0, last: time).name
        guard let (standing, place) = record?.lastCounters[field] else {
            let content = Write.Content(
                scope: scope, fields: Engagement().opened(by: device, at: time).fields)
            return Journal.Draft(counting: content, name.key)
        }
        let counted = Fields { $0.field(field) { $0.encoded(standing.value) } }
        let engagement: Engagement
        do throws(CBORError) { engagement = try Engagement(counted) } catch { engagement = Engagement() }
        let content = Write.Content(scope: place, fields: engagement.opened(by: device, at: time).fields)
        return Journal.Draft(.count(begun: standing.begun, content), name.key)
    }
}
