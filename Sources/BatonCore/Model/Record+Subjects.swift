/// The things that records describe, such as a device or an activity.
extension Record {
    /// The text by which a person recognises the thing that the record describes.
    ///
    /// It is the title. If there is no title, it is the activity's type or the item's identifier.
    ///
    /// It is nil if the record is deleted or can't be read, and for other kinds of records.
    package var title: String? {
        switch identity.kind {
        case .currentActivity, .savedActivity:
            guard let activity = readActivity() else { return nil }
            return activity.title ?? activity.type
        case .item:
            guard let item = FoundItem(self) else { return nil }
            return item.title ?? item.identifier
        case .device: return device?.name
        case .focus: return Focus(self)?.name
        case .entityType: return EntityTypeDescription(self)?.title
        default: return nil
        }
    }

    private func readActivity() -> Activity? {
        guard let fields = content?.fields else { return nil }
        do throws(CBORError) { return try Activity(fields) } catch { return nil }
    }

    /// The device that this record describes; nil if the record is of another kind, is deleted, or can't be read.
    package var device: Device? {
        guard let key, key.kind == .device, let fields else { return nil }
        do throws(CBORError) { return try Device(key: key, fields: fields) } catch { return nil }
    }

    /// The current activity that this record describes; nil if the record is of another kind, is deleted, or can't be
    /// read.
    ///
    /// An activity that several writes together made larger than the limit counts as unreadable.
    package var activity: (name: ActivityName, activity: Activity)? {
        guard let key, let fields else { return nil }
        return Self.activity(key, fields)
    }

    /// Reads the current activity from a record's key and fields.
    static func activity(_ key: RecordKey, _ fields: Fields) -> (name: ActivityName, activity: Activity)? {
        guard key.kind == .currentActivity, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return (try ActivityName(key), try Activity(fields))
        } catch {
            return nil
        }
    }

    /// The name of the current activity that this record describes, or described before it was deleted; nil if the
    /// record is of another kind or has no readable key.
    package var activityName: ActivityName? {
        guard let key, key.kind == .currentActivity else { return nil }
        do throws(CBORError) { return try ActivityName(key) } catch { return nil }
    }

    /// The saved activity that this record describes; nil if the record is of another kind, is deleted, or can't be
    /// read.
    package var savedActivity: Activity? {
        guard let key, key.kind == .savedActivity, let fields, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return try Activity(fields)
        } catch {
            return nil
        }
    }
}
