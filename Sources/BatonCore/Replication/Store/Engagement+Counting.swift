extension Engagement {
    /// Returns the write by which a device counts that it opened a thing once more.
    ///
    /// The first one begins the device's counter, in the scope where the thing belongs. From then on the device keeps
    /// the beginning and the scope, wherever the thing moves, until something ended the counter: that the thing was
    /// forgotten, or that its scope was cleared. Otherwise what ends a counter could miss a part of it.
    ///
    /// A counter of this device that can't be read is counted anew.
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
