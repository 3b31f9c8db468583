extension Record {
    /// The name by which a person knows the thing that the record is about: its title, or else what its app calls it.
    ///
    /// Nil where the record is not there or can't be read.
    package var title: String? {
        switch identity.kind {
        case .currentActivity, .savedActivity:
            guard let activity = readActivity() else { return nil }
            return activity.title ?? activity.type
        case .item:
            guard let item = FoundItem(self) else { return nil }
            return item.title ?? item.identifier
        case .device: return device?.name
        default: return nil
        }
    }

    private func readActivity() -> Activity? {
        guard let fields = content?.fields else { return nil }
        do throws(CBORError) { return try Activity(fields) } catch { return nil }
    }

    /// The device that this record is about, if it is there and can be read.
    package var device: Device? {
        guard let key, key.kind == .device, let fields else { return nil }
        do throws(CBORError) { return try Device(key: key, fields: fields) } catch { return nil }
    }
}
