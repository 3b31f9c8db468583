/// The things that records describe.
extension Record {
    /// The name by which a person knows the record's subject: its title, or otherwise its type or its app's identifier
    /// for it.
    ///
    /// Nil if the record does not exist or can't be read.
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

    /// The device that this record describes; nil if it does not exist or can't be read.
    package var device: Device? {
        guard let key, key.kind == .device, let fields else { return nil }
        do throws(CBORError) { return try Device(key: key, fields: fields) } catch { return nil }
    }

    /// The current activity that this record describes; nil if it does not exist or can't be read.
    ///
    /// An activity that many writes together made larger than the limit counts as unreadable.
    package var activity: (name: ActivityName, activity: Activity)? {
        guard let key, let fields else { return nil }
        return Self.activity(key, fields)
    }

    /// Reads the current activity that a record with that key and those fields describes.
    static func activity(_ key: RecordKey, _ fields: Fields) -> (name: ActivityName, activity: Activity)? {
        guard key.kind == .currentActivity, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return (try ActivityName(key), try Activity(fields))
        } catch {
            return nil
        }
    }

    /// The name of the current activity that this record describes or described; nil if it is not known or can't be
    /// read.
    package var activityName: ActivityName? {
        guard let key, key.kind == .currentActivity else { return nil }
        do throws(CBORError) { return try ActivityName(key) } catch { return nil }
    }

    /// The saved activity in this record; nil if it does not exist or can't be read.
    package var savedActivity: Activity? {
        guard let key, key.kind == .savedActivity, let fields, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return try Activity(fields)
        } catch {
            return nil
        }
    }
}
