extension Record {
    /// The current activity that this record describes; nil if it does not exist or can't be read.
    ///
    /// An activity that many writes together made larger than the limit counts as unreadable.
    package var activity: (name: ActivityName, activity: Activity)? {
        guard let key, key.kind == .currentActivity, let fields, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return (try ActivityName(key, of: identity), try Activity(fields))
        } catch {
            return nil
        }
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
